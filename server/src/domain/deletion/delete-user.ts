import type { Call } from "../../call/index.ts";
import { type Database, noteEnded, performAll, performBefore, performPrepared, type Tx } from "../../database/index.ts";
import { removeAuthorizations } from "../authorization/index.ts";
import { deleteConsentsOfUsers } from "../consent/index.ts";
import { deleteDeviceAuthorizationsOfUsers } from "../device-authorization/index.ts";
import { removeUsersFromGroups } from "../group/index.ts";
import { deleteIntentsOfUsers, deleteProviderSessionsOfUsers } from "../identity-provider-intent/index.ts";
import { deleteIdentityLinksOfUsers } from "../identity-provider-link/index.ts";
import { deleteImpersonationsOfUsers } from "../impersonation/index.ts";
import { refuseLossOfOwner, removeMembershipsOfUsers } from "../membership/index.ts";
import { deleteSavedViewsOfUsers } from "../saved-view/index.ts";
import { eraseSessionsOfUsers, isFreshCaller, mayActForUser } from "../session/index.ts";
import { deleteSignInsOfUsers } from "../sign-in/index.ts";
import { deleteSignInAttemptsOfUsers } from "../sign-in-attempt/index.ts";
import { deleteFactorsOfUsers } from "../sign-in-method/index.ts";
import { endAccessOfUser, terminateSessionsOfUsers } from "../sign-out/index.ts";
import { deleteActivitiesOfUsers } from "../statistics/index.ts";
import { revokeFamilies } from "../token/index.ts";
import {
  authorizeUserDeletion,
  holdUser,
  holdUsersOfOrganization,
  lockUser,
  removeUsers,
  type User,
} from "../user/index.ts";
import { eraseEventsOfDeleted } from "./erase-events.ts";
import { refuseLeftToInstance } from "./refuse-left-to-instance.ts";

/**
 * Deletes a user with everything that depends on the user. The last owner of the instance cannot be deleted.
 *
 * Where that is too much for one unit, the user is locked first and loses all access: others decide how many role
 * assignments a user has, and could otherwise decide how long the user goes on to act. A deletion that ends before its
 * end leaves the user locked, and is repeated.
 */
export async function deleteUser(
  deps: { readonly database: Database },
  call: Call,
  { userId }: { readonly userId: string },
): Promise<User> {
  const isOwn = call.caller?.userId === userId;
  let isLocked = false;
  let isBarred = false;
  const lock = async (tx: Tx): Promise<void> => {
    const user = await holdUserToDelete(tx, userId);
    await refuseLossOfOwner(tx, userId);
    await lockUser(tx, user);
    noteEnded(tx, { userIds: [userId] });
    isLocked = true;
  };
  // In two units: how many sessions they have, users decide themselves.
  const bar = async (tx: Tx): Promise<void> => {
    await performBefore(tx, { isLeft: async () => !isLocked, perform: lock });
    await endAccessOfUser(tx, userId);
    isBarred = true;
  };
  const deleted = await deps.database.change(call, async (tx) => {
    // The session in which users asked to be deleted has ended by then. The unit that locked them has checked it.
    const held = isOwn && isBarred ? await holdUser(tx, userId) : undefined;
    const user = held ?? (await holdUserToDelete(tx, userId));
    if (isBarred) await discardUsers(tx, [user]);
    else await performPrepared(() => discardUsers(tx, [user]), bar);
    return user;
  });
  await eraseEventsOfDeleted(deps.database, call, userId);
  return deleted;
}

async function holdUserToDelete(tx: Tx, userId: string): Promise<User> {
  const user = await authorizeUserDeletion(tx, tx.call, userId, { mayActFor: mayActForUser, isFresh: isFreshCaller });
  await refuseLeftToInstance(tx, user.organizationId, "user.delete");
  return user;
}

// Each has rows in many tables.
const usersAtOnce = 20;

/** Step, for an organization that is being deleted and locked: deletes its users. */
export function discardUsersOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  return performAll(tx, {
    list: (own, limit) => holdUsersOfOrganization(own, organizationId, limit),
    perform: discardUsers,
    size: usersAtOnce,
  });
}

// All memberships are removed at once: otherwise, of two owners who are deleted together, each would count as remaining
// for the other.
async function discardUsers(tx: Tx, users: readonly User[]): Promise<void> {
  const userIds = users.map(({ userId }) => userId);
  await removeMembershipsOfUsers(tx, userIds);
  await terminateSessionsOfUsers(tx, userIds);
  await eraseSessionsOfUsers(tx, userIds);
  await revokeFamilies(tx, { userIds }, "user_deleted");
  await deleteSignInsOfUsers(tx, userIds);
  await deleteSignInAttemptsOfUsers(tx, userIds);
  await deleteActivitiesOfUsers(tx, userIds);
  await deleteSavedViewsOfUsers(tx, userIds);
  await deleteDeviceAuthorizationsOfUsers(tx, userIds);
  await deleteConsentsOfUsers(tx, userIds);
  await deleteImpersonationsOfUsers(tx, userIds);
  await removeAuthorizations(tx, { userIds });
  await deleteFactorsOfUsers(tx, userIds);
  await deleteIdentityLinksOfUsers(tx, userIds);
  await deleteIntentsOfUsers(tx, userIds);
  await deleteProviderSessionsOfUsers(tx, userIds);
  await removeUsersFromGroups(tx, userIds);
  await removeUsers(tx, users);
}
