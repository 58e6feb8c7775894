import type { Tx } from "../../database/index.ts";
import { type HumanUser, type ManagesUsers, recordUserEvent } from "../user/index.ts";
import { deleteIdentityLink, listEveryLink } from "./identity-link.store.ts";
import { linkPayload } from "./identity-link.ts";
import { authorOfLink } from "./is-good-link.ts";

/**
 * Step: removes the accounts at providers that were proven or passed on in the name of a user; what those who manage
 * the user said stays.
 */
export async function removePreparedLinks(
  tx: Tx,
  { managesUsers }: { readonly managesUsers: ManagesUsers },
  user: HumanUser,
): Promise<void> {
  for (const link of await listEveryLink(tx, user.userId)) {
    if (managesUsers(authorOfLink(link), user.organizationId)) continue;
    await deleteIdentityLink(tx, link);
    await recordUserEvent(tx, user, { type: "user.human.externalidp.removed", payload: linkPayload(link) });
  }
}
