import type { MethodReference, ServiceReference } from "../../api/index.ts";
import { type Html, html, link, type PageContext } from "../../html/index.ts";
import { docsHref, overviewHref, serviceTitle } from "./addresses.ts";
import { type DocsFrame, docsPage } from "./frame.ts";
import { groupsOf, isOlder, spaced } from "./navigation.ts";
import { badge, prose, withCode } from "./prose.ts";

/** Renders a service: its purpose, and its methods. */
export const docsServicePage = (context: PageContext, frame: DocsFrame, service: ServiceReference): Html =>
  docsPage(context, frame, {
    title: serviceTitle(service.name),
    above: [{ label: "API reference", href: overviewHref }],
    body: html`<p><code>${service.name}</code></p>
${prose(service.text)}
${
  isOlder(service)
    ? groupsOf(service).map(({ resource, methods }) => methodList(service.name, resource, methods))
    : methodList(service.name, "Methods", service.methods)
}`,
  });

const methodList = (service: string, title: string, methods: readonly MethodReference[]): Html =>
  html`<section class="stack"><h2>${title}</h2>
<ul class="plain entries">${methods.map((method) => entry(service, method))}</ul></section>`;

const entry = (service: string, method: MethodReference): Html =>
  html`<li id="${method.name}">${link(docsHref(service, method.name), spaced(method.name))}${!method.isBuilt && badge("not implemented yet", true)}${
    method.isDeprecated && badge("deprecated", true)
  }
${addressesOf(service, method).map((address) => html`<p><code>${address}</code></p>`)}
<p>${withCode(method.text.split("\n\n", 1)[0] ?? "")}</p>
<p class="hint">${withCode(method.accessText)}</p></li>`;

const addressesOf = (service: string, { name, routes }: MethodReference): readonly string[] =>
  routes.length === 0 ? [`POST /${service}/${name}`] : routes.map(({ verb, path }) => `${verb} ${path}`);
