use super::registry::QueryArguments;
use super::{Exit, Failure, Streams};
use crate::print::facts::{Tests, tests_page};

/// List the conformance tests of a release and the features they require.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    query: QueryArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = arguments.query.registry.load()?;
    let registry = loaded.get();
    let query = arguments.query.find(registry)?;
    let listed = Tests::new(registry, query.release, query.profile, query.note);
    let format = arguments.query.format;
    format.print(streams, || tests_page(&listed), || &listed)?;
    Ok(Exit::Done)
}
