import type { Reader } from "../../database/index.ts";
import { findUserScope } from "../user/index.ts";
import type { IdentityLink } from "./identity-link.ts";

/**
 * Whether a link that counts in the whole instance neither counts nor hinders in an organization, because its user
 * belongs to another one and cannot sign in: an organization that deactivates its user takes the account from no other
 * user.
 */
export async function isHeldBack(
  reader: Reader,
  instanceId: string,
  { userId, assertedIn }: Pick<IdentityLink, "userId" | "assertedIn">,
  organizationId: string,
): Promise<boolean> {
  if (assertedIn !== null) return false;
  const user = await findUserScope(reader, instanceId, userId);
  if (user === undefined || user.organizationId === organizationId) return false;
  return user.state !== "active" || user.organizationState !== "active";
}
