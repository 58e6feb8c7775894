import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { type Credentials, ProviderRefused } from "../identity-provider-client/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import { checkCredentials } from "./check-credentials.ts";
import { type AnswerOutcome, explainStale, succeedAttempt } from "./conclude-attempt.ts";
import { endForm, type FormKey, findCredentialsForm } from "./find-credentials-form.ts";
import { consumeState } from "./identity-intent.store.ts";
import type { IntentDeps } from "./intent-deps.ts";

/** The result of entered credentials. */
type CredentialsOutcome =
  | AnswerOutcome
  /** Name or password is wrong; the form can be sent again. */
  | { readonly outcome: "wrong" };

/**
 * Checks the name and password that a user entered in the form of an attempt. The state is spent with the right ones,
 * and when the provider cannot answer. Throws the Fault `password.throttled`.
 */
export async function enterCredentials(
  deps: IntentDeps & PreparedDeps,
  call: Call,
  { origin, credentials, ...key }: FormKey & { readonly origin: string; readonly credentials: Credentials },
): Promise<CredentialsOutcome> {
  const form = await findCredentialsForm(deps, call, key);
  if (form.outcome !== "open") return form;
  const { intent, provider } = form;
  try {
    const browser = key.browserHash === undefined ? undefined : { browserHash: key.browserHash };
    const identity = await checkCredentials(deps, call, { provider, origin, credentials, browser });
    if (identity === undefined) return { outcome: "wrong" };
    // Only one of two forms that were sent at once goes on.
    const state = { stateHash: hashSecret(key.state), browserHash: key.browserHash, isKept: false };
    const spent = await deps.database.touch(call, (tx) => consumeState(tx, state));
    if (spent === undefined) return await explainStale(deps, call, state);
    return await succeedAttempt(deps, call, { intent, provider, identity });
  } catch (error) {
    if (error instanceof ProviderRefused) return endForm(deps, call, key, intent, error.reason, error);
    throw error;
  }
}
