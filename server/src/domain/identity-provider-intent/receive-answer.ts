import { hashSecret, type Secret } from "../../base/secret.ts";
import { type Call, generateToken } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import {
  createProviderClient,
  type ExternalIdentity,
  type ProviderRefusal,
  ProviderRefused,
} from "../identity-provider-client/index.ts";
import { findCountingLink, type IdentityLink, isHeldBack } from "../identity-provider-link/index.ts";
import { findUserScope, type PreparedDeps } from "../user/index.ts";
import { consumeState, findIntentOfState, markFailed, markSucceeded, type StateKey } from "./identity-intent.store.ts";
import {
  type IdentityIntent,
  intentAggregate,
  intentContext,
  type KeptAnswer,
  type SealedRequest,
  timeToUse,
} from "./identity-intent.ts";
import { type IntentDeps, isOpenAt } from "./intent-deps.ts";
import { insertProviderSession } from "./provider-session.store.ts";
import { sealIdentity } from "./seal-identity.ts";

/** What a browser returned with from a provider. */
export interface ProviderAnswer {
  readonly state: string;
  readonly browserHash: string | undefined;
  readonly origin: string;
  /** Where the provider sent the browser; undefined when a proxy delivers the token. */
  readonly path: string | undefined;
  /** A code or an error; `posted` when it was stored before; or the reader of the header with the token. */
  readonly said: KeptAnswer | "posted" | { readonly header: (name: string) => string | undefined };
}

/** Why an attempt failed. */
type IntentFailure = ProviderRefusal | "provider_unusable";

/**
 * Why an answer is not accepted: its state is unknown, was returned before, is expired, or belongs to another browser.
 */
type Staleness = "unknown" | "used" | "too_old" | "other_browser";

/** The result of an answer. */
export type AnswerOutcome =
  /** The answer was not accepted; its attempt may be known. */
  | { readonly outcome: "stale"; readonly why: Staleness; readonly intent: IdentityIntent | undefined }
  | { readonly outcome: "failed"; readonly intent: IdentityIntent; readonly failure: IntentFailure }
  | {
      readonly outcome: "succeeded";
      readonly intent: IdentityIntent;
      readonly provider: IdentityProvider;
      readonly identity: ExternalIdentity;
      /** Proves the attempt; shown only now. */
      readonly token: Secret;
      /** The user of the account, if it is linked, and not only because an organization asserts it. */
      readonly userId: string | undefined;
      /** Whether it is linked, and not only because administrators of an organization assert it. */
      readonly isTaken: boolean;
    };

/**
 * Processes what a browser returned with. First the state is spent, whatever follows; then the provider is asked,
 * outside of any unit of work; then the result is stored. Never throws for what a provider or a browser did.
 */
export async function receiveAnswer(
  deps: IntentDeps & PreparedDeps,
  call: Call,
  answer: ProviderAnswer,
): Promise<AnswerOutcome> {
  const { state, browserHash, said } = answer;
  const key = { stateHash: hashSecret(state), browserHash, isKept: said === "posted" };
  const intent = await deps.database.touch(call, (tx) => consumeState(tx, key));
  if (intent === undefined) return explainStale(deps, call, key);
  const provider = await findIdentityProvider(deps.database.read, call.instanceId, intent.identityProviderId);
  // The state names the provider and its speaker at the time: another server cannot answer in their place.
  if (provider === undefined || !isOpenAt(provider, intent)) return fail(deps, call, intent, "provider_unusable");
  try {
    const identity = await ask(deps, call, { intent, provider, answer });
    return await succeed(deps, call, { intent, provider, identity });
  } catch (error) {
    if (error instanceof ProviderRefused) return fail(deps, call, intent, error.reason, error);
    throw error;
  }
}

async function explainStale({ database }: IntentDeps, call: Call, key: StateKey): Promise<AnswerOutcome> {
  const intent = await findIntentOfState(database.read, call.instanceId, key.stateHash);
  return { outcome: "stale", intent, why: intent === undefined ? "unknown" : stalenessOf(intent, key, call) };
}

function stalenessOf(intent: IdentityIntent, { isKept }: StateKey, { now }: Call): Staleness {
  if (intent.stateSpentAt !== null) return "used";
  if (intent.expiresAt <= now) return "too_old";
  return isKept && intent.sealedAnswer === null ? "unknown" : "other_browser";
}

interface Asked {
  readonly intent: IdentityIntent;
  readonly provider: IdentityProvider;
  readonly answer: ProviderAnswer;
}

async function ask(deps: IntentDeps, call: Call, { intent, provider, answer }: Asked): Promise<ExternalIdentity> {
  const { origin, path } = answer;
  // RFC 9700 §4.4.2.2: an answer at another path comes from another server and must not be sent to this one.
  if (path !== undefined && new URL(intent.redirectUri).pathname !== path) throw new ProviderRefused("issuer_mismatch");
  const said = answer.said === "posted" ? openAnswer(deps, call, intent) : answer.said;
  const { instanceId, now } = call;
  const client = createProviderClient(deps, provider, origin);
  if ("error" in said) {
    if (client.flow === "assertion") throw new ProviderRefused("answer_malformed");
    if (client.flow === "code") await client.checkIssuer({ instanceId, issuer: said.issuer });
    throw new ProviderRefused("denied");
  }
  if (client.flow === "token") {
    const token = "header" in said ? said.header(client.headerName) : undefined;
    if (token === undefined) throw new ProviderRefused("answer_malformed");
    return client.verify(token.replace(/^Bearer /i, ""), { instanceId, now });
  }
  if ("header" in said) throw new ProviderRefused("answer_malformed");
  const kept = deps.vault.decrypt(intent.sealedRequest, intentContext(instanceId, intent.intentId, "request"));
  const { nonce, codeVerifier, authenticatedSince } = JSON.parse(kept.reveal()) as SealedRequest;
  const common = { instanceId, now, nonce, authenticatedSince };
  if (client.flow === "assertion") {
    if (!("response" in said)) throw new ProviderRefused("answer_malformed");
    return client.complete({ ...common, response: said.response });
  }
  if (!("code" in said)) throw new ProviderRefused("answer_malformed");
  const { code, issuer } = said;
  return client.complete({ ...common, redirectUri: intent.redirectUri, codeVerifier, code, issuer });
}

function openAnswer({ vault }: IntentDeps, { instanceId }: Call, { intentId, sealedAnswer }: IdentityIntent) {
  const clear = vault.decrypt(sealedAnswer ?? "", intentContext(instanceId, intentId, "answer"));
  return JSON.parse(clear.reveal()) as KeptAnswer;
}

async function succeed(
  deps: IntentDeps & PreparedDeps,
  call: Call,
  { intent, provider, identity }: Omit<Asked, "answer"> & { readonly identity: ExternalIdentity },
): Promise<AnswerOutcome> {
  const { intentId, identityProviderId } = intent;
  const token = generateToken("identityIntent", deps.random);
  const expiresAt = call.now + timeToUse;
  const account = { externalUserId: identity.subject, externalUsername: identity.username };
  const sealedIdentity = sealIdentity(deps.vault, { instanceId: call.instanceId, intentId }, identity);
  const outcome = await deps.database.change<AnswerOutcome | undefined>(call, async (tx) => {
    // Checked again inside: the provider may have been deactivated or changed during the requests.
    const current = await findIdentityProvider(tx, tx.instanceId, identityProviderId);
    if (current === undefined || !isOpenAt(current, intent)) return undefined;
    const written = { intentId, ...account, sealedIdentity, expiresAt, tokenHash: hashSecret(token) };
    const sequence = await markSucceeded(tx, written);
    if (sequence === undefined) return { outcome: "stale", why: "used", intent };
    const named = { identityProviderId, speaker: current.speaker, ...account };
    if (identity.session !== undefined) {
      const { speaker } = current;
      insertProviderSession(tx, { ...identity.session, intentId, identityProviderId, speaker }, expiresAt);
    }
    const { email, isEmailVerified } = identity;
    const link = await findCountingLink(tx, tx.instanceId, deps, named, { email, isEmailVerified });
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
      isTaken: link?.assertedIn === null && !(await isAside(tx, link, intent)),
    };
  });
  return outcome ?? fail(deps, call, intent, "provider_unusable");
}

// Whether the link is of a user who cannot sign in, and the account is to be linked to a user of another organization.
async function isAside(tx: Tx, link: IdentityLink, { linkUserId }: IdentityIntent): Promise<boolean> {
  const user = linkUserId === null ? undefined : await findUserScope(tx, tx.instanceId, linkUserId);
  return user !== undefined && isHeldBack(tx, tx.instanceId, link, user.organizationId);
}

async function fail(
  deps: IntentDeps,
  call: Call,
  intent: IdentityIntent,
  failure: IntentFailure,
  cause?: ProviderRefused,
): Promise<AnswerOutcome> {
  await deps.database.change(call, async (tx) => {
    const { intentId } = intent;
    const sequence = await markFailed(tx, { intentId, failure: `identity_intent.${failure}`, from: "started" });
    if (sequence === undefined) return;
    const payload = { reason: failure, detail: cause?.detail };
    tx.record({ type: "idpintent.failed", ...intentAggregate(intentId, tx.instanceId), sequence, payload });
  });
  return { outcome: "failed", intent, failure };
}
