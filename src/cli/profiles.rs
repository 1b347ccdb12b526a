use super::registry::QueryArguments;
use super::{Exit, Failure, Streams, open};
use crate::print::facts::{Profiles, profiles_page};
use gwconform_report::document::Document;

/// List the conformance profiles of a release.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    query: QueryArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = open::registry(streams)?;
    let registry = loaded.get();
    let query = arguments.query.find(registry)?;
    let listed = Profiles::new(registry, query.release, query.profile, query.note);
    let format = arguments.query.format;
    format.print(
        streams,
        || profiles_page(&listed),
        || Document::new(registry, None, &listed),
    )?;
    Ok(Exit::Done)
}
