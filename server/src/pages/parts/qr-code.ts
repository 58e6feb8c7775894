import { encode } from "uqr";
import { html, render } from "../../html/index.ts";

// ISO/IEC 18004 §9.1 requires a margin of four modules around the symbol.
const quietZone = 4;

/**
 * Returns a text as a QR code: the address of a drawing, black on white in every theme, because scanners expect that.
 */
export function qrCode(text: string): string {
  const { data, size } = encode(text, { ecc: "M", border: quietZone });
  const strokes = data.map(lineOf).join("");
  const drawing = html`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 -.5 ${size} ${size}' shape-rendering='crispEdges'><path fill='white' d='M0-.5h${size}v${size}H0z'/><path stroke='black' d='${strokes}'/></svg>`;
  return `data:image/svg+xml,${render(drawing).replaceAll("<", "%3C").replaceAll(">", "%3E")}`;
}

/** Returns the dark runs of one row as strokes. */
function lineOf(row: readonly boolean[], y: number): string {
  const strokes: string[] = [];
  for (let x = 0; x < row.length; x++) {
    const start = x;
    while (row[x] === true) x++;
    if (x > start) strokes.push(`M${start},${y}h${x - start}`);
  }
  return strokes.join("");
}
