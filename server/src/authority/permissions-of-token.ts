import type { Right } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import { findConsent } from "../domain/consent/index.ts";
import { type ActiveToken, listFamiliesAbove } from "../domain/token/index.ts";
import { rightsOfScope } from "./rights.ts";
import { readScopes, withoutAlias } from "./scope.ts";

export interface TokenAuthorityDeps {
  readonly database: Pick<Database, "read">;
  readonly clients: ClientDirectory;
  readonly namespaceAliases: readonly string[];
}

/**
 * Returns which of its user's permissions an access token carries, whatever its audience. A token that names rights has
 * no others, for service accounts too. None has more than was granted: one that names none of the rights of its grant,
 * or of one that it was exchanged from, has no permissions. Where these name no rights it is `all`, for what a service
 * account got by its own credentials, and for applications that are trusted now: the end of the trust also ends what
 * was issued before. Rights of an application that is not trusted are those that its user consents to now. Undefined
 * for every other token: it says who its user is, and nothing about what the user may do here.
 */
export async function permissionsOfToken(
  deps: TokenAuthorityDeps,
  instanceId: string,
  { scope, family }: Pick<ActiveToken, "scope" | "family">,
): Promise<"all" | ReadonlySet<Right> | undefined> {
  const { clientId, userId } = family;
  const rights = rightsOfScope(readScopes(scope, deps.namespaceAliases));
  if (rights.size === 0 && (await namesRights(deps, instanceId, family))) return undefined;
  const named = rights.size > 0 ? rights : "all";
  if (family.applicationId === undefined) return named;
  const client = await deps.clients.find(instanceId, clientId);
  if (client?.isTrustedForApi === true) return (await areSourcesTrusted(deps, instanceId, family)) ? named : undefined;
  if (rights.size === 0 || userId === undefined) return undefined;
  const consent = await findConsent(deps.database.read, instanceId, { userId, clientId });
  const consented = rightsOfScope(withoutAlias(consent?.scopes ?? [], deps.namespaceAliases));
  const both = rights.intersection(consented);
  return both.size > 0 ? both : undefined;
}

// Whether the grant of a token, or one of those that it was exchanged from, names rights.
async function namesRights(
  { database, namespaceAliases }: TokenAuthorityDeps,
  instanceId: string,
  family: ActiveToken["family"],
): Promise<boolean> {
  const { familyId, exchangedFormat } = family;
  const above = exchangedFormat === undefined ? [] : await listFamiliesAbove(database.read, instanceId, familyId);
  return [family, ...above].some(({ scope }) => rightsOfScope(readScopes(scope, namespaceAliases)).size > 0);
}

// What was exchanged for our own APIs came from applications that were trusted with them, and depends on each of them.
async function areSourcesTrusted(
  { database, clients }: TokenAuthorityDeps,
  instanceId: string,
  { familyId, exchangedFormat }: ActiveToken["family"],
): Promise<boolean> {
  if (exchangedFormat === undefined) return true;
  for (const { applicationId, clientId } of await listFamiliesAbove(database.read, instanceId, familyId)) {
    if (applicationId === undefined) continue;
    if ((await clients.find(instanceId, clientId))?.isTrustedForApi !== true) return false;
  }
  return true;
}
