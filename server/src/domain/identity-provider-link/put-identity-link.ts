import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import { assertedBy, type HumanUser, reachesInstance, recordUserEvent } from "../user/index.ts";
import { deleteAssertedLinks, insertIdentityLink, listLinksOfAccount } from "./identity-link.store.ts";
import { type IdentityLink, linkPayload, type NamedAccount, providerNotFound } from "./identity-link.ts";

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
 * an account that is linked already; a suspended link is none, and what administrators of another organization say of the
 * account hinders nothing. Returns the sequence of the user.
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
  const assertedIn = account.speaker === undefined ? organizationOfWord(tx.call, provider, user) : null;
  const link = { ...account, speaker, userId: user.userId, assertedIn };
  if (!(await (assertedIn === null ? putProven(tx, link) : putAsserted(tx, link)))) {
    throw new Fault("already_exists", "identity_link.taken", { field: "idpLink.userId" });
  }
  return recordUserEvent(tx, user, { type: "user.human.externalidp.added", payload: linkPayload(account) });
}

async function putAsserted(tx: Tx, link: IdentityLink): Promise<boolean> {
  const links = await listLinksOfAccount(tx, tx.instanceId, link);
  return links.every(({ assertedIn }) => assertedIn !== null) && insertIdentityLink(tx, link);
}

// What only administrators of organizations vouch for gives way to a link that does not depend on their word.
async function putProven(tx: Tx, link: IdentityLink): Promise<boolean> {
  for (const former of await deleteAssertedLinks(tx, link)) {
    if (former.userId === link.userId || former.assertedIn === null) continue;
    const displaced = { userId: former.userId, organizationId: former.assertedIn };
    const type = "user.human.externalidp.cascade.removed";
    await recordUserEvent(tx, displaced, { type, payload: linkPayload(former) });
  }
  return insertIdentityLink(tx, link);
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
