import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import { assertedBy, type HumanUser, reachesInstance, recordUserEvent } from "../user/index.ts";
import { findIdentityLink, insertIdentityLink } from "./identity-link.store.ts";
import { linkPayload, type NamedAccount, providerNotFound } from "./identity-link.ts";

export interface PutIdentityLink extends NamedAccount {
  /**
   * Who spoke for the provider when it named the account. Absent where the caller names the account, an administrator:
   * then the link is as good as the caller's word.
   */
  readonly speaker?: string;
  /**
   * Whether the user is being created for this account: the provider's options allow creation and linking separately.
   */
  readonly isForNewUser: boolean;
}

/**
 * Step: links an account at a provider to a user with a locked row. The provider must be active and usable for the
 * user's organization, its options must allow the link, and the speaker who named the account must still speak for it. Rejects
 * an account that is linked already; a suspended link is none. Returns the sequence of the user.
 */
export async function putIdentityLink(
  tx: Tx,
  user: Pick<HumanUser, "userId" | "organizationId">,
  { isForNewUser, ...account }: PutIdentityLink,
): Promise<number> {
  const provider = await findIdentityProvider(tx, tx.instanceId, account.identityProviderId);
  if (provider === undefined || !isUsableIn(provider, user.organizationId)) throw providerNotFound();
  refuseUnlinkable(provider, isForNewUser);
  const { speaker } = provider;
  if ((account.speaker ?? speaker) !== speaker) {
    throw new Fault("failed_precondition", "identity_intent.provider_unusable", { field: "idpLink.idpId" });
  }
  const former = await findIdentityLink(tx, tx.instanceId, { ...account, speaker });
  const assertedIn = account.speaker === undefined ? organizationOfWord(tx.call, provider, user) : null;
  if (!(await insertIdentityLink(tx, { ...account, speaker, userId: user.userId, assertedIn }))) {
    throw new Fault("already_exists", "identity_link.taken", { field: "idpLink.userId" });
  }
  if (former !== undefined && former.userId !== user.userId && former.assertedIn !== null) {
    const displaced = { userId: former.userId, organizationId: former.assertedIn };
    await recordUserEvent(tx, displaced, {
      type: "user.human.externalidp.cascade.removed",
      payload: linkPayload(former),
    });
  }
  return recordUserEvent(tx, user, { type: "user.human.externalidp.added", payload: linkPayload(account) });
}

/** Returns the organization where the caller's word about an account counts; null where that is the whole instance. */
function organizationOfWord(
  call: Call,
  { ownerOrganizationId }: IdentityProvider,
  { organizationId }: Pick<HumanUser, "organizationId">,
): string | null {
  if (ownerOrganizationId !== "" || reachesInstance(assertedBy(call, organizationId))) return null;
  return organizationId;
}

/** Whether an organization may use a provider: its own, and those of the instance. */
const isUsableIn = ({ ownerOrganizationId }: IdentityProvider, organizationId: string): boolean =>
  ownerOrganizationId === "" || ownerOrganizationId === organizationId;

function refuseUnlinkable({ state, options }: IdentityProvider, isForNewUser: boolean): void {
  const field = "idpLink.idpId";
  if (state !== "active") throw new Fault("failed_precondition", "identity_link.provider_inactive", { field });
  const isAllowed = isForNewUser ? options.isCreationAllowed : options.isLinkingAllowed;
  if (isAllowed) return;
  const cause = isForNewUser ? "identity_link.creation_not_allowed" : "identity_link.linking_not_allowed";
  throw new Fault("failed_precondition", cause, { field });
}
