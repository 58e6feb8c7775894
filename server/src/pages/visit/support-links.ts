import type { Link, LinkType } from "../../domain/settings/index.ts";
import { type Href, mailHref, mailtoHref, type SupportLink, toHref } from "../../html/index.ts";
import type { PageDeps } from "../deps.ts";
import type { Visit } from "./visit.ts";

type Words = ReadonlyMap<string, string>;

/**
 * Returns the links to legal texts and support, of the organization whose texts the page has, otherwise of the
 * instance. First come the legal and support settings, always in the same order (WCAG 3.2.6), then the link settings,
 * in their own order. A kind of link in the link settings replaces that of the other settings.
 */
export async function findSupportLinks(
  deps: Pick<PageDeps, "settings">,
  { call: { instanceId, language }, textsOrganizationId: organizationId }: Pick<Visit, "call" | "textsOrganizationId">,
  words: Words,
): Promise<SupportLink[]> {
  const settingsScope = { instanceId, organizationId };
  const [legal, { settings }] = await Promise.all([
    findLegalLinks(deps, settingsScope, language),
    deps.settings.get("links", settingsScope),
  ]);
  const listed = settings.links
    .map((link) => toSupportLink(link, language, words))
    .filter((each) => each !== undefined);
  const kinds = new Set<SupportLink["kind"]>(listed.map(({ kind }) => kind).filter((kind) => kind !== "custom"));
  return [...legal.filter(({ kind }) => !kinds.has(kind)), ...listed];
}

async function findLegalLinks(
  { settings }: Pick<PageDeps, "settings">,
  settingsScope: { readonly instanceId: string; readonly organizationId: string | undefined },
  language: string,
): Promise<SupportLink[]> {
  const found = (await settings.get("legal_support", settingsScope)).settings;
  const web = (link: string): Href | undefined => (link === "" ? undefined : toHref(inLanguage(link, language)));
  const links: readonly (readonly [SupportLink["kind"], Href | undefined])[] = [
    ["terms", web(found.tosLink)],
    ["privacy", web(found.privacyPolicyLink)],
    ["accessibility", web(found.accessibilityLink)],
    ["help", web(found.helpLink)],
    ["support", mailHref(found.supportEmail)],
    ["docs", web(found.docsLink)],
    ["custom", found.customLinkText === "" ? undefined : web(found.customLink)],
  ];
  return links.flatMap(([kind, href]) =>
    href === undefined ? [] : [{ kind, href, ...(kind === "custom" && { label: found.customLinkText }) }],
  );
}

const kindOf = {
  terms_of_service: "terms",
  privacy_policy: "privacy",
  help: "help",
  support: "support",
  docs: "docs",
  custom: "custom",
} as const satisfies Record<LinkType, SupportLink["kind"]>;

// Labeled with the operator's text for its key; otherwise with the default text of its kind; otherwise with its
// target.
function toSupportLink({ type, url, translationKey, target }: Link, language: string, words: Words) {
  const kind = kindOf[type ?? "custom"];
  const address = inLanguage(url, language);
  const href = mailtoHref(address) ?? toHref(address);
  const own = translationKey === "" ? undefined : words.get(translationKey);
  const label = own ?? (kind === "custom" ? nameOf(address) : undefined);
  return href && { kind, href, isOnPageOfItsOwn: target === "blank", ...(label !== undefined && { label }) };
}

const nameOf = (address: string): string =>
  address.startsWith("mailto:") ? address.slice("mailto:".length).replace(/\?.*$/, "") : new URL(address).host;

const inLanguage = (link: string, language: string): string => link.replaceAll("{{.Lang}}", language);
