import { directionOf } from "../../text/index.ts";
import { brandMark, colourHints, iconLinks } from "./brand.ts";
import type { LanguageLink, PageContext } from "./context.ts";
import { attributes, type Html, type HtmlValue, html } from "./html.ts";
import { supportLink } from "./support-links.ts";

export interface Page {
  /** What the page is, without the product's name. */
  readonly title: string;
  /** Whether something has to be mended; the title says so first, because it is what is read out first. */
  readonly hasErrors?: boolean;
  /** `wide` for pages that are read, `narrow` for pages that ask; those of the account stand beside a list of their likes. */
  readonly width?: "narrow" | "wide" | "wide account";
  /** Style sheets of `login/assets` besides the common one. */
  readonly styles?: readonly string[];
  /** Browser modules of `login/assets`; everything works without them. */
  readonly scripts?: readonly string[];
  readonly body: HtmlValue;
}

/**
 * A whole document around a body. It is painted when it is there to its end (HTML §4.6.7.6, rel=expect): what stands at its foot is centred, and
 * would move where it comes in pieces. The end is an element of its own, because Chromium waits for the beginning of what is expected.
 */
export function page(
  context: PageContext,
  { title, hasErrors = false, width = "narrow", styles = [], scripts = [], body }: Page,
): Html {
  const { brand } = context;
  const shown = hasErrors ? context.say("page.error_title", { title }) : title;
  return html`<!doctype html>
<html${attributes({ lang: context.language, dir: context.direction })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${colourHints(brand)}
<title>${shown} – ${brand.hasWatermark ? "Doorward" : brand.name}</title>
${iconLinks(brand, context.asset("favicon.svg"))}
${["login.css", ...styles].map((name) => html`<link rel="stylesheet" href="${context.asset(name)}">\n`)}${brand.styleHref !== undefined && html`<link rel="stylesheet" href="${brand.styleHref}">\n`}${scripts.map((name) => html`<script type="module" src="${context.asset(name)}"></script>\n`)}<link rel="expect" href="#end" blocking="render">
</head>
<body class="${width}">
<a class="skip" href="#main">${context.say("page.skip")}</a>
<header>${brandMark(brand)}</header>
<main id="main">
${body}
</main>
<footer>${footer(context)}</footer>
<template id="end"></template>
</body>
</html>
`;
}

function footer(context: PageContext): Html {
  const others = context.languageLinks.filter(({ language }) => language !== context.language);
  const link = ({ language, href }: LanguageLink): Html => {
    const its = attributes({ lang: language, dir: directionOf(language), hreflang: language });
    return html`<li><a href="${href}" rel="nofollow"${its}>${context.nameOf(language)}</a></li>`;
  };
  return html`${
    others.length > 0 &&
    html`<details class="languages"><summary><span class="visually-hidden">${context.say("page.language")} </span>${context.nameOf(context.language)}</summary>
<ul>${others.map(link)}</ul></details>`
  }
${context.supportLinks.map((each) => html`${supportLink(context, each)}\n`)}${context.brand.logo !== undefined && context.brand.hasWatermark && html`\n<span>Doorward</span>`}`;
}
