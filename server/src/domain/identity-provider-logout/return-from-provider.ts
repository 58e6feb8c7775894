import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { consumeProviderLogout } from "./provider-logout.store.ts";

/**
 * Returns where a browser goes that comes back from the logout at a provider; undefined when it was not sent there, or
 * came back before. What the provider says does not matter: the user is signed out here.
 */
export const returnFromProvider = (
  { database }: { readonly database: Database },
  call: Call,
  { state, identityProviderId }: { readonly state: string; readonly identityProviderId: string },
): Promise<string | undefined> =>
  database.touch(call, (tx) => consumeProviderLogout(tx, { stateHash: hashSecret(state), identityProviderId }));
