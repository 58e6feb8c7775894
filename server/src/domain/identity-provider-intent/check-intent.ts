import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { type IdentityProvider, offersProvider } from "../identity-provider/index.ts";
import { type IdentityLink, listGoodLinks, providerNotTrusted } from "../identity-provider-link/index.ts";
import { type MayVouchFor, type PreparedDeps, recordUserEvent } from "../user/index.ts";
import { consumeIntent, findUsableIntent, type IntentKey } from "./identity-intent.store.ts";
import { answeredAt, intentAggregate, intentInvalid, providerUnusable } from "./identity-intent.ts";
import { requireActiveProvider } from "./intent-deps.ts";
import { isAnswerOver } from "./is-answer-over.ts";
import { useProviderSession } from "./provider-session.store.ts";

/** An attempt as a session check names it. */
export interface PresentedIntent {
  readonly intentId: string;
  readonly token: string;
}

interface SignedInUser {
  readonly userId: string;
  readonly organizationId: string;
}

/** Dependencies of the operations that sign a user in by an attempt. */
export interface UseIntentDeps extends PreparedDeps {
  readonly mayVouchFor: MayVouchFor;
}

/** What an attempt that signed a user in depends on. */
export interface UsedIntent {
  readonly intentId: string;
  readonly link: IdentityLink;
  readonly provider: IdentityProvider;
  /** When the provider answered, which is what it proves. */
  readonly answeredAt: Instant;
}

/** Consumes an attempt for a session of this user, in a unit of work of its own. Errors name `field`. */
export function checkIntent(
  deps: UseIntentDeps & { readonly database: Database },
  call: Call,
  { user, intent: { intentId, token } }: { readonly user: SignedInUser; readonly intent: PresentedIntent },
  field: string,
): Promise<UsedIntent> {
  const key = { intentId, tokenHash: hashSecret(token) };
  return deps.database.change(call, (tx) => useIntent(tx, deps, { user, key, field }));
}

/**
 * Step: consumes an attempt that proves this user: a link that counts now names the user, and its provider is active,
 * may vouch for the user, and is offered by their login. Every sign-in at a provider comes here, so this is where its
 * word is weighed. The token works once (CVE-2025-46815); an attempt that is rejected, as one of another user, is not
 * consumed. An answer from before what ended the sign-ins of the user is rejected as well. Callers have read their
 * sign-in epoch, and hold it when they write the session.
 */
export async function useIntent(
  tx: Tx,
  deps: UseIntentDeps,
  { user, key, field = "" }: { readonly user: SignedInUser; readonly key: IntentKey; readonly field?: string },
): Promise<UsedIntent> {
  const intent = await findUsableIntent(tx, tx.instanceId, key, tx.now);
  if (intent === undefined) throw intentInvalid(field);
  const { identityProviderId, externalUserId } = intent;
  const provider = await requireActiveProvider(tx, tx.instanceId, intent, () => providerUnusable(field));
  const account = { identityProviderId, speaker: provider.speaker, externalUserId: externalUserId ?? "" };
  const links = await listGoodLinks(tx, tx.instanceId, deps, account);
  const link = links.find(({ userId }) => userId === user.userId);
  if (link === undefined) throw new Fault("invalid_argument", "identity_intent.other_user", { field });
  const answer = { userId: user.userId, answeredAt: answeredAt(intent) };
  if (await isAnswerOver(tx, tx.instanceId, answer)) throw intentInvalid(field);
  if (!(await deps.mayVouchFor(tx, tx.instanceId, provider, user))) throw providerNotTrusted(field);
  // After the others, whose refusals say more.
  if (!(await offersProvider(tx, { ...user, instanceId: tx.instanceId }, identityProviderId)))
    throw providerUnusable(field);
  await spendIntent(tx, key, field);
  const { kind } = provider.configuration;
  if (kind === "saml" || kind === "ldap") useProviderSession(tx, { intentId: intent.intentId, userId: user.userId });
  const payload = { selectedIDPConfigID: identityProviderId };
  await recordUserEvent(tx, user, { type: "user.human.externallogin.check.succeeded", payload });
  return { intentId: intent.intentId, link, provider, answeredAt: answer.answeredAt };
}

/** Step: consumes an attempt, for any purpose. Rejects one that is consumed, expired, or not proven by the key. */
export async function spendIntent(tx: Tx, key: IntentKey, field = ""): Promise<void> {
  const sequence = await consumeIntent(tx, key);
  if (sequence === undefined) throw intentInvalid(field);
  tx.record({ type: "idpintent.consumed", ...intentAggregate(key.intentId, tx.instanceId), sequence });
}
