import { hashSecret } from "../../base/secret.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { protocolOf } from "../identity-provider/index.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import { findToldLink } from "./find-told-link.ts";
import { findUsableIntent, markRetrieved } from "./identity-intent.store.ts";
import { intentInvalid, providerUnusable } from "./identity-intent.ts";
import { type IntentDeps, requireActiveProvider } from "./intent-deps.ts";
import { openIdentity } from "./seal-identity.ts";

export interface RetrievedIntent {
  readonly identityProviderId: string;
  /** The organization that owns the provider; empty when the instance owns it. */
  readonly ownerOrganizationId: string;
  readonly protocol: ReturnType<typeof protocolOf>;
  readonly identity: ExternalIdentity;
  /** The user to whom the account is linked now, if any, and not only because an organization asserts it. */
  readonly userId: string | undefined;
  readonly details: Details;
}

/**
 * Returns what the provider reported in an attempt, for a caller with its token. If a user started the attempt, only
 * that user may read it. Callers who read it may link the account to themselves.
 */
export async function retrieveIntent(
  deps: IntentDeps & PreparedDeps,
  call: Call,
  input: { readonly intentId: string; readonly token: string },
): Promise<RetrievedIntent> {
  const { userId: retrieverId } = requireCaller(call);
  const { read } = deps.database;
  const key = { intentId: input.intentId, tokenHash: hashSecret(input.token) };
  const intent = await findUsableIntent(read, call.instanceId, key, call.now);
  // Only for the user who started it: a token that was slipped to another user would link the wrong account.
  if (intent === undefined || (intent.starterId ?? retrieverId) !== retrieverId) throw intentInvalid("idpIntentToken");
  const { identityProviderId, createdAt, sequence } = intent;
  const provider = await requireActiveProvider(read, call.instanceId, intent, providerUnusable);
  const { ownerOrganizationId, configuration } = provider;
  const identity = openIdentity(deps.vault, call.instanceId, intent);
  const link = await findToldLink(read, call, deps, { intent, provider, identity });
  await deps.database.touch(call, (tx) => markRetrieved(tx, { ...key, retrieverId }));
  return {
    identityProviderId,
    ownerOrganizationId,
    protocol: protocolOf(configuration.kind),
    identity,
    userId: link?.userId,
    details: { sequence, createdAt, changedAt: createdAt, ownerId: call.instanceId },
  };
}
