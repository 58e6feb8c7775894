import { Fault } from "../../base/fault.ts";
import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { findIdentityLink } from "../identity-provider-link/index.ts";
import { recordUserEvent } from "../user/index.ts";
import { consumeIntent, findUsableIntent, type IntentKey } from "./identity-intent.store.ts";
import { intentAggregate, intentInvalid, providerUnusable } from "./identity-intent.ts";
import { requireActiveProvider } from "./intent-deps.ts";

/** An attempt as a session check names it. */
export interface PresentedIntent {
  readonly intentId: string;
  readonly token: string;
}

interface SignedInUser {
  readonly userId: string;
  readonly organizationId: string;
}

/** Consumes an attempt for a session of this user, in a unit of work of its own. Errors name `field`. */
export function checkIntent(
  { database }: { readonly database: Database },
  call: Call,
  { user, intent: { intentId, token } }: { readonly user: SignedInUser; readonly intent: PresentedIntent },
  field: string,
): Promise<void> {
  return database.change(call, (tx) => useIntent(tx, { user, key: { intentId, tokenHash: hashSecret(token) }, field }));
}

/**
 * Step: consumes an attempt that proves this user: the account is linked to the user now, and its provider is active.
 * The token works once (CVE-2025-46815); an attempt of another user is rejected and not consumed.
 */
export async function useIntent(
  tx: Tx,
  { user, key, field = "" }: { readonly user: SignedInUser; readonly key: IntentKey; readonly field?: string },
): Promise<void> {
  const intent = await findUsableIntent(tx, tx.instanceId, key, tx.now);
  if (intent === undefined) throw intentInvalid(field);
  const { identityProviderId, externalUserId } = intent;
  await requireActiveProvider(tx, tx.instanceId, identityProviderId, () => providerUnusable(field));
  const link = await findIdentityLink(tx, tx.instanceId, { identityProviderId, externalUserId: externalUserId ?? "" });
  if (link?.userId !== user.userId) throw new Fault("invalid_argument", "identity_intent.other_user", { field });
  await spendIntent(tx, key, field);
  const payload = { selectedIDPConfigID: identityProviderId };
  await recordUserEvent(tx, user, { type: "user.human.externallogin.check.succeeded", payload });
}

/** Step: consumes an attempt, for any purpose. Rejects one that is consumed, expired, or not proven by the key. */
export async function spendIntent(tx: Tx, key: IntentKey, field = ""): Promise<void> {
  const sequence = await consumeIntent(tx, key);
  if (sequence === undefined) throw intentInvalid(field);
  tx.record({ type: "idpintent.consumed", ...intentAggregate(key.intentId, tx.instanceId), sequence });
}
