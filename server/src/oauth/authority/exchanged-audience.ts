import type { Client, ClientDirectory } from "../../domain/application/index.ts";
import { OAuthError } from "../error.ts";
import { rightsOfScope } from "./rights.ts";

/** A token that is exchanged: its client, scope (with our own word) and audience. */
interface Exchanged {
  readonly clientId: string | undefined;
  readonly scope: ReadonlySet<string> | undefined;
  readonly audience: readonly string[];
}

/**
 * Returns the audience of a token exchange (RFC 8693) without our own APIs, unless both the exchanging client and the
 * clients of all tokens that are for our APIs are trusted with them: a consent is given to one client, for some rights.
 * Throws `invalid_target` when our APIs were named.
 */
export async function exchangedAudience(
  deps: { readonly clients: ClientDirectory; readonly instanceId: string; readonly systemProjectId: string },
  client: Client,
  exchange: {
    readonly parties: readonly Exchanged[];
    readonly audience: readonly string[];
    readonly wanted: readonly string[];
  },
): Promise<string[]> {
  const { systemProjectId } = deps;
  const { audience, wanted, parties } = exchange;
  if (!audience.includes(systemProjectId)) return [...audience];
  const forApis = parties.filter((party) => party.audience.includes(systemProjectId));
  const areTrusted = await Promise.all(forApis.map((party) => isTrusted(deps, party)));
  if (client.isTrustedForApi && areTrusted.every((one) => one)) return [...audience];
  if (wanted.includes(systemProjectId)) {
    throw new OAuthError("invalid_target", "the client may not pass on tokens for the APIs of this server");
  }
  const others = audience.filter((name) => name !== systemProjectId);
  return others.length > 0 ? others : [client.clientId];
}

// The client of a service account is not an application.
async function isTrusted(
  { clients, instanceId }: { readonly clients: ClientDirectory; readonly instanceId: string },
  { clientId, scope }: Exchanged,
): Promise<boolean> {
  if (scope !== undefined && rightsOfScope(scope).size > 0) return false;
  const client = clientId === undefined ? undefined : await clients.find(instanceId, clientId);
  return client === undefined || client.isTrustedForApi;
}
