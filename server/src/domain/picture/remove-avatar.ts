import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, recordUserEvent, requireHuman, writeOwnData } from "../user/index.ts";
import { deleteAvatar, updateAvatarFile } from "./avatar.store.ts";

/** Removes the picture of a user, if there is one. */
export function removeAvatar(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { userId }: { readonly userId: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnData(deps)));
    if (user.avatarFile === undefined) return user.details;
    await deleteAvatar(tx, userId);
    await updateAvatarFile(tx, userId, null);
    const payload = { storeKey: user.avatarFile };
    const sequence = await recordUserEvent(tx, user, { type: "user.human.avatar.removed", payload });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
