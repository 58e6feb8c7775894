import type { MethodDocument, MethodReference } from "../../api/index.ts";
import { buttonLink, codeBlock, codeChoice, type Html, href, html, link, type PageContext } from "../../html/index.ts";
import { docsHref, guideHref, overviewHref, serviceTitle } from "./addresses.ts";
import { errorList, type ShownError } from "./errors-view.ts";
import { type DocsFrame, docsPage } from "./frame.ts";
import { badge, prose, withCode } from "./prose.ts";
import { samplesOf } from "./samples/samples.ts";
import { fieldList, typeSection } from "./types-view.ts";

export interface DocsMethodModel extends MethodDocument {
  readonly origin: string;
  readonly errors: readonly ShownError[];
  /** Whether the console is there, which calls methods for the reader. */
  readonly hasConsole: boolean;
}

/** Renders a method: its permissions, input, output and errors, and examples of both. */
export function docsMethodPage(context: PageContext, frame: DocsFrame, model: DocsMethodModel): Html {
  const { service, method, types, errors } = model;
  const elsewhere = Object.values(types).filter(({ name }) => name !== method.request && name !== method.response);
  return docsPage(context, frame, {
    title: method.name,
    above: [
      { label: "API reference", href: overviewHref },
      { label: serviceTitle(service.name), href: docsHref(service.name) },
    ],
    body: html`${marks(method)}${prose(method.text)}
<section class="panel stack"><dl>
<div><dt>Who may call</dt><dd>${withCode(method.accessText)}</dd></div>
${method.routes.length > 0 && html`<div><dt>REST</dt>${method.routes.map(({ verb, path }) => html`<dd><code><b>${verb}</b> ${path}</code></dd>`)}</div>`}
<div><dt>gRPC, gRPC-Web, Connect</dt><dd><code>/${service.name}/${method.name}</code></dd></div>
</dl></section>
<section class="stack"><h2 id="request">Request</h2>${fieldList(types, method.request)}</section>
<section class="stack"><h2 id="answer">Answer</h2>
${method.routes.length > 0 && html`<p class="hint">REST answers with status ${method.successStatus}.</p>`}
${fieldList(types, method.response)}</section>
<section class="stack"><h2 id="errors">Errors</h2>
<p>${errors.length === 0 ? "It has none of its own." : "What this method can be refused with."} ${link(guideHref("errors"), "Errors of any method")}</p>
${errors.length > 0 && errorList(errors)}</section>
${elsewhere.length > 0 && html`<section class="stack"><h2 id="types">Types</h2>${elsewhere.map((type) => typeSection(types, type))}</section>`}`,
    aside: examples(model),
  });
}

function examples({ origin, service, method, hasConsole }: DocsMethodModel): Html {
  const { verb, path, headers, body } = method.example;
  const call = { verb, url: origin + path, headers, json: body };
  const tried = new URLSearchParams({ method: `${service.name}/${method.name}` });
  return html`<section class="stack"><h2>Example request</h2>
${codeChoice("Example request", samplesOf(call))}
${
  hasConsole &&
  method.isBuilt &&
  html`<p>${buttonLink(href(`/ui/console/tools/request?${tried.toString()}`), "Try it in the console", "secondary")}</p>`
}</section>
<section class="stack"><h2>Example answer</h2>
${codeBlock({ label: "Example answer", code: JSON.stringify(method.answer, undefined, 2) })}</section>`;
}

const marks = ({ isBuilt, isDeprecated }: MethodReference): Html | false =>
  (!isBuilt || isDeprecated) &&
  html`<p>${!isBuilt && badge("not implemented yet", true)}${isDeprecated && badge("deprecated", true)}</p>`;
