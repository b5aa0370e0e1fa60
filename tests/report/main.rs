//! What a person reads: the page, in a browser too, and the inspection.

mod browser;
mod inspect;
mod page;
