import type { ProviderKind } from "../domain/identity-provider/index.ts";
import { type Html, html } from "./html.ts";

/** Outlines on a grid of 24, drawn with the color of the text; a few are those of the console. */
const outlines = {
  passkey:
    "M9 11a4 4 0 100-8 4 4 0 000 8zM2 20c0-3.5 3-6 7-6 1.5 0 2.5.2 3.5.6M18 16a3 3 0 100-6 3 3 0 000 6zm0 0v6m0-2.5h2.5",
  key: "M15 9a5 5 0 10-4 4.9L13 16h2v2h2v2h4v-4l-6.2-6.2M9 8h.01",
  device: "M7 2h10v20H7zM11 18.5h2",
  message: "M4 5h16v11H9l-5 4zM8 10.5h.01M12 10.5h.01M16 10.5h.01",
  mail: "M3 5h18v14H3zm0 1.5l9 7 9-7",
  list: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  person: "M12 12a4.5 4.5 0 100-9 4.5 4.5 0 000 9zm-8 9c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zm-3 9l2 2 4-4",
  code: "M8 6l-6 6 6 6m8-12l6 6-6 6",
  directory: "M4 5h16v6H4zm0 8h16v6H4zm3-5h.01M7 16h.01",
  door: "M14 4h6v16h-6M3 12h11m-4-4l4 4-4 4",
  error: "M12 21a9 9 0 100-18 9 9 0 000 18zm0-13.5v5.5m0 3.5h.01",
  warning: "M12 3.5l9.5 17h-19zm0 6.5v4.5m0 3h.01",
  success: "M12 21a9 9 0 100-18 9 9 0 000 18zm-4-9l3 3 5-6",
  info: "M12 21a9 9 0 100-18 9 9 0 000 18zm0-10v5.5m0-9h.01",
  menu: "M4 6h16M4 12h16M4 18h16",
  home: "M3 11l9-8 9 8v10h-6v-6H9v6H3z",
  lock: "M5 11h14v10H5zm3 0V7a4 4 0 018 0v4m-4 4v2",
  screen: "M3 4h18v12H3zm6 16h6m-3-4v4",
  tiles: "M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h6v6h-6z",
  clock: "M12 21a9 9 0 100-18 9 9 0 000 18zm0-14v5l3.5 2",
  file: "M12 3v12m-5-5l5 5 5-5M4 20h16",
} as const;

export type IconName = keyof typeof outlines;

/** Renders a decoration beside words that say the same, hidden from screen readers. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" aria-hidden="true" viewBox="0 0 24 24"><path d="${outlines[name]}"/></svg>`;

/** Renders the words of a button after an icon. */
export const withIcon = (name: IconName, words: string): Html => html`${icon(name)}<span>${words}</span>`;

const octocat =
  "M12 .3a12 12 0 00-3.8 23.4c.6.1.8-.3.8-.6v-2c-3.3.7-4-1.6-4-1.6-.6-1.4-1.4-1.8-1.4-1.8-1.1-.7.1-.7.1-.7 1.2.1 1.9 1.2 1.9 1.2 1 1.8 2.8 1.3 3.5 1 .1-.8.4-1.3.7-1.6-2.7-.3-5.5-1.3-5.5-5.9 0-1.3.5-2.4 1.3-3.2-.2-.3-.6-1.5.1-3.2 0 0 1-.3 3.3 1.2a11.5 11.5 0 016 0c2.3-1.5 3.3-1.2 3.3-1.2.7 1.7.2 2.9.1 3.2.8.8 1.3 1.9 1.3 3.2 0 4.6-2.8 5.6-5.5 5.9.5.4.9 1 .9 2.2v3.3c0 .3.2.7.8.6A12 12 0 0012 .3";
const apple =
  "M12.2 6.9c-1 0-2.4-1.1-4-1-2 0-3.9 1.2-5 3-2.1 3.7-.5 9.1 1.6 12.1 1 1.5 2.2 3.1 3.8 3 1.5 0 2.1-1 3.9-1s2.4 1 4 .9c1.6 0 2.7-1.5 3.7-2.9a12 12 0 001.6-3.4c0 0-3.2-1.3-3.2-4.9 0-3 2.5-4.5 2.6-4.6-1.4-2-3.6-2.3-4.4-2.3-2-.2-3.7 1.1-4.6 1.1zm3.3-3.1c.9-1 1.4-2.4 1.3-3.8-1.2 0-2.7.8-3.5 1.8-.8.9-1.5 2.3-1.3 3.7 1.3.1 2.7-.7 3.5-1.7";

/**
 * The marks of providers whose servers are always the vendor's own, in its colors. Anyone can run a server of the other
 * kinds, and a mark would vouch for it.
 */
const marks: Readonly<Partial<Record<ProviderKind, readonly (readonly [path: string, color: string])[]>>> = {
  google: [
    ["M22.6 12.3c0-.8-.1-1.5-.2-2.3H12v4.3h5.9a5 5 0 01-2.2 3.3v2.8h3.6c2.1-1.9 3.3-4.8 3.3-8.1z", "#4285f4"],
    ["M12 23c3 0 5.5-1 7.3-2.7l-3.6-2.7a6.6 6.6 0 01-9.9-3.5H2.2v2.8A11 11 0 0012 23z", "#34a853"],
    ["M5.8 14.1a6.6 6.6 0 010-4.2V7.1H2.2a11 11 0 000 9.8z", "#fbbc05"],
    ["M12 5.4c1.6 0 3.1.6 4.2 1.6l3.2-3.1A11 11 0 002.2 7.1l3.6 2.8A6.6 6.6 0 0112 5.4z", "#ea4335"],
  ],
  azure_ad: [
    ["M2 2h9.5v9.5H2z", "#f25022"],
    ["M12.5 2H22v9.5h-9.5z", "#7fba00"],
    ["M2 12.5h9.5V22H2z", "#00a4ef"],
    ["M12.5 12.5H22V22h-9.5z", "#ffb900"],
  ],
  gitlab: [
    ["M12 21.4l3.7-11.3H8.3zM3.2 10.1h5.1L6.1 3.3a.4.4 0 00-.7 0zm17.6 0h-5.1l2.2-6.8a.4.4 0 01.7 0z", "#e24329"],
    ["M12 21.4L8.3 10.1H3.2zm0 0l3.7-11.3h5.1z", "#fc6d26"],
    ["M3.2 10.1L2 13.5a.8.8 0 00.3.9l9.7 7zm17.6 0l1.2 3.4a.8.8 0 01-.3.9l-9.7 7z", "#fca326"],
  ],
  github: [[octocat, "currentColor"]],
  apple: [[apple, "currentColor"]],
};

/** Renders the mark of a provider, or a general one where there is none or the page does not say which it is. */
export function providerIcon(kind: ProviderKind | undefined): Html {
  const mark = kind && marks[kind];
  if (mark === undefined) return icon(kind === "ldap" ? "directory" : "door");
  return html`<svg class="mark" aria-hidden="true" viewBox="0 0 24 24">${mark.map(
    ([path, color]) => html`<path fill="${color}" d="${path}"/>`,
  )}</svg>`;
}
