import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findUserByLoginName, isNameTakenInOrganization, parseEmail, parseUsername } from "../login-name/index.ts";
import { notFound } from "../user/index.ts";
import { findListedUser, type ListedUser } from "./list-users.ts";

type Found = Pick<ListedUser, "userId" | "organizationId">;

/**
 * Finds the user that an exact login name means, in any organization: callers who appoint administrators and assign
 * roles have to find users of others. The method requires the permission for it. Also returns whether the caller may
 * read the user. Users whom the caller may not read are found only by names that count in the whole instance: another
 * organization, or a stranger, can have prepared a user with any other name, and would get what is meant for its owner.
 * Such a user hides none of the caller's organization either.
 */
export async function lookUpLoginName(
  deps: { readonly database: Database },
  call: Call,
  { loginName }: { readonly loginName: string },
): Promise<{ readonly user: ListedUser; readonly isReadable: boolean }> {
  const { access, userId } = requireCaller(call);
  const find = (options: { readonly organizationId?: string | undefined; readonly isWide?: boolean } = {}) =>
    findUserByLoginName(deps.database.read, call.instanceId, loginName, options);
  const isReadable = (user: Found): boolean =>
    user.userId === userId || access.allows("user.read", { organizationId: user.organizationId });
  const meant = await find();
  if (meant !== undefined && isReadable(meant)) return { user: await read(deps, call, meant), isReadable: true };
  const wide = await find({ isWide: true });
  if (wide !== undefined) return { user: await read(deps, call, wide), isReadable: isReadable(wide) };
  const { organizationId } = call;
  const own = organizationId === undefined ? undefined : await find({ organizationId });
  if (own === undefined || !isReadable(own)) throw notFound();
  return { user: await read(deps, call, own), isReadable: true };
}

async function read(
  { database }: { readonly database: Database },
  { instanceId }: Call,
  { userId }: Found,
): Promise<ListedUser> {
  const user = await findListedUser(database.read, instanceId, userId);
  if (user === undefined) throw notFound();
  return user;
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
