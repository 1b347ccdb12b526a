//! A badge as a picture.

use super::Badge;
use super::width::{FONT_SIZE, width};
use crate::text::escape::html;

/// The colour behind the label.
pub const LABEL_COLOUR: &str = "#373e47";

/// Its height, in pixels.
const HEIGHT: u32 = 20;

/// Space beside a text, in pixels: outside, and where the two meet.
const OUTSIDE: u32 = 6;
const INSIDE: u32 = 5;

/// Width and height of a badge, in pixels.
pub fn size(badge: &Badge) -> (u32, u32) {
    let (label, message) = badge.texts();
    let texts = pixels(&label) + pixels(&message);
    (texts + 2 * (OUTSIDE + INSIDE), HEIGHT)
}

/// A badge as an SVG document of one line, 20 pixels high. It has no ids, so that several may
/// be in one page, and nothing in it is loaded or run.
pub fn svg(badge: &Badge) -> String {
    let (label, message) = badge.texts();
    let (label_width, message_width) = (pixels(&label), pixels(&message));
    let left = OUTSIDE + label_width + INSIDE;
    let right = INSIDE + message_width + OUTSIDE;
    let (all, label_start, message_start) = (left + right, OUTSIDE, left + INSIDE);
    // Each half is a shape of its own with two round corners.
    let (to_corner, from_corner) = (left - 3, right - 3);
    let name = html(&badge.name());
    let colour = badge.colour.hex();
    let label = text(&label, label_start, label_width);
    let message = text(&message, message_start, message_width);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {all} {HEIGHT}\" role=\"img\" aria-label=\"{name}\"><title>{name}</title>\
         <path fill=\"{LABEL_COLOUR}\" d=\"M3 0h{to_corner}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z\"/>\
         <path fill=\"{colour}\" d=\"M{left} 0h{from_corner}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{left}z\"/>\
         <g fill=\"#fff\" font-family=\"Verdana,Geneva,DejaVu Sans,sans-serif\" \
         font-size=\"{FONT_SIZE}\" text-anchor=\"middle\" text-rendering=\"geometricPrecision\">\
         {label}{message}</g></svg>\n"
    )
}

/// The width that a text is given: whole pixels, so that it begins on one.
fn pixels(text: &str) -> u32 {
    width(text).ceil() as u32
}

/// A text of exactly that width, whatever font draws it.
fn text(text: &str, start: u32, width: u32) -> String {
    if width == 0 {
        return String::new();
    }
    let middle = f64::from(start) + f64::from(width) / 2.0;
    // The width of other scripts is a guess: their letters are stretched or pressed to it, not moved
    // apart, as some join.
    let is_guess = text.chars().any(|c| c > '\u{FF}');
    let adjusted = if is_guess {
        " lengthAdjust=\"spacingAndGlyphs\""
    } else {
        ""
    };
    let escaped = html(text);
    format!("<text x=\"{middle}\" y=\"14\" textLength=\"{width}\"{adjusted}>{escaped}</text>")
}
