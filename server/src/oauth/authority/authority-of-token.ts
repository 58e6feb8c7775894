import type { Right } from "../../call/index.ts";
import type { ClientDirectory } from "../../domain/application/index.ts";
import type { ActiveToken } from "../../domain/token/index.ts";
import { readScopes } from "../scope.ts";
import { rightsOfScope } from "./rights.ts";

export interface TokenAuthorityDeps {
  readonly clients: ClientDirectory;
  readonly systemProjectIdOf: (instanceId: string) => Promise<string>;
  readonly namespaceAliases: readonly string[];
}

/**
 * Returns what the bearer of an access token may do at our own APIs: `all` that its user may, or only some rights.
 * Undefined when the token is not for them.
 */
export async function authorityOfToken(
  deps: TokenAuthorityDeps,
  instanceId: string,
  token: Pick<ActiveToken, "audience" | "scope" | "family">,
): Promise<"all" | ReadonlySet<Right> | undefined> {
  if (!token.audience.includes(await deps.systemProjectIdOf(instanceId))) return undefined;
  return permissionsOfToken(deps, instanceId, token);
}

/**
 * Returns which of its user's permissions an access token carries, whatever its audience: `all` for what a service
 * account got by its own credentials, and for applications that are trusted now: the end of the trust also ends what
 * was issued before. A token that names rights has no others, whatever its application is trusted with later. Undefined
 * for every other token: it says who its user is, and nothing about what the user may do here.
 */
export async function permissionsOfToken(
  { clients, namespaceAliases }: Pick<TokenAuthorityDeps, "clients" | "namespaceAliases">,
  instanceId: string,
  { scope, family }: Pick<ActiveToken, "scope" | "family">,
): Promise<"all" | ReadonlySet<Right> | undefined> {
  if (family.applicationId === undefined) return "all";
  const rights = rightsOfScope(readScopes(scope, namespaceAliases));
  if (rights.size > 0) return rights;
  const client = await clients.find(instanceId, family.clientId);
  return client?.isTrustedForApi === true ? "all" : undefined;
}
