import type { MethodReference, ServiceReference } from "../../api/index.ts";
import { type Href, type Html, href, html, type PageContext } from "../../html/index.ts";
import { curlOf } from "./curl.ts";
import { docsHref, docsPage, docsPath, lastPart } from "./frame.ts";
import { badge, inEnglish, prose, withCode } from "./prose.ts";
import { fieldList, reachableTypes, typeSection } from "./types-view.ts";

export interface DocsMethodModel {
  readonly origin: string;
  readonly service: ServiceReference;
  readonly method: MethodReference;
}

/** The page above every other page. */
export const overview = (context: PageContext): { label: string; href: Href } => ({
  label: context.say("docs.title"),
  href: href(docsPath),
});

/** Renders a method: its permissions, an example, its input and output. */
export function docsMethodPage(context: PageContext, { origin, service, method }: DocsMethodModel): Html {
  const { types } = service;
  const elsewhere = reachableTypes(types, [method.request, method.response]);
  return docsPage(context, {
    title: method.name,
    above: [overview(context), { label: lastPart(service.name), href: docsHref(service.name) }],
    body: html`${marks(context, method)}${prose(context, method.text)}
<section class="panel stack"><dl>
<div><dt>${context.say("docs.access")}</dt><dd${inEnglish(context)}>${withCode(method.accessText)}</dd></div>
${method.routes.length > 0 && html`<div><dt>REST</dt>${method.routes.map(({ verb, path }) => html`<dd><code><b>${verb}</b> ${path}</code></dd>`)}</div>`}
<div><dt>${context.say("docs.calls")}</dt><dd><code>/${service.name}/${method.name}</code></dd></div>
</dl></section>
<section class="stack"><h2>${context.say("docs.try")}</h2><p class="hint">${context.say("docs.try_text")}</p>
<pre><code>${curlOf(origin, method.example)}</code></pre></section>
<section class="stack"><h2>${context.say("docs.request")}</h2>${fieldList(context, types, method.request)}</section>
<section class="stack"><h2>${context.say("docs.response")}</h2>
${method.routes.length > 0 && html`<p class="hint">${context.say("docs.status", { status: method.successStatus })}</p>`}
${fieldList(context, types, method.response)}</section>
${elsewhere.length > 0 && html`<section class="stack"><h2>${context.say("docs.types")}</h2>${elsewhere.map((type) => typeSection(context, types, type))}</section>`}`,
  });
}

const marks = (context: PageContext, { isBuilt, isDeprecated }: MethodReference): Html | false =>
  (!isBuilt || isDeprecated) &&
  html`<p>${!isBuilt && badge(context.say("docs.unimplemented"), true)}${isDeprecated && badge(context.say("docs.deprecated"), true)}</p>`;
