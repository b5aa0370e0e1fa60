//! Lines of logs by what they say (`patterns/statements.yaml`), with their time and place.

use crate::reader::Reader;
use catalogue::statements;
use facts::log::LogHit;
use facts::provenance::Cited;
use facts::store::Stream;
use jiff::Timestamp;

/// A line that says something.
#[derive(Debug)]
pub(crate) struct Heard<'a> {
    /// The statement.
    pub says: &'static str,
    /// What it names.
    pub text: String,
    /// When, as far as that can be placed.
    pub time: Option<Timestamp>,
    pub cited: Cited,
    pub hit: &'a LogHit,
}

/// The streams of a context.
pub(crate) fn streams<'a>(reader: Reader<'a>) -> impl Iterator<Item = &'a Stream> {
    reader.facts.streams.iter().filter(move |stream| stream.context == reader.context)
}

/// Every line of the streams which says something by the rows of a group, in the order of the streams.
pub(crate) fn listen<'a>(
    reader: Reader<'a>,
    group: &'static str,
    wanted: impl Fn(&Stream) -> bool,
) -> impl Iterator<Item = Heard<'a>> {
    let clock = reader.log_clock();
    let of_stream = move |stream: &'a Stream| {
        stream.hits().flat_map(move |hit| {
            statements::read(group, hit).into_iter().map(move |said| Heard {
                says: said.says,
                text: said.text,
                time: hit.fields.time.and_then(|time| time.resolve(clock)),
                cited: stream.cite(hit, clock),
                hit,
            })
        })
    };
    streams(reader).filter(move |stream| wanted(stream)).flat_map(of_stream)
}
