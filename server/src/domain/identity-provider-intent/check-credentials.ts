import { addressKey } from "../../base/names/address-key.ts";
import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import {
  type Credentials,
  createProviderClient,
  type ExternalIdentity,
  ProviderRefused,
} from "../identity-provider-client/index.ts";
import { takeCredentialsGuess } from "./credentials-throttle.ts";
import type { IntentDeps } from "./intent-deps.ts";
import { findSessionOfName, type KnownBrowser } from "./provider-session.store.ts";

interface EnteredCredentials {
  readonly provider: IdentityProvider;
  readonly origin: string;
  readonly credentials: Credentials;
  /** The browser of our own pages, or the one that a sign-in application names. */
  readonly browser: KnownBrowser | undefined;
}

/**
 * Asks a provider whose the credentials are; undefined for wrong ones. Throws `ProviderRefused`, and the Fault
 * `password.throttled` after too many wrong ones.
 */
export async function checkCredentials(
  deps: IntentDeps,
  call: Call,
  { provider, origin, credentials, browser }: EnteredCredentials,
): Promise<ExternalIdentity | undefined> {
  const client = createProviderClient(deps, provider, origin);
  if (client.flow !== "password") throw new ProviderRefused("answer_malformed");
  const name = addressKey(credentials.username);
  // Kept as a digest, to know the browsers again in which the name was entered with its password.
  const nameId = hashSecret(name);
  const { identityProviderId, speaker } = provider;
  const known = browser && { identityProviderId, speaker, nameId, browser };
  const knownBy = known && (await findSessionOfName(deps.database.read, call.instanceId, known, call.now));
  const guess = takeCredentialsGuess(deps, call, provider, { name, knownBy });
  try {
    const identity = await client.check(credentials, guess.mayGuess);
    if (identity === undefined) return undefined;
    guess.giveBack();
    return { ...identity, session: { nameId, nameIdValues: {}, sessionIndex: null } };
  } catch (error) {
    if (error instanceof ProviderRefused) guess.giveBack();
    throw error;
  }
}
