import type { MethodReference, ServiceReference } from "../../api/index.ts";
import { type Html, html, link, type PageContext } from "../../html/index.ts";
import { docsHref, docsPage, lastPart } from "./frame.ts";
import { overview } from "./method-view.ts";
import { badge, inEnglish, prose, withCode } from "./prose.ts";

/** Renders a service: its purpose, and its methods. */
export const docsServicePage = (context: PageContext, service: ServiceReference): Html =>
  docsPage(context, {
    title: lastPart(service.name),
    above: [overview(context)],
    body: html`<p><code>${service.name}</code></p>
${prose(context, service.text)}
<p class="hint">${context.say("docs.built", { built: service.builtCount, all: service.methodCount })}</p>
<section class="stack"><h2>${context.say("docs.methods")}</h2>
<ul class="plain entries">${service.methods.map((method) => entry(context, service.name, method))}</ul></section>`,
  });

const entry = (context: PageContext, service: string, method: MethodReference): Html =>
  html`<li id="${method.name}">${link(docsHref(service, method.name), method.name)}${!method.isBuilt && badge(context.say("docs.unimplemented"), true)}${
    method.isDeprecated && badge(context.say("docs.deprecated"), true)
  }
${addressesOf(service, method).map((address) => html`<p><code>${address}</code></p>`)}
<p${inEnglish(context)}>${withCode(method.text.split("\n\n", 1)[0] ?? "")}</p>
<p class="hint"${inEnglish(context)}>${withCode(method.accessText)}</p></li>`;

const addressesOf = (service: string, { name, routes }: MethodReference): readonly string[] =>
  routes.length === 0 ? [`POST /${service}/${name}`] : routes.map(({ verb, path }) => `${verb} ${path}`);
