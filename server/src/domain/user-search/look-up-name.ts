import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findUserByLoginName, isNameTakenInOrganization, parseEmail, parseUsername } from "../login-name/index.ts";
import { notFound } from "../user/index.ts";
import { findListedUser, type ListedUser } from "./list-users.ts";

/**
 * Finds the user that an exact login name means, in any organization: callers who appoint administrators and assign
 * roles have to find users of others. The method requires the permission for it. Also returns whether the caller may
 * read the user.
 */
export async function lookUpLoginName(
  deps: { readonly database: Database },
  call: Call,
  { loginName }: { readonly loginName: string },
): Promise<{ readonly user: ListedUser; readonly isReadable: boolean }> {
  const { access, userId } = requireCaller(call);
  const { read } = deps.database;
  const found = await findUserByLoginName(read, call.instanceId, loginName);
  const user = found && (await findListedUser(read, call.instanceId, found.userId));
  if (user === undefined) throw notFound();
  const { organizationId } = user;
  return { user, isReadable: user.userId === userId || access.allows("user.read", { organizationId }) };
}

/**
 * Returns whether a user with this username or email address could be created in an organization whose users the caller
 * may read; empty is not checked.
 */
export async function isUserUnique(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly organizationId: string; readonly username: string; readonly email: string },
): Promise<boolean> {
  if (input.username === "" && input.email === "") {
    throw new Fault("invalid_argument", "user.name_missing", { field: "userName" });
  }
  requirePermission(call, "user.read", { organizationId: input.organizationId });
  const usernameKey = input.username === "" ? undefined : parseUsername(input.username, "userName").key;
  const emailKey = input.email === "" ? undefined : parseEmail(input.email, "email").key;
  const wanted = { organizationId: input.organizationId, usernameKey, emailKey };
  return !(await isNameTakenInOrganization(deps.database.read, call.instanceId, wanted));
}
