//! What a person reads: the page, in a browser too, and the inspection.

mod bounds;
mod brief;
mod browser;
mod incidents;
mod inspect;
mod loudest;
mod never;
mod packets;
mod page;
mod pseudonyms;
mod together;
