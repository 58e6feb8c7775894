import { type Colour, mix, reach, textOn } from "../../base/picture/colour.ts";
import type { Theme } from "../settings/index.ts";

/** The colors of a page, by the names that its style sheet gives them. */
export interface Palette {
  /** The page background; `lamp` is the glow behind the card. */
  readonly paper: Colour;
  readonly lamp: Colour;
  readonly card: Colour;
  readonly field: Colour;
  readonly tint: Colour;
  readonly "error-tint": Colour;
  readonly notice: Colour;
  readonly "success-tint": Colour;
  readonly ink: Colour;
  readonly muted: Colour;
  readonly link: Colour;
  readonly error: Colour;
  readonly success: Colour;
  readonly line: Colour;
  readonly control: Colour;
  readonly focus: Colour;
  readonly primary: Colour;
  readonly "primary-hover": Colour;
  readonly "on-primary": Colour;
  readonly door: Colour;
  readonly "on-door": Colour;
  readonly light: Colour;
}

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for outlines and what has to be seen. */
const text = 4.5;
const shape = 3;
// Backgrounds keep a little more contrast to black or white than text needs, so that text colors can be adjusted.
const ground = 4.6;

const black = "#000000";
const white = "#ffffff";
// The light that shines out of the door, and warnings that are not errors.
const amber = "#f0bb4f";
const green = "#1c7a3e";

/**
 * Derives all colors of a page from the four of a theme. A chosen color is used unchanged if it is readable,
 * otherwise it is darkened or lightened as little as necessary: for any four colors, every pair of foreground and
 * background is readable.
 */
export function paletteOf({ primaryColor, backgroundColor: paper, warnColor, fontColor }: Theme): Palette {
  // Foreground colors are adjusted towards this end of the scale, backgrounds towards the other.
  const end = textOn(paper);
  const isLight = end === black;
  const asGround = (colour: Colour): Colour => reach(colour, isLight ? white : black, [end], ground);
  const lamp = asGround(mix(paper, white, isLight ? 0.8 : 0.08));
  const card = asGround(mix(paper, white, isLight ? 0.85 : 0.06));
  const field = asGround(isLight ? mix(paper, white, 0.95) : mix(paper, black, 0.15));
  const tint = asGround(mix(card, primaryColor, 0.08));
  const errorTint = asGround(mix(card, warnColor, 0.1));
  const notice = asGround(mix(card, amber, 0.15));
  const successTint = asGround(mix(card, green, 0.1));
  const behind = [paper, lamp, card];
  const ink = reach(fontColor, end, [...behind, field, tint, errorTint, notice, successTint], text);
  const primary = reach(primaryColor, end, behind, shape);
  const onPrimary = textOn(primary);
  const hover = mix(primary, onPrimary === white ? black : white, 0.15);
  return {
    paper,
    lamp,
    card,
    field,
    tint,
    "error-tint": errorTint,
    notice,
    "success-tint": successTint,
    ink,
    muted: reach(mix(ink, card, 0.3), end, [...behind, field, tint], text),
    link: reach(primaryColor, end, [...behind, field, tint], text),
    error: reach(warnColor, end, [...behind, field, errorTint], text),
    success: reach(green, end, [...behind, field, successTint], text),
    line: mix(card, ink, 0.14),
    control: reach(mix(card, ink, 0.45), end, [...behind, field], shape),
    focus: reach(mix(amber, end, 0.2), end, [...behind, field], shape),
    primary,
    "primary-hover": hover,
    "on-primary": onPrimary,
    door: primary,
    "on-door": onPrimary,
    light: amber,
  };
}
