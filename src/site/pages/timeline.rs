//! Draws the verdict chart. Bars after the dotted line are the verdicts at upcoming reviews if no
//! report is submitted.
//!
//! Each row is a separate drawing, so that phones can display the name above.
//! `templates/timeline.html` contains the markup.

use super::mark::Mark;
use crate::api::Minor;
use crate::certify::{Standing, Status};
use crate::site::model::{Timeline, TimelineRow};

/// Column width in drawing units. A phone displays twelve columns of 30 px.
const COLUMN: usize = 32;
const BAR: usize = 28;
/// Space for the dotted line, in drawing units.
const GAP: usize = 8;
/// Minimum chart width, so that a chart with few columns is not stretched.
const MIN_WIDTH: usize = 9 * COLUMN + GAP;
const CAPTION: usize = 130;

pub(super) struct Chart {
    minors: Vec<Minor>,
    reviews: Vec<Minor>,
    pub(super) width: usize,
    pub(super) caption: usize,
    pub(super) line: usize,
    pub(super) heads: Vec<(usize, String)>,
}

pub(super) struct Bars {
    pub(super) past: Vec<Bar>,
    pub(super) then: Vec<Bar>,
    /// Left ends of dashes for minors without a report.
    pub(super) without: Vec<usize>,
    pub(super) words: String,
}

pub(super) struct Bar {
    pub(super) x: usize,
    /// CSS class: `good`, `part`, `bad` or `open`.
    pub(super) class: &'static str,
    pub(super) title: String,
}

impl Chart {
    pub(super) fn new(timeline: &Timeline<'_, '_>, reviews: usize) -> Self {
        let minors = timeline.minors.clone();
        let reviews: Vec<Minor> = timeline.reviews.iter().take(reviews).copied().collect();
        let line = minors.len() * COLUMN + GAP / 2;
        let columns = (minors.len() + reviews.len()) * COLUMN + GAP;
        let mut chart = Self {
            width: columns.max(MIN_WIDTH),
            caption: columns.max(CAPTION),
            line,
            heads: Vec::new(),
            minors,
            reviews,
        };
        let all = chart.minors.iter().chain(&chart.reviews).enumerate();
        let heads = all.map(|(at, minor)| (chart.x(at) + COLUMN / 2, minor.to_string()));
        chart.heads = heads.collect();
        chart
    }

    fn x(&self, at: usize) -> usize {
        let gap = if at < self.minors.len() { 0 } else { GAP };
        at * COLUMN + gap
    }

    fn bar(&self, at: usize, class: &'static str, title: String) -> Bar {
        Bar {
            x: self.x(at) + (COLUMN - BAR) / 2,
            class,
            title,
        }
    }

    pub(super) fn bars(&self, row: &TimelineRow<'_, '_>) -> Bars {
        let (mut past, mut without) = (Vec::new(), Vec::new());
        for (at, (minor, status)) in self.minors.iter().zip(&row.statuses).enumerate() {
            match status {
                Some(status) => {
                    let title = format!("{minor}: {}", status.as_str());
                    past.push(self.bar(at, Mark::status(*status).class, title));
                }
                None => without.push(self.x(at) + COLUMN / 2 - 3),
            }
        }
        let then = row.verdict.then.iter().take(self.reviews.len());
        let then = then.enumerate().filter_map(|(at, (minor, standing))| {
            let class = match standing {
                Standing::Conformant => "good",
                Standing::PartiallyConformant => "part",
                Standing::Disputed | Standing::NotCurrent => return None,
            };
            let title = format!(
                "{minor} review: {} if nothing is submitted",
                standing.words()
            );
            Some(self.bar(self.minors.len() + at, class, title))
        });
        Bars {
            then: then.collect(),
            words: self.words(row),
            past,
            without,
        }
    }

    fn words(&self, row: &TimelineRow<'_, '_>) -> String {
        let minors = self.minors.iter().zip(&row.statuses);
        let reported: Vec<(&Minor, Status)> = minors
            .filter_map(|(minor, status)| Some((minor, (*status)?)))
            .collect();
        let runs = reported.chunk_by(|(_, a), (_, b)| a == b);
        let runs = runs.filter_map(|run| {
            let ((first, status), (last, _)) = (run.first()?, run.last()?);
            Some(match first == last {
                true => format!("{first} {}", status.as_str()),
                false => format!("{first} to {last} {}", status.as_str()),
            })
        });
        runs.collect::<Vec<_>>().join("; ")
    }
}
