import { parseDomain } from "../base/names/host.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { Call } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import { findOrganization, findOwnerOfDomain } from "../domain/organization/index.ts";
import { parseScope, scopeValues, withoutAlias } from "./scope.ts";

export interface ScopeDeps {
  readonly database: Pick<Database, "read">;
  /** Namespace words besides ours. */
  readonly namespaceAliases: readonly string[];
}

/**
 * Returns the only organization whose users may sign in, when a scope names one (`…:org:id:`, `…:org:domain:primary:`).
 * Naming two is an error.
 */
export async function resolveOrganization(deps: ScopeDeps, call: Call, scope: string): Promise<string | undefined> {
  const own = withoutAlias(parseScope(scope), deps.namespaceAliases);
  const ids = scopeValues(own, "org:id:");
  const written = scopeValues(own, "org:domain:primary:").map((domain) => parseDomain(domain) ?? domain);
  const domains = [...new Set(written)];
  if (ids.length + domains.length === 0) return undefined;
  // An organization has one id and one primary domain. Refused before the look-ups, which a request could have many of.
  if (new Set(ids).size > 1 || domains.length > 1) throw unknown();
  const { read } = deps.database;
  const owners = await Promise.all(domains.map((domain) => findOwnerOfDomain(read, call.instanceId, domain)));
  const organizationIds = new Set([...ids, ...owners]);
  const [only] = organizationIds;
  const organization = only === undefined ? undefined : await findOrganization(read, call.instanceId, only);
  // Another domain of the same organization does not match the primary domain that tokens contain.
  const isPrimary = domains.every((domain) => domain === organization?.primaryDomain);
  if (organizationIds.size !== 1 || organization?.state !== "active" || !isPrimary) {
    throw unknown();
  }
  return organization.organizationId;
}

const unknown = (): OAuthError => new OAuthError("invalid_scope", "the organization of the scope is unknown");
