//! Finds badges in the sections of implementations. Badges are images with a release, usually
//! linked to a report or its folder.

use std::collections::BTreeMap;

use super::image;
use crate::api::{Family, Minor};
use crate::certify::Standing;
use crate::certify::catalog::Implementation;
use crate::report::facts::ReportFacts;
use crate::text::source::{Source, Span};
use crate::tree::readme::{Link, LinkKind};
use crate::tree::{FolderRelease, is_readme};

const REPORTS: &str = "/reports/";

/// Maximum line length in bytes. Longer lines are not rewritten.
const MAX_LINE: usize = 2_000;

pub(super) struct Badge {
    pub(super) start: usize,
    pub(super) folder: Option<String>,
    images: Vec<Span>,
    address: Option<Span>,
    version: String,
    is_mesh: bool,
    is_partial: bool,
    pub(super) target: String,
}

pub(super) fn all(source: &Source, links: &[Link], part: Span) -> Vec<Badge> {
    let mut badges = Vec::new();
    // A link precedes the images inside it.
    let mut around: Option<&Link> = None;
    for link in links {
        if link.kind != LinkKind::Image {
            around = Some(link);
            continue;
        }
        let around = around.filter(|around| link.span.end <= around.span.end);
        let is_elsewhere =
            link.target_span.start >= link.span.end || link.target_span.end <= link.span.start;
        let mut images = vec![link.span];
        images.extend(is_elsewhere.then_some(link.target_span));
        badges.extend(Badge::try_new(
            around.map_or(link.span, |around| around.span),
            [&link.text, &link.target],
            images,
            around.map(|around| (around.target_span, around.target.as_str())),
        ));
    }
    for image in image::all(source.slice(part), part.start as usize) {
        let text = |span: Option<Span>| span.map_or("", |span| source.slice(span));
        let address = image.address.map(|span| (span, source.slice(span)));
        badges.extend(Badge::try_new(
            image.tag,
            [text(image.text), text(image.source)],
            image.text.into_iter().chain(image.source).collect(),
            address,
        ));
    }
    badges
}

/// Path below the reports tree. The repository itself can also be named `reports`.
fn below_tree(address: &str) -> Option<&str> {
    let address = address.split(['?', '#']).next()?;
    let mut places = address.match_indices(REPORTS);
    places.find_map(|(at, _)| {
        let below = address.get(at + REPORTS.len()..)?;
        FolderRelease::parse(below.split('/').next()?).map(|_| below)
    })
}

fn version_in(text: &str) -> Option<(&str, &str)> {
    text.match_indices('v').find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let is_part = |c: char| c.is_ascii_digit() || c == '.';
        let end = rest
            .get(1..)?
            .find(|c| !is_part(c))
            .map_or(rest.len(), |end| end + 1);
        let version = rest.get(..end)?.trim_end_matches('.');
        FolderRelease::parse(version).map(|_| (before, version))
    })
}

impl Badge {
    fn try_new(
        whole: Span,
        texts: [&str; 2],
        images: Vec<Span>,
        leads_to: Option<(Span, &str)>,
    ) -> Option<Self> {
        let label = texts.join(" ");
        let (before, version) = version_in(&label)?;
        // Search only before the release, because names after it can contain the same words.
        let before = before.to_ascii_lowercase();
        let is_badge = label.to_ascii_lowercase().contains("conformance");
        let target = leads_to.and_then(|(_, address)| below_tree(address));
        let target = target.unwrap_or_default();
        is_badge.then(|| Self {
            start: whole.start as usize,
            folder: target.split('/').nth(1).map(str::to_owned),
            images,
            address: leads_to.map(|(span, _)| span),
            version: version.to_owned(),
            is_mesh: before.contains("mesh"),
            is_partial: before.contains("partial"),
            target: target.trim_end_matches('/').to_owned(),
        })
    }

    /// Problem with the badge. `None` if its minor, result and link match the verdict.
    pub(super) fn stale(
        &self,
        source: &Source,
        one: &Implementation<'_>,
    ) -> Option<(String, Option<String>)> {
        let family = match self.is_mesh {
            true => [Family::Mesh, Family::Gateway],
            false => [Family::Gateway, Family::Mesh],
        };
        let certified = family.into_iter().find_map(|family| one.family(family))?;
        let basis = &certified.basis;
        let expected = basis.minor?;
        let facts = one.reports.get(basis.report)?.judged.facts;
        let is_fresh = |minor: Option<Minor>| minor == Some(expected);
        let minor = |text: &str| FolderRelease::parse(text).map(|release| release.minor());
        let linked = self.target.split('/').next().and_then(minor);
        let leads_elsewhere = !self.target.is_empty() && !is_fresh(linked);
        let what = if !is_fresh(minor(&self.version)) {
            format!("shows {}; expected {expected}", self.version)
        } else if leads_elsewhere {
            format!("links to reports for another release; expected {expected}")
        } else if !self.target.is_empty() && !self.leads_to_a_report(one, expected) {
            format!(
                "links to `{}`, which is not in the tree; expected the reports for {expected}",
                self.target
            )
        } else if self.is_partial && certified.standing == Standing::Conformant {
            "shows partial conformance; expected conformance".to_owned()
        } else {
            return None;
        };
        let message = format!(
            "the badge of `{}` {what}: the verdict is based on {}",
            one.name, facts.path
        );
        // The wording of results differs between pages.
        let is_written = !self.is_partial || certified.standing != Standing::Conformant;
        let lines = is_written.then(|| self.lines(source, facts));
        Some((message, lines.flatten()))
    }

    fn leads_to_a_report(&self, one: &Implementation<'_>, minor: Minor) -> bool {
        let mut parts = self.target.splitn(3, '/').skip(1);
        let (folder, file) = (parts.next(), parts.next());
        let reports = one.reports.iter().map(|report| report.judged.facts);
        reports
            .filter(|facts| {
                let release = facts.release.version.as_ref();
                release.is_some_and(|release| release.minor() == minor)
            })
            .any(|facts| {
                let is_file = |file| file == facts.file_name || is_readme(file);
                let own = facts.submission.file_name().and_then(|name| name.to_str());
                folder.is_none_or(|folder| own == Some(folder)) && file.is_none_or(is_file)
            })
    }

    /// `None` if the lines cannot be rewritten safely.
    fn lines(&self, source: &Source, facts: &ReportFacts) -> Option<String> {
        let address = self.address.filter(|_| !self.target.is_empty())?;
        // If the target has no span of its own, its span is the whole link. Shared definitions
        // cannot be rewritten.
        let overlaps = |image: &Span| image.start < address.end && address.start < image.end;
        if self.images.iter().any(overlaps) {
            return None;
        }
        let release = facts.release.version.as_ref()?;
        let version = match Minor::parse(&self.version) {
            Some(_) => release.minor().to_string(),
            None => release.to_string(),
        };
        let folder = facts.submission.file_name()?.to_str()?;
        let of_release = facts.submission.parent()?.file_name()?.to_str()?;
        let mut target = format!("{of_release}/{folder}");
        if self.target.split('/').nth(2).is_some() {
            target.push('/');
            target.push_str(&facts.file_name);
        }
        let old = format!("{REPORTS}{}", self.target);
        let images = self.images.iter();
        let images = images.map(|span| (*span, self.version.as_str(), version.clone()));
        let link = (address, old.as_str(), format!("{REPORTS}{target}"));
        let mut edits: BTreeMap<Span, BTreeMap<Span, String>> = BTreeMap::new();
        for (span, old, new) in images.chain([link]) {
            let line = source.lines_around(span);
            if (line.end - line.start) as usize > MAX_LINE || source.slice(span).contains('\n') {
                return None;
            }
            let text = source.slice(span);
            if text.contains(old) {
                let new = text.replace(old, &new);
                edits.entry(line).or_default().insert(span, new);
            } else if span == address {
                return None;
            }
        }
        let lines = edits.iter().map(|(line, edits)| {
            let mut text = source.slice(*line).to_owned();
            for (span, new) in edits.iter().rev() {
                let start = (span.start - line.start) as usize;
                text.replace_range(start..(span.end - line.start) as usize, new);
            }
            text.trim_end().to_owned()
        });
        Some(lines.collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn a_release_is_found_in_a_badge() {
        for (text, version) in [
            (
                "badge/Gateway_API_Conformance_v1.5.0-Acme-green",
                Some("v1.5.0"),
            ),
            ("Gateway%20API%20v1.5-x", Some("v1.5")),
            ("available v1.", None),
            ("", None),
        ] {
            let found = version_in(text).map(|(_, version)| version);
            assert_eq!(found, version, "{text}");
        }
    }
}
