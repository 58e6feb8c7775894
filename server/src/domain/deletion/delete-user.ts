import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { removeAuthorizations } from "../authorization/index.ts";
import { deleteConsentsOfUsers } from "../consent/index.ts";
import { deleteDeviceAuthorizationsOfUser } from "../device-authorization/index.ts";
import { removeUserFromGroups } from "../group/index.ts";
import { deleteIntentsOfUser } from "../identity-provider-intent/index.ts";
import { deleteIdentityLinksOfUser } from "../identity-provider-link/index.ts";
import { removeMembershipsOfUsers } from "../membership/index.ts";
import { eraseSessionsOfUser, isFreshCaller, mayActForUser } from "../session/index.ts";
import { deleteSignInsOfUser } from "../sign-in/index.ts";
import { deleteFactorsOfUser } from "../sign-in-method/index.ts";
import { terminateSessionsOfUser } from "../sign-out/index.ts";
import { revokeFamilies } from "../token/index.ts";
import { authorizeUserDeletion, holdUsersOfOrganization, removeUser, type User } from "../user/index.ts";

/** Deletes a user with everything that depends on the user. The last owner of the instance cannot be deleted. */
export async function deleteUser(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string },
): Promise<User> {
  return deps.database.change(call, async (tx) => {
    const user = await authorizeUserDeletion(tx, call, input.userId, {
      mayActFor: mayActForUser,
      isFresh: isFreshCaller,
    });
    await discardUsers(tx, [user]);
    return user;
  });
}

/** Step, for an organization that is being deleted and locked: deletes its users. */
export async function discardUsersOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await discardUsers(tx, await holdUsersOfOrganization(tx, organizationId));
}

// All memberships are removed at once: otherwise, of two owners who are deleted together, each would count as remaining
// for the other.
async function discardUsers(tx: Tx, users: readonly User[]): Promise<void> {
  await removeMembershipsOfUsers(
    tx,
    users.map(({ userId }) => userId),
  );
  for (const user of users) {
    const { userId } = user;
    await terminateSessionsOfUser(tx, userId);
    await eraseSessionsOfUser(tx, userId);
    await revokeFamilies(tx, { userIds: [userId] }, "user_deleted");
    await deleteSignInsOfUser(tx, userId);
    await deleteDeviceAuthorizationsOfUser(tx, userId);
    await deleteConsentsOfUsers(tx, [userId]);
    await removeAuthorizations(tx, { userId });
    await deleteFactorsOfUser(tx, userId);
    await deleteIdentityLinksOfUser(tx, userId);
    await deleteIntentsOfUser(tx, userId);
    await removeUserFromGroups(tx, userId);
    await removeUser(tx, user);
  }
}
