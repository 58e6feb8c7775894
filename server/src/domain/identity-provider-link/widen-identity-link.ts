import { formatAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { recordUserEvent } from "../user/index.ts";
import { updateLinkScope } from "./identity-link.store.ts";
import { linkPayload, ownProof, type SpokenAccount } from "./identity-link.ts";

/**
 * Step: lets the link of a user who was created without a question count in the whole instance, because the user has
 * agreed since that the account is theirs in that organization. It stays as it is while another link counts there. What
 * an administrator said of an account stays the word of the organization, and hinders nothing. The event is that of a
 * new link: to other organizations it is one.
 */
export async function widenIdentityLink(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  account: SpokenAccount,
): Promise<void> {
  const { userId } = user;
  if (!(await updateLinkScope(tx, { ...account, userId, author: formatAuthor(ownProof) }))) return;
  await recordUserEvent(tx, user, { type: "user.human.externalidp.added", payload: linkPayload(account) });
}
