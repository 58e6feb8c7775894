import { brandMark, colourHints, iconLinks } from "./brand.ts";
import type { LanguageLink, PageContext, ReturnTo } from "./context.ts";
import { form } from "./form.ts";
import { attributes, type Html, type HtmlValue, html } from "./html.ts";
import { supportLink } from "./support-links.ts";
import { given } from "./text.ts";

export interface Page {
  /** Title of the page, without the product's name. */
  readonly title: string;
  /** Whether there are errors to correct; the title says so first, because it is read out first. */
  readonly hasErrors?: boolean;
  /**
   * `wide` for pages to read, `narrow` for forms; those of the account and of the reference have a
   * navigation list beside them.
   */
  readonly width?: "narrow" | "wide" | "wide account" | "wide docs" | "wide setup";
  /** Style sheets of `login/assets` besides the common one. */
  readonly styles?: readonly string[];
  /** Browser modules of `login/assets`; everything works without them. */
  readonly scripts?: readonly string[];
  /** Stands beside the brand at the top. */
  readonly bar?: HtmlValue;
  readonly body: HtmlValue;
}

/**
 * Renders a whole document around a body. Browsers paint it only when it is complete (HTML §4.6.7.6, rel=expect): the
 * layout is centered, and would move while the page loads in parts. The end is a separate element, because Chromium
 * waits only for the start tag of the expected element.
 */
export function page(
  context: PageContext,
  { title, hasErrors = false, width = "narrow", styles = [], scripts = [], bar, body }: Page,
): Html {
  const { brand } = context;
  const shown = hasErrors ? context.say("page.error_title", { title }) : title;
  return html`<!doctype html>
<html${attributes({ lang: context.language, dir: context.direction })}>
<head>
<meta charset="utf-8">
${context.languageLinks.length > 0 && html`<meta name="robots" content="nofollow">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
${colourHints(brand)}
<title>${shown} – ${brand.hasWatermark ? "Doorward" : brand.name}</title>
${iconLinks(brand, context.asset("favicon.svg"))}
${["login.css", ...styles].map((name) => html`<link rel="stylesheet" href="${context.asset(name)}">\n`)}${brand.styleHref !== undefined && html`<link rel="stylesheet" href="${brand.styleHref}">\n`}${(context.isStill ? [] : scripts).map((name) => html`<script type="module" src="${context.asset(name)}"></script>\n`)}<link rel="expect" href="#end" blocking="render">
</head>
<body class="${width}"${attributes({ "data-font": brand.hasBuiltInFont === true && "built-in", inert: context.isStill })}>
<a class="skip" href="#main">${context.say("page.skip")}</a>
<header>${brandMark(brand)}${bar}</header>
<main id="main">
${body}
${context.returnTo !== undefined && returnForm(context, context.returnTo)}
</main>
<footer>${footer(context)}</footer>
<template id="end"></template>
</body>
</html>
`;
}

// RFC 6749 §4.1.2.1: the user may always decide not to sign in.
const returnForm = (context: PageContext, { client, action }: ReturnTo): Html =>
  form(context, {
    action,
    submit: { kind: "quiet", label: html`<span>${context.sayHtml("error.return", { client: given(client) })}</span>` },
  });

function footer(context: PageContext): Html {
  const others = context.languageLinks.filter(({ language }) => language !== context.language);
  // Without end tags, which are optional (HTML §13.1.2.4): every page has all of them.
  const link = ({ language, href }: LanguageLink): Html => {
    const its = attributes({ lang: language, hreflang: language });
    return html`<li><a href="${href}"${its}>${context.nameOf(language)}</a>`;
  };
  return html`${
    others.length > 0 &&
    html`<details class="languages"><summary><span class="visually-hidden">${context.say("page.language")} </span>${context.nameOf(context.language)}</summary>
<ul>${others.map(link)}</ul></details>`
  }
${context.supportLinks.map((each) => html`${supportLink(context, each)}\n`)}${context.brand.logo !== undefined && context.brand.hasWatermark && html`\n<span>Doorward</span>`}`;
}
