//! The badge in the section of an implementation: an image that names a release, in a link to a
//! report or to its folder.

use crate::catalog::Implementation;
use crate::readme::{Link, LinkKind};
use crate::registry::{Family, Minor};
use crate::source::{Source, Span};
use crate::tree::FolderRelease;

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
    /// The link as written, with the badge in it.
    link: Span,
    image: Span,
    /// The release that it shows, as written: `v1.5.0`.
    version: String,
    is_mesh: bool,
    /// What follows the folder of the tree in the address: release, folder and perhaps a file.
    target: String,
}

/// The badges among links.
pub(super) fn all(source: &Source, links: &[Link]) -> Vec<Badge> {
    let mut badges = Vec::new();
    // The link of an image stands right before it, or behind it, in the order of the page.
    for pair in links.windows(2) {
        let (link, image) = match pair {
            [a, b] if b.kind == LinkKind::Image => (a, b),
            [a, b] if a.kind == LinkKind::Image => (b, a),
            _ => continue,
        };
        let is_around = link.kind != LinkKind::Image
            && link.span.start < image.span.start
            && image.span.end <= link.span.end;
        let text = source.slice(image.span);
        let is_badge = text.to_ascii_lowercase().contains("conformance");
        let Some(version) = version_in(text).filter(|_| is_around && is_badge) else {
            continue;
        };
        let target = below_tree(&link.target).unwrap_or_default();
        badges.push(Badge {
            start: link.span.start as usize,
            folder: target.split('/').nth(1).map(str::to_owned),
            link: link.span,
            image: image.span,
            version: version.to_owned(),
            is_mesh: text.to_ascii_lowercase().contains("mesh"),
            target: target.trim_end_matches('/').to_owned(),
        });
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

/// The first release in a text: `v1.5` or `v1.5.1`.
fn version_in(text: &str) -> Option<&str> {
    text.match_indices('v').find_map(|(at, _)| {
        let rest = text.get(at..)?;
        let is_part = |c: char| c.is_ascii_digit() || c == '.';
        let end = rest
            .get(1..)?
            .find(|c| !is_part(c))
            .map_or(rest.len(), |end| end + 1);
        let version = rest.get(..end)?.trim_end_matches('.');
        FolderRelease::parse(version).map(|_| version)
    })
}

impl Badge {
    /// What is wrong with it, and the line that is right; `None` where it shows the minor of the
    /// report that the verdict rests on, and leads to one of that minor.
    pub(super) fn stale(
        &self,
        source: &Source,
        one: &Implementation<'_>,
    ) -> Option<(String, Option<String>)> {
        let family = match self.is_mesh || one.family(Family::Gateway).is_none() {
            true => Family::Mesh,
            false => Family::Gateway,
        };
        let basis = &one.family(family)?.basis;
        let expected = basis.minor?;
        let minor = |text: &str| FolderRelease::parse(text).map(|release| release.minor());
        let shown = minor(&self.version);
        let linked = self.target.split('/').next().and_then(minor);
        let is_fresh = |minor: Option<Minor>| minor == Some(expected);
        if is_fresh(shown) && (is_fresh(linked) || self.target.is_empty()) {
            return None;
        }
        let name = &one.name;
        let facts = one.reports.get(basis.report)?.judged.facts;
        let message = match is_fresh(shown) {
            false => format!(
                "the badge of `{name}` shows {}; expected {expected}: the verdict rests on {}",
                self.version, facts.path
            ),
            true => format!(
                "the badge of `{name}` leads to reports for another release; expected {expected}: \
                 the verdict rests on {}",
                facts.path
            ),
        };
        Some((message, self.line(source, facts)))
    }

    /// The line with the release and the address of the report; `None` where the link is not written
    /// in one place.
    fn line(&self, source: &Source, facts: &crate::facts::ReportFacts) -> Option<String> {
        let line = source.slice(source.lines_around(self.link));
        if line.contains('\n') || line.len() > MAX_LINE || self.target.is_empty() {
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
        let image = source.slice(self.image);
        let rest = source.slice(Span::new(self.image.end as usize, self.link.end as usize));
        let old = format!("{REPORTS}{}", self.target);
        if !rest.contains(&old) {
            return None;
        }
        let badge = image.replace(&self.version, &version);
        let rest = rest.replacen(&old, &format!("{REPORTS}{target}"), 1);
        let before = source.slice(Span::new(
            self.link.start as usize,
            self.image.start as usize,
        ));
        let link = source.slice(self.link);
        Some(
            line.trim_end()
                .replacen(link, &format!("{before}{badge}{rest}"), 1),
        )
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
            assert_eq!(version_in(text), version, "{text}");
        }
    }
}
