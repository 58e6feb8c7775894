import { type Call, requireOrganization } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { notFound } from "./authorize-user.ts";
import { findUser } from "./user.store.ts";
import type { User } from "./user.ts";

/** Returns the user if it belongs to the organization of a call of the first generation; any other is not found. */
export async function requireUserOfOrganization(reader: Reader, call: Call, userId: string): Promise<User> {
  const organizationId = requireOrganization(call);
  const user = await findUser(reader, call.instanceId, userId);
  if (user?.organizationId !== organizationId) throw notFound();
  return user;
}
