import { hashSecret, type Secret } from "../../base/secret.ts";
import { type Call, generateToken } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import type { ExternalIdentity, ProviderRefusal, ProviderRefused } from "../identity-provider-client/index.ts";
import { type IdentityLink, isHeldBack } from "../identity-provider-link/index.ts";
import { findUserScope, type PreparedDeps } from "../user/index.ts";
import { findToldLink } from "./find-told-link.ts";
import { findIntentOfState, markFailed, markSucceeded, type StateKey } from "./identity-intent.store.ts";
import { type IdentityIntent, intentAggregate, timeToUse } from "./identity-intent.ts";
import { type IntentDeps, isOpenAt } from "./intent-deps.ts";
import { insertProviderSession } from "./provider-session.store.ts";
import { sealIdentity } from "./seal-identity.ts";

/** Why an attempt failed. */
type IntentFailure = ProviderRefusal | "provider_unusable";

/**
 * Why an answer is not accepted: its state is unknown, was returned before, is expired, or belongs to another browser.
 */
type Staleness = "unknown" | "used" | "too_old" | "other_browser";

/** An attempt that failed at the provider. */
export interface FailedAttempt {
  readonly outcome: "failed";
  readonly intent: IdentityIntent;
  readonly failure: IntentFailure;
}

/** The result of an answer. */
export type AnswerOutcome =
  /** The answer was not accepted; its attempt may be known. */
  | { readonly outcome: "stale"; readonly why: Staleness; readonly intent: IdentityIntent | undefined }
  | FailedAttempt
  | {
      readonly outcome: "succeeded";
      readonly intent: IdentityIntent;
      readonly provider: IdentityProvider;
      readonly identity: ExternalIdentity;
      /** Proves the attempt; shown only now. */
      readonly token: Secret;
      /** The user of the account, if it is linked, and not only because an organization asserts it. */
      readonly userId: string | undefined;
      /** Whether it is linked, not only because administrators of an organization assert it, and does not yield. */
      readonly isTaken: boolean;
    };

/** An attempt that the provider answered with a user. */
interface Concluded {
  readonly intent: IdentityIntent;
  readonly provider: IdentityProvider;
  readonly identity: ExternalIdentity;
}

/** Explains why the state of an attempt is not accepted. */
export async function explainStale({ database }: IntentDeps, call: Call, key: StateKey): Promise<AnswerOutcome> {
  const intent = await findIntentOfState(database.read, call.instanceId, key.stateHash);
  return { outcome: "stale", intent, why: intent === undefined ? "unknown" : stalenessOf(intent, key, call) };
}

function stalenessOf(intent: IdentityIntent, { isKept }: StateKey, { now }: Call): Staleness {
  if (intent.stateSpentAt !== null) return "used";
  if (intent.expiresAt <= now) return "too_old";
  return isKept && intent.sealedAnswer === null ? "unknown" : "other_browser";
}

/**
 * Stores what the provider said of the user. Whether the provider still takes part is checked again, because it may
 * have been deactivated or changed while it was asked.
 */
export async function succeedAttempt(
  deps: IntentDeps & PreparedDeps,
  call: Call,
  { intent, provider, identity }: Concluded,
): Promise<AnswerOutcome> {
  const { intentId, identityProviderId } = intent;
  const token = generateToken("identityIntent", deps.random);
  const expiresAt = call.now + timeToUse;
  const account = { externalUserId: identity.subject, externalUsername: identity.username };
  const sealedIdentity = sealIdentity(deps.vault, { instanceId: call.instanceId, intentId }, identity);
  const outcome = await deps.database.change<AnswerOutcome | undefined>(call, async (tx) => {
    const current = await findIdentityProvider(tx, tx.instanceId, identityProviderId);
    if (current === undefined || !isOpenAt(current, intent)) return undefined;
    const written = { intentId, ...account, sealedIdentity, expiresAt, tokenHash: hashSecret(token) };
    const sequence = await markSucceeded(tx, written);
    if (sequence === undefined) return { outcome: "stale", why: "used", intent };
    if (identity.session !== undefined) {
      const { speaker } = current;
      insertProviderSession(tx, { ...identity.session, intentId, identityProviderId, speaker }, expiresAt);
    }
    const link = await findToldLink(tx, call, deps, { intent, provider: current, identity });
    const userId = link?.userId;
    // Without the account: nothing could find the event when its user is deleted.
    const payload = { userId, expiresAt };
    tx.record({ type: "idpintent.succeeded", ...intentAggregate(intentId, tx.instanceId), sequence, payload });
    return {
      outcome: "succeeded",
      intent: { ...intent, expiresAt },
      provider,
      identity,
      token,
      userId,
      isTaken: link?.assertedIn === null && link.isYielding === 0 && !(await isAside(tx, link, intent)),
    };
  });
  return outcome ?? failAttempt(deps, call, intent, "provider_unusable");
}

// Whether the link is of a user who cannot sign in, and the account is to be linked to a user of another organization.
async function isAside(tx: Tx, link: IdentityLink, { linkUserId }: IdentityIntent): Promise<boolean> {
  const user = linkUserId === null ? undefined : await findUserScope(tx, tx.instanceId, linkUserId);
  return user !== undefined && isHeldBack(tx, tx.instanceId, link, user.organizationId);
}

/** Ends an attempt at the provider, and records why. */
export async function failAttempt(
  deps: IntentDeps,
  call: Call,
  intent: IdentityIntent,
  failure: IntentFailure,
  cause?: ProviderRefused,
): Promise<FailedAttempt> {
  await deps.database.change(call, async (tx) => {
    const { intentId } = intent;
    const sequence = await markFailed(tx, { intentId, failure: `identity_intent.${failure}`, from: "started" });
    if (sequence === undefined) return;
    const payload = { reason: failure, detail: cause?.detail };
    tx.record({ type: "idpintent.failed", ...intentAggregate(intentId, tx.instanceId), sequence, payload });
  });
  return { outcome: "failed", intent, failure };
}
