//! `gwconform profiles`

use super::registry::{Format, QueryArguments};
use super::{Exit, Failure, Streams};
use crate::print::facts::{self, Profiles};

/// List the conformance profiles of a release.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    query: QueryArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = arguments.query.registry.load()?;
    let registry = loaded.get();
    let query = arguments.query.find(registry)?;
    let listed = Profiles::of(registry, query.release, query.profile, query.note);
    match arguments.query.format {
        Format::Human => facts::write_profiles(&listed, &mut streams.wrapped())?,
        Format::Json => facts::write_json(&listed, &mut streams.stdout)?,
    }
    Ok(Exit::Done)
}
