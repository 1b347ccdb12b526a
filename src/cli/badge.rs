use std::path::PathBuf;

use clap::ValueEnum;

use super::bar::Bar;
use super::catalog::{CatalogArguments, minor};
use super::{Content, Exit, Failure, Streams, implementation_name};
use crate::site::badge::{self, About, BadgeScopes, Markup};
use crate::workspace::PathBase;

/// Print a badge, or a snippet (--format markdown --base-url URL).
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Implementation: organization/project (acme/operator), another name, or a part of a name
    #[arg(value_name = "NAME")]
    implementation: String,
    /// Reports tree
    ///
    /// [default: ./conformance/reports, then ./reports, then the tree that contains the working
    /// directory]
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// Show the gateway or mesh status [default: gateway, if the implementation has a gateway
    /// report]
    #[arg(long, value_enum, conflicts_with_all = ["profile", "release"])]
    family: Option<Family>,
    /// Conformance profile, e.g. GATEWAY-HTTP: show its status
    #[arg(long, value_name = "PROFILE", conflicts_with = "release")]
    profile: Option<String>,
    /// Gateway API release, e.g. v1.5: show the status for this minor
    #[arg(long, value_name = "RELEASE", hide_short_help = true)]
    release: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Svg)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Family {
    Gateway,
    Mesh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// SVG image
    Svg,
    /// shields.io endpoint data (JSON)
    Shields,
    /// Markdown image that links to the implementation's page
    Markdown,
    /// reStructuredText image that links to the implementation's page
    Rst,
    /// AsciiDoc image that links to the implementation's page
    Asciidoc,
    /// HTML image that links to the implementation's page
    Html,
}

impl Format {
    fn content(self) -> Content {
        match self {
            Self::Svg | Self::Html => Content::Markup,
            Self::Shields => Content::Json,
            Self::Markdown | Self::Rst | Self::Asciidoc => Content::Text,
        }
    }
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let workspace =
        arguments
            .catalog
            .open(arguments.tree.as_deref(), PathBase::default(), streams)?;
    let (empty, bar) = (arguments.catalog.verdicts.empty, Bar::new(streams));
    let unread = arguments.catalog.unread;
    let tree = unread.certify(empty, &workspace, PathBase::default(), bar, streams)?;
    let catalog = arguments.catalog.verdicts.catalog(&tree)?;
    let addresses = arguments.catalog.site(tree.config()).addresses;
    let implementation = implementation_name::find(&catalog, &arguments.implementation, streams)?;
    let issued = BadgeScopes::new(tree.registry()).with(implementation);
    let about = about(arguments, &issued)?;
    let snippet = |markup| {
        let path = format!("badges/{}.svg", about.path(&implementation.slug));
        let image = addresses.file(&path);
        let link = addresses.implementation(implementation);
        let alternative = issued.alternative(implementation, about);
        badge::snippet(markup, &alternative, &image, &link)
    };
    let badge = || issued.badge(&catalog, implementation, about);
    let text = match arguments.format {
        Format::Svg => badge::svg(&badge()),
        Format::Shields => badge::shields(&badge()),
        Format::Markdown => snippet(Markup::Markdown),
        Format::Rst => snippet(Markup::Rst),
        Format::Asciidoc => snippet(Markup::AsciiDoc),
        Format::Html => snippet(Markup::Html),
    };
    streams
        .out(arguments.format.content())
        .write_all(text.as_bytes())?;
    let is_image = matches!(arguments.format, Format::Svg | Format::Shields);
    if !is_image && !addresses.file("").contains("://") {
        streams.note("the addresses are relative to a site; for absolute ones, pass --base-url URL or set site-url in gwconform.toml")?;
    }
    Ok(Exit::Done)
}

fn about<'i>(arguments: &Arguments, issued: &'i BadgeScopes) -> Result<About<'i>, Failure> {
    if let Some(family) = arguments.family {
        return Ok(About::Family(match family {
            Family::Gateway => gwconform_base::api::Family::Gateway,
            Family::Mesh => gwconform_base::api::Family::Mesh,
        }));
    }
    let about = match (&arguments.profile, &arguments.release) {
        (Some(name), _) => issued.profile(name),
        (None, Some(text)) => issued.minor(minor("--release", text)?),
        (None, None) => Ok(About::Whole),
    };
    about.map_err(|error| Failure::Usage(error.into()))
}
