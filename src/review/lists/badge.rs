//! The badge in the section of an implementation: an image that names a release, mostly in a link to
//! a report or to its folder.

use std::collections::BTreeMap;

use super::image;
use crate::api::{Family, Minor};
use crate::certify::Standing;
use crate::certify::catalog::Implementation;
use crate::report::facts::ReportFacts;
use crate::text::source::{Source, Span};
use crate::tree::readme::{Link, LinkKind};
use crate::tree::{FolderRelease, is_readme};

/// The folder of a tree in an address.
const REPORTS: &str = "/reports/";

/// Longest line that is shown as it should be, in bytes.
const MAX_LINE: usize = 2_000;

/// A badge as it is written.
pub(super) struct Badge {
    /// Where it starts.
    pub(super) start: usize,
    /// The folder of the submission that it leads to.
    pub(super) folder: Option<String>,
    /// Where the release may be written: the image, or its text and the definition of its address.
    images: Vec<Span>,
    /// The address that it leads to as written, in the definition of a reference.
    address: Option<Span>,
    /// The release that it shows, as written: `v1.5.0`.
    version: String,
    is_mesh: bool,
    is_partial: bool,
    /// What follows the folder of the tree in the address: release, folder and perhaps a file.
    pub(super) target: String,
}

/// The badges in a part of a page, whose links are `links`.
pub(super) fn all(source: &Source, links: &[Link], part: Span) -> Vec<Badge> {
    let mut badges = Vec::new();
    // A link stands before the images in it.
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

/// What follows the folder of a tree in an address: it begins with a release. A repository may be
/// named `reports` too.
fn below_tree(address: &str) -> Option<&str> {
    let address = address.split(['?', '#']).next()?;
    let mut places = address.match_indices(REPORTS);
    places.find_map(|(at, _)| {
        let below = address.get(at + REPORTS.len()..)?;
        FolderRelease::parse(below.split('/').next()?).map(|_| below)
    })
}

/// The first release in a text, and what stands before it: `v1.5` or `v1.5.1`.
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
    /// An image, given its alternative text and its address; `None` where it is not a badge.
    fn try_new(
        whole: Span,
        texts: [&str; 2],
        images: Vec<Span>,
        leads_to: Option<(Span, &str)>,
    ) -> Option<Self> {
        let label = texts.join(" ");
        let (before, version) = version_in(&label)?;
        // The name of the implementation, which is behind the release, may have the words too.
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

    /// What is wrong with it, and the lines that are right; `None` where it shows the minor of the
    /// report that the verdict rests on and its result, and leads to a report of that minor.
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
            format!("leads to reports for another release; expected {expected}")
        } else if !self.target.is_empty() && !self.leads_to_a_report(one, expected) {
            format!(
                "leads to `{}`, which is not in the tree; expected the reports for {expected}",
                self.target
            )
        } else if self.is_partial && certified.standing == Standing::Conformant {
            "shows partial conformance; expected conformance".to_owned()
        } else {
            return None;
        };
        let message = format!(
            "the badge of `{}` {what}: the verdict rests on {}",
            one.name, facts.path
        );
        // Which word stands for the result is the page's own.
        let is_written = !self.is_partial || certified.standing != Standing::Conformant;
        let lines = is_written.then(|| self.lines(source, facts));
        Some((message, lines.flatten()))
    }

    /// True where the address is that of a submission for a minor, or of a file in it.
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

    /// Its lines, and those of the definitions that it refers to, with the release and the address of
    /// the report; `None` where they are not to be written by itself.
    fn lines(&self, source: &Source, facts: &ReportFacts) -> Option<String> {
        let address = self.address.filter(|_| !self.target.is_empty())?;
        // The place of a target that is not known is the whole link; one definition may serve twice.
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
