import type { Random } from "../../base/random.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type AuthorizeDeps, holdAuthorizedUser, recordUserEvent, requireHuman, writeOwnData } from "../user/index.ts";
import { findAvatarByName, putAvatar, updateAvatarFile } from "./avatar.store.ts";
import { readAvatar } from "./avatar.ts";

/**
 * Gives the caller a picture, in place of any former one. Refuses files that are not pictures, and service accounts. An
 * identical picture changes nothing.
 */
export function setMyAvatar(
  deps: AuthorizeDeps & { readonly database: Database; readonly random: Random },
  call: Call,
  input: { readonly bytes: Buffer },
): Promise<Details> {
  const { userId } = requireCaller(call);
  const { contentType, ending, bytes } = readAvatar(input.bytes);
  const content = bytes.toString("base64");
  const fileName = `${deps.random(24).toString("base64url")}.${ending}`;
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnData(deps)));
    const former =
      user.avatarFile === undefined ? undefined : await findAvatarByName(tx, tx.instanceId, user.avatarFile);
    if (former?.content === content) return user.details;
    await putAvatar(tx, { userId, fileName, contentType, content });
    await updateAvatarFile(tx, userId, fileName);
    const payload = { storeKey: fileName };
    const sequence = await recordUserEvent(tx, user, { type: "user.human.avatar.added", payload });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}
