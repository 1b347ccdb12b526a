use std::path::{Path, PathBuf};

use anyhow::anyhow;
use jiff::civil::Date;

use super::allow_unread::{EmptyArguments, UnreadArguments};
use super::{Failure, Streams, day, open};
use crate::print::certify::Addresses;
use crate::workspace::{CertifiedTree, Options, PathBase, Target, Workspace};
use gwconform_base::api::Minor;
use gwconform_report::certify::catalog::Catalog;
use gwconform_report::report::formats::is_web_address;
use gwconform_report::rules::configuration::Config;

#[derive(Debug, clap::Args)]
pub struct CatalogArguments {
    #[command(flatten)]
    pub verdicts: VerdictArguments,
    #[command(flatten)]
    pub unread: UnreadArguments,
    /// Site URL for links [default: `site-url` in the configuration, else relative links]
    #[arg(long, value_name = "URL", hide_short_help = true)]
    base_url: Option<String>,
}

#[derive(Debug, clap::Args)]
pub struct VerdictArguments {
    /// Show the verdicts as of a day, e.g. 2026-03-31
    ///
    /// Later reports are ignored, and a minor counts against older reports only after its release
    /// review [default: SOURCE_DATE_EPOCH, then the day of the last commit; neither default ignores
    /// reports]
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,
    /// Folder with `gwconform verify` statements [default: `statements` in the configuration].
    /// Verify their signatures first
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    statements: Option<PathBuf>,
    #[command(flatten)]
    pub empty: EmptyArguments,
}

pub struct Site {
    /// Base URL from the command line or the configuration. `None` for relative links.
    pub url: Option<String>,
    pub addresses: Addresses,
}

impl CatalogArguments {
    pub fn open(
        &self,
        path: Option<&Path>,
        paths: PathBase,
        streams: &mut Streams<'_>,
    ) -> Result<Workspace, Failure> {
        self.check_base_url()?;
        let path = path.into_iter().map(Path::to_owned);
        self.verdicts
            .open(Target::Paths(path.collect()), paths, streams)
    }

    pub fn site(&self, config: &Config) -> Site {
        let configured = config.site_url.as_ref().map(|url| url.get_ref().as_str());
        let url = self.base_url.as_deref().or(configured);
        Site {
            url: url.map(str::to_owned),
            addresses: Addresses::below(url),
        }
    }

    fn check_base_url(&self) -> Result<(), Failure> {
        match self.base_url.as_deref() {
            Some(url) if !is_web_address(url) => Err(Failure::Usage(anyhow!(
                "--base-url: `{url}` is not an absolute URL with http or https"
            ))),
            Some(url) if url.contains(['?', '#']) => Err(Failure::Usage(anyhow!(
                "--base-url: `{url}` cannot be used as a base URL: it has a query or fragment"
            ))),
            _ => Ok(()),
        }
    }
}

impl VerdictArguments {
    pub fn open(
        &self,
        target: Target,
        paths: PathBase,
        streams: &mut Streams<'_>,
    ) -> Result<Workspace, Failure> {
        self.day()?;
        let options = Options {
            target,
            paths,
            statements: self.statements.clone(),
            ..Options::default()
        };
        open::workspace(options, streams)
    }

    pub fn catalog<'t>(&self, tree: &'t CertifiedTree<'_>) -> Result<Catalog<'t>, Failure> {
        let as_of = day::of_tree(self.day()?, tree)?;
        Ok(tree.catalog_as_of(as_of))
    }

    pub fn day(&self) -> Result<Option<Date>, Failure> {
        let day = self.as_of.as_deref();
        day.map(|text| day::parse("--as-of", text)).transpose()
    }
}

pub fn site_address(config: &Config) -> Option<String> {
    let url = config.site_url.as_ref()?.get_ref();
    Some(format!("{}/", url.trim_end_matches('/')))
}

pub fn minor(option: &str, text: &str) -> Result<Minor, Failure> {
    let minor = Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")));
    minor.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "{option}: `{text}` is not a minor release; expected a minor such as v1.6"
        ))
    })
}
