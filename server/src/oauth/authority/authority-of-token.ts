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
 * Undefined when the token is not for them. `all` is for what a service account got by its own credentials, and for
 * applications that are trusted now: the end of the trust also ends what was issued before. A token that names rights
 * has no others, whatever its application is trusted with later.
 */
export async function authorityOfToken(
  { clients, systemProjectIdOf, namespaceAliases }: TokenAuthorityDeps,
  instanceId: string,
  { audience, scope, family }: Pick<ActiveToken, "audience" | "scope" | "family">,
): Promise<"all" | ReadonlySet<Right> | undefined> {
  if (!audience.includes(await systemProjectIdOf(instanceId))) return undefined;
  if (family.applicationId === undefined) return "all";
  const rights = rightsOfScope(readScopes(scope, namespaceAliases));
  if (rights.size > 0) return rights;
  const client = await clients.find(instanceId, family.clientId);
  return client?.isTrustedForApi === true ? "all" : undefined;
}
