import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { findIdentityProvider, type IdentityProvider, protocolOf } from "../identity-provider/index.ts";
import { type AnswerOutcome, type FailedAttempt, failAttempt } from "./conclude-attempt.ts";
import { consumeState, findIntentOfState } from "./identity-intent.store.ts";
import { type IdentityIntent, intentContext, type SealedRequest } from "./identity-intent.ts";
import { type IntentDeps, isOpenAt } from "./intent-deps.ts";

/** The state in the address of a form, and the browser that opened it. */
export interface FormKey {
  readonly state: string;
  readonly browserHash: string | undefined;
}

/** An attempt that waits for a name and a password. */
interface OpenForm {
  readonly outcome: "open";
  readonly intent: IdentityIntent;
  readonly provider: IdentityProvider;
  /** The name with which the form begins. */
  readonly loginHint: string | undefined;
}

type OtherOutcome = Exclude<AnswerOutcome, { readonly outcome: "succeeded" }>;

/**
 * Returns the attempt of a form where users enter the credentials of a provider. Its state works until it was used, and
 * on our own pages only in its browser.
 */
export async function findCredentialsForm(
  deps: IntentDeps,
  call: Call,
  { state, browserHash }: FormKey,
): Promise<OpenForm | OtherOutcome> {
  const { read } = deps.database;
  const intent = await findIntentOfState(read, call.instanceId, hashSecret(state));
  if (intent === undefined) return { outcome: "stale", why: "unknown", intent };
  if (intent.stateSpentAt !== null || intent.state !== "started") return { outcome: "stale", why: "used", intent };
  if (intent.expiresAt <= call.now) return { outcome: "stale", why: "too_old", intent };
  if (intent.browserHash !== null && intent.browserHash !== browserHash) {
    return { outcome: "stale", why: "other_browser", intent };
  }
  const provider = await findIdentityProvider(read, call.instanceId, intent.identityProviderId);
  if (provider === undefined || !isOpenAt(provider, intent)) {
    return endForm(deps, call, { state, browserHash }, intent, "provider_unusable");
  }
  if (protocolOf(provider.configuration.kind) !== "ldap")
    return { outcome: "stale", why: "unknown", intent: undefined };
  const kept = deps.vault.decrypt(intent.sealedRequest, intentContext(call.instanceId, intent.intentId, "request"));
  const { loginHint } = JSON.parse(kept.reveal()) as SealedRequest;
  return { outcome: "open", intent, provider, loginHint };
}

/** Spends the state of a form, and ends its attempt as a failure. */
export async function endForm(
  deps: IntentDeps,
  call: Call,
  { state, browserHash }: FormKey,
  intent: IdentityIntent,
  ...failure: readonly [failure: Parameters<typeof failAttempt>[3], cause?: Parameters<typeof failAttempt>[4]]
): Promise<FailedAttempt> {
  const key = { stateHash: hashSecret(state), browserHash, isKept: false };
  await deps.database.touch(call, (tx) => consumeState(tx, key));
  return failAttempt(deps, call, intent, ...failure);
}
