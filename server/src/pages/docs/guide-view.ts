import { codeBlock, codeChoice, type Html, html, type PageContext } from "../../html/index.ts";
import { overviewHref } from "./addresses.ts";
import { type DocsFrame, docsPage } from "./frame.ts";
import type { Guide, GuideRow, GuideSection } from "./guides/guide.ts";
import { partNames } from "./guides/guides.ts";
import { badge, withCode } from "./prose.ts";
import { samplesOf } from "./samples/samples.ts";

/** Renders a guide. */
export const docsGuidePage = (context: PageContext, frame: DocsFrame, guide: Guide, origin: string): Html =>
  docsPage(context, frame, {
    title: guide.title,
    above: [{ label: "API reference", href: overviewHref }],
    body: html`${guide.part !== "start" && html`<p class="muted">${partNames[guide.part]}</p>`}${
      guide.address !== undefined && html`<p class="address"><code>${addressOf(guide.address, origin)}</code></p>`
    }
<p>${withCode(guide.lead)}</p>
${guide.sections.map((section) => sectionView(section, origin))}`,
  });

const addressOf = (address: string, origin: string): Html => {
  const [verbs = "", path = ""] = address.split(" /", 2);
  return html`<b>${verbs}</b> ${origin}/${path}`;
};

const sectionView = ({ title, text = [], rows = [], call, answer }: GuideSection, origin: string): Html =>
  html`<section class="stack"><h2>${title}</h2>${text.map((paragraph) => html`<p>${withCode(paragraph)}</p>`)}
${rows.length > 0 && html`<dl class="fields">${rows.map(rowView)}</dl>`}
${call !== undefined && codeChoice(title, samplesOf({ ...call, url: origin + call.path }))}
${answer !== undefined && codeBlock({ label: `Example answer: ${title}`, code: codeOf(answer, origin) })}</section>`;

// Example answers name another host than this one: they were not asked here.
const codeOf = (answer: string | object, origin: string): string =>
  typeof answer === "string"
    ? answer.replace(/^\//, `${origin}/`).replace("$ISSUER", origin)
    : JSON.stringify(answer, undefined, 2);

const rowView = ([name, text, mark]: GuideRow): Html =>
  html`<div><dt>${html`${name.split(", ").map((one, index) => html`${index > 0 && ", "}<code>${one}</code>`)}`}${
    mark !== undefined && badge(mark)
  }</dt><dd>${withCode(text)}</dd></div>`;
