import type { MethodReference, ServiceOutline, ServiceSummary } from "../../api/index.ts";
import { type Html, html, navigationLink } from "../../html/index.ts";
import { docsHref, guideHref, overviewHref, serviceTitle } from "./addresses.ts";
import type { GuidePart } from "./guides/guide.ts";
import { guides, partNames } from "./guides/guides.ts";

/** What the side navigation shows, and where the reader is. */
export interface Navigation {
  readonly services: readonly ServiceSummary[];
  /** The service of the page; its methods are listed. */
  readonly service?: ServiceOutline;
  /** Name of the method, or name of the guide; the overview without one. */
  readonly here?: string;
}

/** Whether a service is of an earlier version than the current one. */
export const isOlder = ({ name }: Pick<ServiceSummary, "name">): boolean => name.includes(".v1.");

/** Renders the side navigation: guides, endpoints, and services by resource. */
export function navigation({ services, service, here }: Navigation): Html {
  const listed = (of: readonly ServiceSummary[]): Html =>
    html`<ul class="plain">${of.map((one) => serviceEntry(one, service, here))}</ul>`;
  return html`<nav class="docs-nav" id="docs-nav" popover aria-label="Reference">
${partList("start", here, service === undefined && here === undefined)}
${partList("oauth", here)}
${partList("saml", here)}
<h2>API, version 2</h2>${listed(services.filter((one) => !isOlder(one)))}
<h2>API, version 1</h2>${listed(services.filter(isOlder))}
</nav>`;
}

const partList = (part: GuidePart, here: string | undefined, isOverview?: boolean): Html =>
  html`<h2>${partNames[part]}</h2><ul class="plain">${
    isOverview !== undefined && html`<li>${navigationLink(overviewHref, "Overview", isOverview)}</li>`
  }${guides
    .filter((guide) => guide.part === part)
    .map(({ name, title }) => html`<li>${navigationLink(guideHref(name), title, here === name)}</li>`)}${
    part === "start" && html`<li>${navigationLink(guideHref("errors"), "Errors", here === "errors")}</li>`
  }</ul>`;

function serviceEntry(one: ServiceSummary, service: ServiceOutline | undefined, here: string | undefined): Html {
  const isThis = one.name === service?.name;
  return html`<li>${navigationLink(docsHref(one.name), serviceTitle(one.name), isThis && here === undefined)}${
    isThis && methodList(service, here)
  }</li>`;
}

function methodList(service: ServiceOutline, here: string | undefined): Html {
  const entries = (methods: ServiceOutline["methods"]): Html =>
    html`<ul class="plain methods">${methods.map(
      ({ name }) => html`<li>${navigationLink(docsHref(service.name, name), spaced(name), name === here)}</li>`,
    )}</ul>`;
  if (!isOlder(service)) return entries(service.methods);
  // A service of version 1 has the methods of many resources.
  return html`${groupsOf(service).map(({ resource, methods }) => {
    const isOpen = methods.some(({ name }) => name === here);
    return isOpen
      ? html`<details open><summary>${resource}</summary>${entries(methods)}</details>`
      : html`<details><summary>${resource}</summary>${entries(methods)}</details>`;
  })}`;
}

/** The methods of a service by the resource that their route begins with. */
export function groupsOf<Method extends Pick<MethodReference, "routes">>({
  methods,
}: {
  readonly methods: readonly Method[];
}): { readonly resource: string; readonly methods: readonly Method[] }[] {
  const groups = Map.groupBy(methods, ({ routes: [route] }) => route?.path.split("/")[3]?.replace(/^_/, "") ?? "other");
  return Array.from(groups, ([resource, of]) => ({ resource, methods: of })).toSorted((left, right) =>
    left.resource < right.resource ? -1 : 1,
  );
}

/** A name that may break: before its capitals. */
export const spaced = (name: string): Html =>
  html`${name.split(/(?=[A-Z][a-z])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;
