import { formatAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { updateLinkScope } from "./identity-link.store.ts";
import { type ExternalAccount, type IdentityLink, ownProof } from "./identity-link.ts";

/**
 * Step: lets the link of a user who was created without a question count in the whole instance, because the user has
 * agreed since that the account is theirs in that organization. It stays as it is while there are other links of the
 * account. What an administrator said of an account stays the word of the organization.
 */
export const widenIdentityLink = (
  tx: Tx,
  account: ExternalAccount & Pick<IdentityLink, "speaker" | "userId">,
): Promise<void> => updateLinkScope(tx, { ...account, author: formatAuthor(ownProof) });
