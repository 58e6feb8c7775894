import { type Call, requireCaller } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findUser, isSelf, notFound } from "../user/index.ts";

/**
 * Requires that the caller may know of a user: they may read the user, or a list showed the user to them. Others do not
 * exist. Only readers learn whether the user is inactive.
 */
export async function findExplainedUser(
  reader: Reader,
  call: Call,
  userId: string,
  isListed: boolean,
): Promise<{ readonly isInactive: boolean | undefined }> {
  const { access } = requireCaller(call);
  const user = await findUser(reader, call.instanceId, userId);
  if (user === undefined) throw notFound();
  const isReadable = isSelf(call, userId) || access.allows("user.read", { organizationId: user.organizationId });
  if (!isReadable && !isListed) throw notFound();
  return { isInactive: isReadable ? user.state === "inactive" || user.state === "locked" : undefined };
}
