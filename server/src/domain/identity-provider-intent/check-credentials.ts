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

/**
 * Asks a provider whose the credentials are; undefined for wrong ones. Throws `ProviderRefused`, and the Fault
 * `password.throttled` after too many wrong ones.
 */
export async function checkCredentials(
  deps: IntentDeps,
  call: Call,
  {
    provider,
    origin,
    credentials,
  }: { readonly provider: IdentityProvider; readonly origin: string; readonly credentials: Credentials },
): Promise<ExternalIdentity | undefined> {
  const client = createProviderClient(deps, provider, origin);
  if (client.flow !== "password") throw new ProviderRefused("answer_malformed");
  const guess = takeCredentialsGuess(deps, call, provider, credentials.username);
  try {
    const identity = await client.check(credentials, guess.mayGuess);
    if (identity !== undefined) guess.giveBack();
    return identity;
  } catch (error) {
    if (error instanceof ProviderRefused) guess.giveBack();
    throw error;
  }
}
