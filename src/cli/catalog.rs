//! The arguments of commands that show a whole tree.

use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::registry::RegistryArguments;
use super::{Failure, Streams, open};
use crate::config::Config;
use crate::formats::is_web_address;
use crate::registry::Minor;
use crate::render::certify::Addresses;
use crate::workspace::{Options, Target, Workspace};

/// The options for verdicts on a tree, and the address of its site.
#[derive(Debug, clap::Args)]
pub struct CatalogArguments {
    /// Treat MINOR as the newest minor release [default: configuration, then the newest with a
    /// report]
    #[arg(long, value_name = "MINOR")]
    latest: Option<String>,
    /// URL of the site, for links [default: `site-url` of the configuration, else relative links]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Configuration file [default: gwconform.toml in the tree or in a folder above it]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Where the site of a tree is, as it was given.
pub struct Site {
    /// The address of the site.
    pub url: Option<String>,
    /// Addresses of pages and files on it.
    pub addresses: Addresses,
}

impl CatalogArguments {
    /// Opens the workspace of the tree at `path`, or in the usual place.
    pub fn open(
        &self,
        path: Option<&Path>,
        streams: &mut Streams<'_>,
    ) -> Result<Workspace, Failure> {
        self.latest()?;
        self.check_base_url()?;
        let options = Options {
            target: Target::Paths(path.into_iter().map(Path::to_owned).collect()),
            config: self.config.clone().into(),
            baseline: None,
            registry: self.registry.folder(),
        };
        open::workspace(options, streams)
    }

    /// The minor that is counted as the newest, where it is named.
    pub fn latest(&self) -> Result<Option<Minor>, Failure> {
        let latest = self.latest.as_deref();
        latest.map(|text| minor("--latest", text)).transpose()
    }

    /// Where the site is: as the command line has it, else the configuration.
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

/// A minor, with or without its `v`.
pub fn minor(option: &str, text: &str) -> Result<Minor, Failure> {
    let minor = Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")));
    minor.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "{option}: `{text}` is not a minor release; expected one such as v1.6"
        ))
    })
}
