import type { Pair } from "../domain/branding/index.ts";
import type { PageBrand } from "./context.ts";
import type { Href } from "./href.ts";
import { type Html, html } from "./html.ts";
import { given } from "./text.ts";

/**
 * The product's mark and name: an arched door, ajar, with the light on. Inline, so that it takes the colors of the
 * theme.
 */
const wordmark = (): Html =>
  html`<svg class="wordmark" role="img" aria-label="Doorward" viewBox="0 0 160 34" width="160" height="34">
<g transform="translate(0 1)"><path class="door" d="M1 32V14a12.5 12.5 0 0 1 25 0v18z"/><path class="light" d="M13.5 7.5A6.5 6.5 0 0 1 20 14v18h-6.5z"/><circle class="light" cx="9.8" cy="20" r="1.6"/></g>
<path class="letters" d="M42.2 9.2v16.6h5a8.3 8.3 0 0 0 0-16.6zM89.2 27V14m0 6.5c0-3.4 2-5.3 5.3-5.3M97 14l4.2 11.2 4.4-10.7 4.4 10.7L114.2 14m13.1 0v13m6.3 0V14m0 6.5c0-3.4 2-5.3 5.3-5.3M152.5 7v20"/><g class="letters"><circle cx="65" cy="20.5" r="5.3"/><circle cx="79.6" cy="20.5" r="5.3"/><circle cx="122" cy="20.5" r="5.3"/><circle cx="147.2" cy="20.5" r="5.3"/></g>
</svg>`;

/** Renders the brand: the logo, otherwise the product's mark, otherwise the name. */
export function brandMark({ logo, hasWatermark, name }: PageBrand): Html {
  if (logo !== undefined) return picture(logo, name);
  return hasWatermark ? wordmark() : html`<p class="owner">${given(name)}</p>`;
}

// Screen readers get the name, which is what the picture shows.
const picture = ({ light, dark }: Pair, name: string): Html =>
  light === dark
    ? html`<img class="logo" src="${light}" alt="${name}">`
    : html`<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img class="logo" src="${light}" alt="${name}"></picture>`;

/** Links the icon of the browser's tab, for each theme. */
export function iconLinks({ icon }: PageBrand, own: Href): Html {
  if (icon === undefined) return html`<link rel="icon" type="image/svg+xml" href="${own}">`;
  if (icon.light === icon.dark) return html`<link rel="icon" href="${icon.light}">`;
  return html`<link rel="icon" href="${icon.light}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${icon.dark}" media="(prefers-color-scheme: dark)">`;
}

/** Tells the browser the colors before the style sheet has loaded. */
export function colourHints({ themeMode, palettes: { light, dark } }: PageBrand): Html {
  if (themeMode !== "auto") {
    const { paper } = themeMode === "light" ? light : dark;
    return html`<meta name="color-scheme" content="${themeMode}">
<meta name="theme-color" content="${paper}">`;
  }
  return html`<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}">`;
}
