import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import { type Call, namedBrowserOf } from "../../call/index.ts";
import { protocolOf } from "../identity-provider/index.ts";
import { type Credentials, type ExternalIdentity, ProviderRefused } from "../identity-provider-client/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import { findUsableProvider } from "./begin-intent.ts";
import { checkCredentials } from "./check-credentials.ts";
import { succeedAttempt } from "./conclude-attempt.ts";
import { providerUnusable } from "./identity-intent.ts";
import type { IntentDeps } from "./intent-deps.ts";
import { startAnsweredIntent } from "./start-intent.ts";

/** An attempt that has succeeded. */
export interface ProvenIntent {
  readonly intentId: string;
  readonly token: Secret;
  /** The user to whom the account is linked, if any, and not only because an organization asserts it. */
  readonly userId: string | undefined;
}

export interface ProveByCredentials {
  readonly identityProviderId: string;
  readonly origin: string;
  readonly credentials: Credentials;
  /** The user's browser, as a sign-in application names it; its address is that of the call (`withUserAddress`). */
  readonly fingerprintId?: string | undefined;
  /** The field of the request with the credentials, for errors. */
  readonly field: string;
}

/**
 * Makes an attempt with the name and password that a user entered in a login of the application's own. It takes the
 * same rights as beginning one. Throws the Faults `sign_in.wrong_credentials` and `password.throttled`, and the
 * one that says what is wrong with the provider; nothing is stored then.
 */
export async function proveByCredentials(
  deps: IntentDeps & PreparedDeps,
  call: Call,
  { identityProviderId, origin, credentials, fingerprintId, field }: ProveByCredentials,
): Promise<ProvenIntent> {
  const browser = namedBrowserOf(call, fingerprintId);
  const { provider, starter } = await findUsableProvider(deps, call, identityProviderId);
  if (protocolOf(provider.configuration.kind) !== "ldap") {
    throw new Fault("invalid_argument", "identity_intent.credentials_unsupported", { field });
  }
  const identity = await ask(deps, call, { provider, origin, credentials, browser });
  if (identity === undefined) throw new Fault("invalid_argument", "sign_in.wrong_credentials", { field });
  const intent = await startAnsweredIntent(deps, call, { provider, origin, ...starter });
  const concluded = await succeedAttempt(deps, call, { intent, provider, identity });
  if (concluded.outcome !== "succeeded") throw providerUnusable("idpId");
  return { intentId: intent.intentId, token: concluded.token, userId: concluded.userId };
}

async function ask(
  deps: IntentDeps,
  call: Call,
  input: Parameters<typeof checkCredentials>[2],
): Promise<ExternalIdentity | undefined> {
  try {
    return await checkCredentials(deps, call, input);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    throw new Fault("failed_precondition", `identity_intent.${error.reason}`, { field: "idpId", cause: error });
  } finally {
    // It counts. A caller whose rights ended while the directory was asked learns nothing of its answer.
    await call.confirm?.();
  }
}
