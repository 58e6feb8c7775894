import type { ServiceSummary } from "../../api/index.ts";
import { codeChoice, type Html, href, html, link, type PageContext } from "../../html/index.ts";
import { docsHref, docsPath, guideHref, lastPart, serviceTitle } from "./addresses.ts";
import { type DocsFrame, docsPage } from "./frame.ts";
import type { GuidePart } from "./guides/guide.ts";
import { guides, partNames } from "./guides/guides.ts";
import { isOlder } from "./navigation.ts";
import { withCode } from "./prose.ts";
import { samplesOf } from "./samples/samples.ts";

export interface DocsIndexModel {
  readonly origin: string;
  readonly services: readonly ServiceSummary[];
}

/** Renders the entry page: how to begin, the endpoints, and the list of services. */
export function docsIndexPage(context: PageContext, frame: DocsFrame, { origin, services }: DocsIndexModel): Html {
  const call = {
    verb: "POST",
    url: `${origin}/v2/users`,
    headers: { authorization: "Bearer $DOORWARD_TOKEN" },
    json: { pagination: { limit: 20 } },
  };
  return docsPage(context, frame, {
    title: "API reference",
    body: html`<p>Everything that Doorward does, as calls: the protocols by which applications sign users in, and the API by which everything is managed.</p>
<section class="panel stack"><dl>
<div><dt>Base URL, and issuer</dt><dd><code>${origin}</code></dd></div>
<div><dt>Authentication</dt><dd>${link(guideHref("token"), "Get a token")}, and send it as Bearer in the header <code>authorization</code>.</dd></div>
<div><dt>Errors</dt><dd>Each has an id that never changes, such as <code>user.not_found</code>: ${link(guideHref("errors"), "Errors")}.</dd></div>
<div><dt>For programs</dt><dd>${link(href(`${docsPath}/openapi.json`), "OpenAPI 3.1 document")}. gRPC clients can discover the contract through server reflection.</dd></div>
</dl></section>
${guideList("start")}
<section class="stack"><h2>Services</h2><ul class="plain cards">${services.filter((one) => !isOlder(one)).map(card)}</ul></section>
<section class="stack"><h2>Older services (v1)</h2><ul class="plain cards">${services.filter(isOlder).map(card)}</ul></section>
${guideList("oauth")}
${guideList("saml")}`,
    aside: html`<h2>A first call</h2>${codeChoice("A first call", samplesOf(call))}`,
  });
}

const guideList = (part: GuidePart): Html =>
  html`<section class="stack"><h2>${partNames[part]}</h2><ul class="plain cards">${guides
    .filter((guide) => guide.part === part)
    .map(
      ({ name, title, address, lead }) =>
        html`<li>${link(guideHref(name), title)}${address !== undefined && html` <code class="muted">${address}</code>`}
<p>${withCode(firstSentence(lead))}</p></li>`,
    )}</ul></section>`;

const card = ({ name, text, methodCount, builtCount }: ServiceSummary): Html =>
  html`<li>${link(docsHref(name), serviceTitle(name))} <code class="muted">${lastPart(name)}</code>
<p>${withCode(firstSentence(text))}</p><p class="hint">${
    builtCount === methodCount ? `${methodCount} methods` : `${builtCount} of ${methodCount} methods`
  }</p></li>`;

/** Returns the first sentence of a text. */
const firstSentence = (text: string): string => /^[^\n]*?[.:](?=\s|$)/.exec(text)?.[0] ?? text.split("\n", 1)[0] ?? "";
