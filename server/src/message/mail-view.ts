import { formatOfFont } from "../domain/branding/index.ts";
import { attributes, type Html, html, toHref } from "../html/index.ts";
import { directionOf } from "../text/index.ts";
import { type Branding, neutralBranding, safePalette } from "./branding.ts";
import type { Mail } from "./mail.ts";

/**
 * Renders a mail as HTML: no tables, no scripts, no images except the logo, all styles in one style sheet. A mail
 * program that ignores it shows the same text in the same order. With `isStill` it is only to be looked at.
 */
export function mailView(
  mail: Mail,
  branding: Branding,
  { isStill = false }: { readonly isStill?: boolean } = {},
): Html {
  const { language, subject, preHeader, title, greeting, text, code, footer, account } = mail;
  const languageAttributes = { lang: language, dir: directionOf(language) };
  return html`<!doctype html>
<html${attributes(languageAttributes)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
${style(branding)}
</head>
<body${attributes({ inert: isStill })}>
${preHeader !== "" && html`<div class="preheader">${preHeader}</div>\n`}<div class="mail"${attributes(languageAttributes)}>
${logo(branding)}${title !== "" && html`<h1>${title}</h1>\n`}${paragraphs(greeting)}${paragraphs(text)}${code !== undefined && html`<p class="code"><bdi>${code}</bdi></p>\n`}${button(mail)}${footer !== "" && html`<div class="footer">\n${paragraphs(footer)}</div>\n`}${account !== undefined && html`<p class="account">${account}</p>\n`}</div>
</body>
</html>
`;
}

// An empty line begins a paragraph, and a line break stays one, as the author of the text saw them.
const paragraphs = (words: string): Html =>
  html`${words
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map(
      (paragraph) =>
        html`<p>${paragraph.split(/\r?\n/).map((line, index) => (index === 0 ? line : html`<br>${line}`))}</p>\n`,
    )}`;

// The address is also shown as text: users are told to check where a link leads before they follow it.
function button({ button: given }: Mail): Html | false {
  const address = given && toHref(given.link);
  if (given === undefined || address === undefined) return false;
  return html`<p><a class="button" href="${address}">${given.text}</a></p>
${given.text !== given.link && html`<p class="address">${given.link}</p>\n`}`;
}

function logo({ logo: given }: Branding): Html | false {
  const address = given && toHref(given.url);
  if (given === undefined || address === undefined || !address.startsWith("https://")) return false;
  return html`<p><img class="logo" src="${address}" alt="${given.alternative}"></p>\n`;
}

// An address of ours: it contains nothing that could end the string.
const hasFont = ({ font = "" }: Branding): boolean =>
  /^https:\/\/[\w.:-]+\/branding\/[\w-]+\.(?:woff2|ttf|otf)$/.test(font);

const fontFace = (branding: Branding): Html | false =>
  hasFont(branding) &&
  html`@font-face { font-family: Brand; src: url(${branding.font}) format(${formatOfFont(branding.font ?? "")}); }
`;

function style(branding: Branding): Html {
  const light = safePalette(branding.light, neutralBranding.light);
  const dark = safePalette(branding.dark, neutralBranding.dark);
  return html`<style>
${fontFace(branding)}body { margin: 0; padding: 24px 12px; background: ${light.background}; color: ${light.text}; font: 16px/1.5 ${hasFont(branding) && "Brand, "}system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.preheader { display: none; }
.mail { max-width: 544px; margin: 0 auto; padding: 24px; border: 1px solid rgba(128, 128, 128, 0.35); border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
.logo { max-width: 200px; max-height: 64px; border: 0; }
.code { padding: 12px; border: 1px solid rgba(128, 128, 128, 0.35); border-radius: 8px; font: 600 22px/1.3 ui-monospace, "SF Mono", Consolas, monospace; letter-spacing: 2px; text-align: center; }
.button { display: inline-block; padding: 12px 20px; border-radius: 8px; background: ${light.primary}; color: ${light.onPrimary}; font-weight: 600; text-decoration: none; }
.address, .footer, .account { font-size: 14px; color: ${light.muted}; }
.footer p { margin: 0; }
.account { margin: 16px 0 0; }
@media (prefers-color-scheme: dark) {
  body { background: ${dark.background}; color: ${dark.text}; }
  .button { background: ${dark.primary}; color: ${dark.onPrimary}; }
  .address, .footer, .account { color: ${dark.muted}; }
}
</style>`;
}
