import { canonicalName } from "../../base/names/canonical.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { applicationAbsence } from "../application/index.ts";
import { groupAbsence } from "../group/index.ts";
import { projectAbsence } from "../project/index.ts";
import { findApplications } from "./application-hits.store.ts";
import { findById } from "./find-by-id.ts";
import { findGroups } from "./group-hits.store.ts";
import { type Hit, hitKinds, mostOfKind, type Wanted } from "./hit.ts";
import { findIdentityProviders } from "./identity-provider-hits.store.ts";
import { findOrganizations, readOrganizationNames } from "./organization-hits.store.ts";
import { findProjectGrants } from "./project-grant-hits.store.ts";
import { findProjects } from "./project-hits.store.ts";
import { findUsers } from "./user-hits.ts";

/** A result with the name of its organization, as far as the caller may read it. */
export type SearchResult = Hit & { readonly organizationName: string };

/**
 * Finds what begins with a text, or has it as its id: of each kind at most eight that the caller may read. Each kind is
 * found under the permission of its list; what is hidden there does not exist here either.
 */
export async function search(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly text: string; readonly organizationId: string | undefined },
): Promise<SearchResult[]> {
  const text = input.text.trim();
  const wanted: Wanted = { text, key: canonicalName(text), organizationId: input.organizationId };
  if (wanted.key === "") return [];
  const { access } = requireCaller(call);
  const { read } = deps.database;
  const within = (permission: string) => ({ reach: access.reach(permission), wanted });
  const found = await Promise.all([
    findUsers(read, call, wanted),
    findOrganizations(read, call.instanceId, within("org.read")),
    findProjects(read, call.instanceId, within(projectAbsence.readPermission)),
    findApplications(read, call.instanceId, within(applicationAbsence.readPermission)),
    findProjectGrants(read, call.instanceId, within("project.grant.read")),
    findGroups(read, call.instanceId, within(groupAbsence.readPermission)),
    findIdentityProviders(read, call.instanceId, { access, wanted }),
    findById(deps, call, wanted),
  ]);
  return nameOrganizations(deps, call, pick(found.flat(), text));
}

/** Returns the first hits of each kind without duplicates: first those by their id, then those by their name. */
function pick(hits: readonly Hit[], text: string): Hit[] {
  const once = [...new Map(hits.map((hit) => [`${hit.kind} ${hit.id}`, hit])).values()];
  const byKind = Map.groupBy(once, ({ kind }) => kind);
  return hitKinds.flatMap((kind) => {
    const found = (byKind.get(kind) ?? []).toSorted((a, b) => compare(a, b, text));
    return found.slice(0, mostOfKind);
  });
}

function compare(a: Hit, b: Hit, text: string): number {
  if (a.id === text || b.id === text) return a.id === text ? -1 : 1;
  const [one, other] = [canonicalName(a.name), canonicalName(b.name)];
  if (one !== other) return one < other ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

// Callers read the name of their own organization in their own tokens.
async function nameOrganizations(
  { database }: { readonly database: Database },
  call: Call,
  hits: readonly Hit[],
): Promise<SearchResult[]> {
  const { access, organizationId: home } = requireCaller(call);
  const all = new Set(hits.map(({ organizationId }) => organizationId));
  const isNamed = (organizationId: string): boolean =>
    organizationId !== "" && (organizationId === home || access.allows("org.read", { organizationId }));
  const names = await readOrganizationNames(database.read, call.instanceId, [...all].filter(isNamed));
  return hits.map((hit) => ({ ...hit, organizationName: names.get(hit.organizationId) ?? "" }));
}
