import type { Tx } from "../../database/index.ts";
import { recordUserEvent } from "../user/index.ts";
import { updateExternalUsername } from "./identity-link.store.ts";
import { linkPayload, type SpokenAccount } from "./identity-link.ts";

/** Step: stores the account's current name at the provider, if it has changed. The user is locked. */
export async function renameIdentityLink(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  account: SpokenAccount,
): Promise<void> {
  const link = { ...account, userId: user.userId };
  if (!(await updateExternalUsername(tx, link))) return;
  const { idpConfigId, userId, displayName: username } = linkPayload(link);
  const payload = { idpConfigId, userId, username };
  await recordUserEvent(tx, user, { type: "user.human.externalidp.username.changed", payload });
}
