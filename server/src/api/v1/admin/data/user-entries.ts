import { KeyType } from "@doorward/api/service/authn/v1/authn_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { ImportHumanUserRequest } from "@doorward/api/service/management/v1/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { DataMachineKey } from "@doorward/api/service/v1/v1/data_pb";
import { addressKey } from "../../../../base/names/address-key.ts";
import { EntryRefused } from "./entry-refused.ts";
import type { Entries } from "./imported.ts";
import { isPlain, type NewPerson, toPerson } from "./new-person.ts";
import type { Run } from "./run.ts";

const management = ManagementService.method;

/** Users, who keep their ids, and what they sign in with. */
export const userEntries: readonly Entries[] = [
  ({ orgId, humanUsers }) =>
    humanUsers.map(({ userId, user }) => ({
      type: "human_user",
      id: userId === "" ? (user?.userName ?? "") : userId,
      person: user && isPlain({ orgId, userId, user }) ? { orgId, userId, user } : undefined,
      ...(isLight(userId, user) && {
        takes: namesOf({ userId, userName: user?.userName, address: user?.email?.email }),
      }),
      perform: async (run, done) => {
        if (user === undefined) return run.refuse("data.not_imported");
        done.humanUserIds.push(await createPerson(run, { orgId, userId, user }));
        if (userId === "" || !user.requestPasswordlessRegistration) return;
        await run.perform(management.sendPasswordlessRegistration, { userId }, orgId);
      },
    })),
  ({ orgId, machineUsers }) =>
    machineUsers.map(({ userId, user }) => ({
      type: "machine_user",
      id: userId === "" ? (user?.userName ?? "") : userId,
      takes: namesOf({ userId, userName: user?.userName }),
      perform: async (run, done) => {
        if (user === undefined) return run.refuse("data.not_imported");
        const wanted = { ...user, ...(userId !== "" && { userId }) };
        const created = await run.perform(management.addMachineUser, wanted, orgId);
        done.machineUserIds.push(created.userId);
      },
    })),
  ({ orgId, machineUsers, machineKeys }) => {
    const known = new Map(machineUsers.map(({ userId }) => [userId, new Set<string>()]));
    return machineKeys.map((key) => ({
      type: "machine_key",
      id: key.keyId,
      perform: async (run, done) => {
        const before = known.get(key.userId) ?? new Set<string>();
        known.set(key.userId, before);
        done.machineKeys.push(await addKey(run, { orgId, key, before }));
      },
    }));
  },
  ({ orgId, userLinks }) =>
    userLinks.map(({ userId, idpId: oldId, providedUserId: externalUserId, providedUserName: displayName }) => ({
      type: "user_link",
      id: `${userId}_${externalUserId}`,
      perform: async (run, done) => {
        const idpId = run.ids.of(orgId, oldId);
        const idpLink = { idpId, userId: externalUserId, userName: displayName };
        await addLink(run, { orgId, userId, idpLink });
        done.userLinks.push({ userId, externalUserId, displayName, idpId });
      },
    })),
  ({ orgId, userMetadata }) =>
    userMetadata.map((entry) => ({
      type: "user_metadata",
      id: `${entry.id}_${entry.key}`,
      takes: [entry.id],
      perform: async ({ perform }, done) => {
        await perform(management.setUserMetadata, entry, orgId);
        done.userMetadata.push({ userId: entry.id, key: entry.key });
      },
    })),
];

/** Whether nothing is sent for a person, no password is hashed, and no account is linked, which another may take. */
const isLight = (userId: string, user: ImportHumanUserRequest | undefined): boolean =>
  userId !== "" && (user === undefined || (user.password === "" && user.idps.length === 0));

interface Named {
  readonly userId: string;
  readonly userName?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * Returns what a user takes. Usernames are those that are compared as one, without what follows an `@`, because they
 * may have the domain of the organization or get it. A user without one has the address as username.
 */
function namesOf({ userId, userName = "", address = "" }: Named): readonly string[] {
  const [name = ""] = addressKey(userName === "" ? address : userName).split("@", 1);
  return [`id ${userId}`, ...(name === "" ? [] : [`name ${name}`]), ...(address === "" ? [] : [addressKey(address)])];
}

interface NewLink {
  readonly orgId: string;
  readonly userId: string;
  readonly idpLink: { readonly idpId: string; readonly userId: string; readonly userName: string };
}

/**
 * Links an account. A link that exists is reported as such also where it could not be made today, because its user was
 * made an administrator after it.
 */
async function addLink(run: Run, link: NewLink): Promise<void> {
  const { orgId, userId, idpLink } = link;
  try {
    await run.perform(UserService.method.addIDPLink, { userId, idpLink }, orgId);
  } catch (error) {
    if (error instanceof EntryRefused && (await isLinked(run, link))) run.refuse("request.already_exists");
    throw error;
  }
}

async function isLinked({ perform }: Run, { orgId, userId, idpLink }: NewLink): Promise<boolean> {
  try {
    const { result } = await perform(UserService.method.listIDPLinks, { userId }, orgId);
    return result.some((link) => link.idpId === idpLink.idpId && link.userId === idpLink.userId);
  } catch (error) {
    if (error instanceof EntryRefused) return false;
    throw error;
  }
}

/** Creates a person by the method that takes an id, or by that for imports if there is none. */
async function createPerson(run: Run, { orgId, userId, user }: NewPerson): Promise<string> {
  if (userId === "") return (await run.perform(management.importHumanUser, user, orgId)).userId;
  // The method that takes an id takes no recovery codes.
  if (user.recoveryCodes.length > 0) return run.refuse("data.not_imported");
  const created = await run.perform(UserService.method.createUser, toPerson({ orgId, userId, user }), orgId);
  return created.id;
}

/**
 * Adds a public key to a service account that has none from before: a key gets another id, so that a repeated import
 * could not know it. `added` holds the keys of this import.
 */
async function addKey(
  run: Run,
  { orgId, key, before: added }: { readonly orgId: string; readonly key: DataMachineKey; readonly before: Set<string> },
): Promise<string> {
  if (key.publicKey.length === 0) return run.refuse("data.not_imported");
  const { userId, expirationDate, publicKey } = key;
  const { result } = await run.perform(management.listMachineKeys, { userId }, orgId);
  if (result.some(({ id }) => !added.has(id))) return run.refuse("request.already_exists");
  const expiry = expirationDate === undefined ? {} : { expirationDate };
  const request = { userId, type: KeyType.JSON, publicKey, ...expiry };
  const { keyId } = await run.perform(management.addMachineKey, request, orgId);
  added.add(keyId);
  return keyId;
}
