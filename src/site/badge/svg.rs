use super::Badge;
use super::width::{FONT_SIZE, width};
use gwconform_base::text::escape::html;

/// Background color of the label, the same for all verdicts.
pub const LABEL_COLOUR: &str = "#373e47";

/// Image height in pixels.
const HEIGHT: u32 = 20;

/// Padding in pixels, at the outer edges and between label and message.
const OUTSIDE: u32 = 6;
const INSIDE: u32 = 5;

/// Width and height in pixels.
pub fn size(badge: &Badge) -> (u32, u32) {
    let (label, message) = badge.texts();
    let texts = pixels(&label) + pixels(&message);
    (texts + 2 * (OUTSIDE + INSIDE), HEIGHT)
}

/// Renders an SVG document without IDs, so one page can inline several badges. It loads no
/// resources and runs no code.
pub fn svg(badge: &Badge) -> String {
    let (label, message) = badge.texts();
    let (label_width, message_width) = (pixels(&label), pixels(&message));
    let left = OUTSIDE + label_width + INSIDE;
    let right = INSIDE + message_width + OUTSIDE;
    let (all, label_start, message_start) = (left + right, OUTSIDE, left + INSIDE);
    // Label and message have separate paths, each with two rounded corners.
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

fn pixels(text: &str) -> u32 {
    width(text).ceil() as u32
}

/// Renders a text element. `textLength` makes the width independent of installed fonts.
fn text(text: &str, start: u32, width: u32) -> String {
    if width == 0 {
        return String::new();
    }
    let middle = f64::from(start) + f64::from(width) / 2.0;
    // Above U+00FF, the width is an estimate. Stretch the glyphs instead of the spaces, because
    // some scripts join letters.
    let is_guess = text.chars().any(|c| c > '\u{FF}');
    let adjusted = if is_guess {
        " lengthAdjust=\"spacingAndGlyphs\""
    } else {
        ""
    };
    let escaped = html(text);
    format!("<text x=\"{middle}\" y=\"14\" textLength=\"{width}\"{adjusted}>{escaped}</text>")
}
