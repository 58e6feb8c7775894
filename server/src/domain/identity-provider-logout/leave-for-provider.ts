import { minutes } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";
import { generateSecret, hashSecret } from "../../base/secret.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider, type SamlConfiguration } from "../identity-provider/index.ts";
import { type SamlMetadataCache, writeLogoutRequest } from "../identity-provider-client/index.ts";
import { findProviderSession, type ProviderSession } from "../identity-provider-intent/index.ts";
import type { Session } from "../session/index.ts";
import { insertProviderLogout } from "./provider-logout.store.ts";

/** Dependencies of single logout. */
export interface LogoutDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, "decrypt">;
  readonly random: Random;
  readonly samlMetadata: SamlMetadataCache;
}

// A provider may ask the user.
const timeAtProvider = minutes(10);

/**
 * Returns where a browser goes whose sessions have just ended: to the first provider of theirs that wants to know, with
 * a request that ends its session as well, or to the target. The provider sends it back, and then it goes to the target
 * (`returnFromProvider`).
 */
export async function leaveForProvider(
  deps: LogoutDeps,
  call: Call,
  { origin, ended, target }: { readonly origin: string; readonly ended: readonly Session[]; readonly target: string },
): Promise<string> {
  const found = await findFederated(deps, call, ended);
  if (found === undefined) return target;
  const { provider, session } = found;
  const state = generateSecret(deps.random);
  const request = { origin, instanceId: call.instanceId, now: call.now, state: state.reveal(), session };
  const url = await writeLogoutRequest(deps, provider, request);
  if (url === undefined) return target;
  const { identityProviderId } = provider;
  const logout = { stateHash: hashSecret(state), identityProviderId, target };
  await deps.database.touch(call, async (tx) => insertProviderLogout(tx, logout, call.now + timeAtProvider));
  return url;
}

interface Federated {
  readonly provider: IdentityProvider<SamlConfiguration>;
  readonly session: ProviderSession;
}

async function findFederated(
  { database: { read } }: LogoutDeps,
  { instanceId }: Call,
  ended: readonly Session[],
): Promise<Federated | undefined> {
  for (const { factors } of ended) {
    const session = factors.intentId && (await findProviderSession(read, instanceId, factors.intentId));
    if (!session) continue;
    const provider = await findIdentityProvider(read, instanceId, session.identityProviderId);
    // Another speaker did not open it.
    if (provider?.state !== "active" || provider.speaker !== session.speaker) continue;
    const { configuration } = provider;
    if (configuration.kind === "saml" && configuration.isLogoutFederated) {
      return { provider: { ...provider, configuration }, session };
    }
  }
  return undefined;
}
