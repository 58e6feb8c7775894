import type { ServiceSummary } from "../../api/index.ts";
import { type Html, href, html, link, type PageContext } from "../../html/index.ts";
import { docsHref, docsPage, docsPath, lastPart } from "./frame.ts";
import { inEnglish, withCode } from "./prose.ts";

export interface DocsIndexModel {
  readonly origin: string;
  readonly services: readonly ServiceSummary[];
}

/** Renders the entry page: how to call, and the list of services. */
export function docsIndexPage(context: PageContext, { origin, services }: DocsIndexModel): Html {
  const isOlder = ({ name }: ServiceSummary): boolean => name.includes(".v1.");
  const code = (text: string): Html => html`<code>${text}</code>`;
  const scope = code("urn:service:iam:org:project:id:service:aud");
  return docsPage(context, {
    title: context.say("docs.title"),
    body: html`<p>${context.say("docs.text")}</p>
<section class="panel stack"><dl>
<div><dt>${context.say("docs.base_url")}</dt><dd>${code(origin)}</dd></div>
<div><dt>${context.say("docs.authentication")}</dt><dd>${context.sayHtml("docs.authentication_text", { header: code("authorization"), scope })}</dd></div>
<div><dt>${context.say("docs.errors")}</dt><dd>${context.sayHtml("docs.errors_text", { example: code("user.not_found") })}</dd></div>
<div><dt>${context.say("docs.machine_readable")}</dt><dd>${link(href(`${docsPath}/openapi.json`), context.say("docs.openapi"))}. ${context.say("docs.reflection")}</dd></div>
</dl></section>
${serviceList(
  context,
  context.say("docs.current"),
  services.filter((service) => !isOlder(service)),
)}
${serviceList(context, context.say("docs.older"), services.filter(isOlder))}`,
  });
}

const serviceList = (context: PageContext, title: string, services: readonly ServiceSummary[]): Html =>
  html`<section class="stack"><h2>${title}</h2>
<ul class="plain entries">${services.map((service) => entry(context, service))}</ul></section>`;

const entry = (context: PageContext, { name, text, builtCount, methodCount }: ServiceSummary): Html =>
  html`<li>${link(docsHref(name), lastPart(name))} <code class="muted">${name}</code>
<p${inEnglish(context)}>${withCode(text.split("\n\n", 1)[0] ?? "")}</p>
<p class="hint">${context.say("docs.built", { built: builtCount, all: methodCount })}</p></li>`;
