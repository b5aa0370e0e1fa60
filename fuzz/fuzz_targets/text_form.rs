//! Any bytes as output of a program, as text and as a document.

#![no_main]

use facts::object::Form;
use facts::origin::MemberId;
use parse::answer::Asked;
use parse::{json, text_form};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let asked = Asked { member: MemberId(0), name: "nodes/cp-1/progress-healthz.txt", command: None };
    let _ = text_form::read(&asked, &text);
    for document in json::json_values(&text, 100) {
        let _ = text_form::read_document(&asked, &document, Form::Json);
    }
});
