use unicode_width::UnicodeWidthChar;

/// Font size of badges in pixels.
pub const FONT_SIZE: f64 = 11.0;

/// Verdana widths for U+0020 to U+007E, in thousandths of the font size.
#[rustfmt::skip]
const ASCII: [u16; 95] = [
    352, 394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, // space to /
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 454, 454, 818, 818, 818, 545,  // 0 to ?
    1000, 684, 686, 698, 771, 632, 575, 775, 751, 421, 455, 693, 557, 843, 748, 787, // @ to O
    603, 787, 695, 684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 818, 636,  // P to _
    636, 601, 623, 521, 623, 596, 352, 623, 633, 274, 344, 592, 274, 973, 633, 607,  // ` to o
    623, 623, 427, 521, 394, 633, 592, 818, 592, 592, 525, 635, 454, 635, 818,       // p to ~
];

/// Verdana widths for U+00A0 to U+00FF, in thousandths of the font size.
#[rustfmt::skip]
const LATIN: [u16; 96] = [
    352, 394, 636, 636, 636, 636, 454, 636, 636, 1000, 545, 645, 818, 454, 1000, 636,
    542, 818, 542, 542, 636, 642, 636, 364, 636, 542, 545, 645, 1000, 1000, 1000, 545,
    684, 684, 684, 684, 684, 684, 984, 698, 632, 632, 632, 632, 421, 421, 421, 421,
    775, 748, 787, 787, 787, 787, 787, 818, 787, 732, 732, 732, 732, 615, 605, 620,
    601, 601, 601, 601, 601, 601, 955, 521, 596, 596, 596, 596, 274, 274, 274, 274,
    612, 633, 607, 607, 607, 607, 607, 818, 607, 633, 633, 633, 633, 592, 623, 592,
];

/// Width in pixels in Verdana at 11 px. Outside the tables, East Asian characters are one em wide,
/// emoji are wider, combining characters have no width, and other characters are as wide as a
/// digit.
pub fn width(text: &str) -> f64 {
    let thousandths: u64 = text.chars().map(|c| u64::from(thousandths(c))).sum();
    thousandths as f64 * FONT_SIZE / 1000.0
}

fn thousandths(c: char) -> u16 {
    let at = |first: char| (c as usize).checked_sub(first as usize);
    let known = at(' ')
        .and_then(|at| ASCII.get(at))
        .or_else(|| at('\u{A0}').and_then(|at| LATIN.get(at)));
    match (known, c.width().unwrap_or(0)) {
        (Some(width), _) => *width,
        (None, 0) => 0,
        (None, 1) => 640,
        (None, _) if ('\u{1F000}'..'\u{20000}').contains(&c) => 1250,
        (None, _) => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::width;

    #[test]
    fn widths_are_those_of_the_script() {
        let near = |text: &str, pixels: f64| {
            assert!(
                (width(text) - pixels).abs() < 0.01,
                "{text}: {}",
                width(text)
            );
        };
        near("", 0.0);
        near("i", 3.01);
        near("m", 10.70);
        near("~", 9.0);
        near("ÿ", 6.51);
        near("Æ", 10.82);
        near("\u{1}\u{7f}\u{9f}", 0.0);
        near("e\u{301}", width("é"));
        near("漢字", 22.0);
        near("한", 11.0);
        near("Ж", 7.04);
        near("😀", 13.75);
    }
}
