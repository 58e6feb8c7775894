import { createIdGenerator } from "../../../src/base/id.ts";
import { generateMasterKey, parseMasterKey } from "../../../src/base/master-key.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { createVault } from "../../../src/base/vault.ts";
import { type Access, type Call, noAccess } from "../../../src/call/index.ts";
import { type Database, sql, text } from "../../../src/database/index.ts";
import {
  createSystemAccess,
  loadAccess,
  type MembershipLevel,
} from "../../../src/domain/administrator-access/index.ts";
import { refuseLockout } from "../../../src/domain/administrator-lockout/index.ts";
import { addMembership } from "../../../src/domain/membership/index.ts";
import { createOrganization } from "../../../src/domain/organization/index.ts";
import { createSettingsReader } from "../../../src/domain/settings/index.ts";
import { bootstrapInstance } from "../../../src/domain/setup/index.ts";
import { endPreparedSessions } from "../../../src/domain/sign-out/index.ts";
import { createHumanUser } from "../../../src/domain/user-management/index.ts";
import { testCall } from "./call.ts";
import { unlimitedMessages } from "./unlimited-messages.ts";

const clock = (): number => testCall().now;

/** Dependencies of operations, over a test's database. */
export function directoryDeps(database: Database) {
  return {
    database,
    clock,
    random: systemRandom,
    newId: createIdGenerator(clock, systemRandom),
    settings: createSettingsReader({ database }),
    messageBudgets: unlimitedMessages,
    vault: createVault({ writing: parseMasterKey(generateMasterKey(systemRandom)), random: systemRandom }),
    endPreparedSessions,
    refuseLockout,
  };
}

export type DirectoryDeps = ReturnType<typeof directoryDeps>;

/** An instance with its first organization, and short functions to fill it and to act in it. */
export interface Directory {
  readonly deps: DirectoryDeps;
  readonly instanceId: string;
  readonly organizationId: string;
  readonly systemProjectId: string;
  /** Owner of the instance. */
  readonly ownerId: string;
  /** A call without a caller. */
  readonly nobody: Call;
  /** A call of a system user who may do everything there is at that level. */
  readonly system: Call;
  /** A call of a user, with the roles that they have now. */
  as(userId: string): Promise<Call>;
  addOrganization(name: string, organizationId?: string): Promise<string>;
  addUser(organizationId: string, username: string): Promise<string>;
  addRole(userId: string, level: MembershipLevel, resourceId: string, ownerId: string, role: string): Promise<void>;
  /** Makes a user of an organization with one role there (or in the instance), and returns a call of theirs. */
  member(organizationId: string, role: string): Promise<Call>;
  /** Every row of the instance, to see that nothing changed. */
  snapshot(): Promise<string>;
}

/** Makes an instance in a database that its opener closes after the test. */
export async function makeDirectory(
  database: Database,
  options: { readonly host?: string; readonly deps?: DirectoryDeps } = {},
): Promise<Directory> {
  const deps = options.deps ?? directoryDeps(database);
  const instanceId = deps.newId();
  const base = testCall({ instanceId });
  const made = await database.change(base, (tx) =>
    bootstrapInstance(tx, deps, {
      name: "Test",
      defaultLanguage: "en",
      host: options.host ?? "id.example.test",
      isHostGenerated: true,
      organizationName: "Home",
      owner: person("owner"),
      keyPairs: [],
    }),
  );
  const callWith = (access: Access, userId: string, organizationId: string): Call => ({
    ...base,
    caller: { userId, organizationId, access },
    organizationId,
  });
  const homes = new Map<string, string>([[made.ownerUserId ?? "", made.organizationId]]);
  let count = 0;

  const directory: Directory = {
    deps,
    instanceId,
    organizationId: made.organizationId,
    systemProjectId: made.systemProjectId,
    ownerId: made.ownerUserId ?? "",
    nobody: base,
    system: callWith(createSystemAccess(["SYSTEM_OWNER"]), "system", ""),
    as: async (userId) =>
      callWith(await loadAccess(database.read, instanceId, userId), userId, homes.get(userId) ?? ""),
    addOrganization: async (name, organizationId) => {
      const input = {
        name,
        ...(organizationId !== undefined && { organizationId }),
        instanceHost: options.host ?? "id.example.test",
      };
      return (await database.change(base, (tx) => createOrganization(tx, deps, input))).organizationId;
    },
    addUser: async (organizationId, username) => {
      const input = { organizationId, ...person(username) };
      const { userId } = await database.change(base, (tx) => createHumanUser(tx, deps, input));
      homes.set(userId, organizationId);
      return userId;
    },
    addRole: async (userId, level, resourceId, ownerId, role) => {
      await database.change(base, (tx) =>
        addMembership(tx, deps, { level, resourceId, ownerId }, { userId, roles: [role] }),
      );
    },
    member: async (organizationId, role) => {
      const userId = await directory.addUser(organizationId, `member-${++count}`);
      const isOfInstance = role.startsWith("IAM_");
      const resourceId = isOfInstance ? instanceId : organizationId;
      await directory.addRole(userId, isOfInstance ? "instance" : "organization", resourceId, resourceId, role);
      return directory.as(userId);
    },
    snapshot: async () =>
      JSON.stringify(await Promise.all(tables.map((table) => readAll(database, table, instanceId)))),
  };
  return directory;
}

const tables = [
  "instances",
  "instance_domains",
  "organizations",
  "organization_domains",
  "metadata",
  "settings",
  "message_texts",
  "users",
  "memberships",
  "membership_roles",
  "projects",
  "one_time_secrets",
] as const;

async function readAll(database: Database, table: (typeof tables)[number], instanceId: string): Promise<string[]> {
  const rows = await database.read.all(sql`select * from ${text(table)} where instance_id = ${instanceId}`);
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** Returns a call of a signed-in user who administrates nothing. */
export const withoutRoles = (directory: Directory): Call => ({
  ...directory.nobody,
  caller: { userId: "nobody", organizationId: directory.organizationId, access: noAccess },
});

function person(username: string) {
  return {
    username,
    profile: { givenName: username, familyName: "Test" },
    email: { address: `${username}@mail.example.test`, isVerified: true },
  };
}
