import { toIso } from "../base/clock.ts";
import type { AuthorizationWithRoles } from "../domain/authorization/index.ts";
import type { User } from "../domain/user/index.ts";

/** States of users as targets and scripts see them. */
export const userStates = { active: 1, inactive: 2, locked: 4, initial: 6 } as const satisfies Record<
  User["state"],
  number
>;

/** Returns how long a role assignment is in what targets and scripts are told, in bytes. */
export const lengthAsTold = (authorization: AuthorizationWithRoles): number =>
  Buffer.byteLength(JSON.stringify(describeAuthorization(authorization)));

/** Returns a role assignment as targets and scripts see it. */
export const describeAuthorization = (authorization: AuthorizationWithRoles): object => ({
  id: authorization.authorizationId,
  projectGrantId: authorization.projectGrantId,
  state: authorization.state === "active" ? 1 : 2,
  creationDate: toIso(authorization.createdAt),
  changeDate: toIso(authorization.changedAt),
  sequence: authorization.sequence,
  userId: authorization.userId,
  roles: authorization.roles.map(({ roleKey }) => roleKey),
  userResourceOwner: authorization.userOrganizationId,
  userGrantResourceOwner: authorization.organizationId,
  userGrantResourceOwnerName: authorization.organizationName,
  projectId: authorization.projectId,
  projectName: authorization.projectName,
});
