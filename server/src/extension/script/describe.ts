import { toIso } from "../../base/clock.ts";
import { asPerson, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import {
  type AuthorizationWithRoles,
  listAllAuthorizations,
  listAuthorizationsOfUser,
} from "../../domain/authorization/index.ts";
import type { User } from "../../domain/user/index.ts";
import { describeAuthorization, lengthAsTold, userStates } from "../describe-authorization.ts";
import { readAllMetadata } from "../read-all-metadata.ts";
import { InvalidEffects } from "./effects.ts";

const genders = { female: 1, male: 2, diverse: 3 } as const;

/** Returns a user as scripts see them (`ctx.v1.getUser()`). */
export function describeUser(user: User): object {
  const { createdAt, changedAt, sequence } = user.details;
  const common = {
    id: user.userId,
    creationDate: toIso(createdAt),
    changeDate: toIso(changedAt),
    resourceOwner: user.organizationId,
    sequence,
    state: userStates[user.state],
    username: user.username,
    loginNames: [user.preferredLoginName],
    preferredLoginName: user.preferredLoginName,
  };
  if (user.kind === "machine") {
    return { ...common, machine: { name: user.displayName, description: user.description } };
  }
  const { profile, email, phone } = user;
  return {
    ...common,
    human: {
      firstName: profile.givenName,
      lastName: profile.familyName,
      nickName: profile.nickName ?? "",
      displayName: user.displayName,
      avatarKey: user.avatarFile ?? "",
      preferredLanguage: profile.preferredLanguage ?? "",
      gender: profile.gender === undefined ? 0 : genders[profile.gender],
      email: email.address,
      isEmailVerified: email.isVerified,
      phone: phone?.number ?? "",
      isPhoneVerified: phone?.isVerified ?? false,
    },
  };
}

/** Returns metadata as scripts see it; the prelude turns each text into a value. */
export async function describeMetadata(
  { read }: Pick<Database, "read">,
  call: Call,
  owner: { readonly type: "user" | "organization"; readonly id: string; readonly organizationId: string },
): Promise<object> {
  const { type, id, organizationId } = owner;
  const metadata = await readAllMetadata(read, call.instanceId, { type, id });
  if (metadata === undefined) throw new InvalidEffects(`the ${type} has too much metadata`);
  return {
    count: metadata.length,
    sequence: 0,
    timestamp: toIso(call.now),
    metadata: metadata.map(({ key, value, createdAt, changedAt }) => ({
      creationDate: toIso(createdAt),
      changeDate: toIso(changedAt),
      resourceOwner: organizationId,
      sequence: 0,
      key,
      text: Buffer.from(value).toString("utf8"),
    })),
  };
}

/**
 * Lists the role assignments of a user that a script of their organization may see: those that this organization made,
 * or what targets are told for a script of the instance. The run fails where they are too many.
 */
export async function listGrantsFor(
  database: Database,
  call: Call,
  {
    user,
    organizationId,
    project,
    seesAll,
  }: {
    readonly user: User;
    readonly organizationId: string;
    /** That of the application that the script complements something for. */
    readonly project: { readonly projectId: string; readonly organizationId: string } | undefined;
    readonly seesAll: boolean;
  },
): Promise<readonly AuthorizationWithRoles[]> {
  // The user may see all of their own roles.
  const asUser = asPerson(call, user);
  const made = [
    { kind: "users", userIds: [user.userId] },
    { kind: "organization", organizationId },
  ] as const;
  const found = seesAll
    ? await listAuthorizationsOfUser({ database }, asUser, { organizationId, project, lengthOf: lengthAsTold })
    : await listAllAuthorizations({ database }, asUser, made);
  if (found === undefined || !(seesAll || found.isWhole)) {
    throw new InvalidEffects("the user has too many role assignments");
  }
  return found.rows;
}

/** Returns role assignments as scripts see them (`ctx.v1.user.grants`). */
export const describeGrants = (call: Call, grants: readonly AuthorizationWithRoles[]): object => ({
  count: grants.length,
  sequence: 0,
  timestamp: toIso(call.now),
  grants: grants.map(describeAuthorization),
});
