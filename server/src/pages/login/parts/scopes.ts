import { type Html, html, type PageContext, type PageKey } from "../../../html/index.ts";

/** What a scope permits, in the topics that matter to users. All other scopes share one sentence. */
export const scopeTopics = [
  "identity",
  "profile",
  "email",
  "phone",
  "metadata",
  "roles",
  "stay",
  "apis",
  "me_read",
  "me_write",
  "admin_read",
  "admin_write",
  "management",
  "other",
] as const;
export type ScopeTopic = (typeof scopeTopics)[number];

const iam = "urn:service:iam:";
const topics: Readonly<Record<string, ScopeTopic>> = {
  openid: "identity",
  profile: "profile",
  email: "email",
  phone: "phone",
  offline_access: "stay",
  [`${iam}user:metadata`]: "metadata",
  [`${iam}user:resourceowner`]: "other",
  [`${iam}org:projects:roles`]: "roles",
  [`${iam}api:me:read`]: "me_read",
  [`${iam}api:me:write`]: "me_write",
  [`${iam}api:admin:read`]: "admin_read",
  [`${iam}api:admin:write`]: "admin_write",
};

function topicOf(scope: string): ScopeTopic {
  const known = Object.hasOwn(topics, scope) ? topics[scope] : undefined;
  if (known !== undefined) return known;
  if (scope.startsWith(`${iam}org:project:role:`) || scope.startsWith(`${iam}org:roles:id:`)) return "roles";
  return /^urn:service:iam:org:project:id:.+:aud$/.test(scope) ? "apis" : "other";
}

/**
 * Returns the topics of scopes (with our own namespace word), each once and always in the same order. `mayDoAll`: the
 * client may do everything at our own APIs that the user may.
 */
export function topicsOf(scopes: Iterable<string>, mayDoAll: boolean): ScopeTopic[] {
  // The standard scope `address` is accepted and gives nothing, so users are not asked about it.
  const found = new Set([...scopes].filter((scope) => scope !== "address").map(topicOf));
  if (mayDoAll) found.add("management");
  return scopeTopics.filter((topic) => found.has(topic));
}

/**
 * Renders the topics as a list of plain sentences, and after them what the owners of resources say of their scopes. A
 * page repeats the list for each application, so items have no end tags (optional in HTML, §13.1.2.4).
 */
export const scopeList = (
  context: PageContext,
  { topics, permissions }: { readonly topics: readonly ScopeTopic[]; readonly permissions: readonly string[] },
): Html =>
  html`<ul class="scopes">${topics.map((topic) => html`<li>${context.say(`scope.${topic}` satisfies PageKey)}`)}${permissions.map((words) => html`<li><bdi>${words}</bdi>`)}</ul>`;
