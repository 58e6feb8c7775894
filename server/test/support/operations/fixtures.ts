import type { TestContext } from "node:test";
import { type Budgets, createBudgets } from "../../../src/base/budget/budgets.ts";
import { createIdGenerator } from "../../../src/base/id.ts";
import { systemRandom } from "../../../src/base/random.ts";
import { type Call, createAccess, type Position } from "../../../src/call/index.ts";
import type { Database } from "../../../src/database/index.ts";
import { permissionsOf } from "../../../src/domain/administrator-access/index.ts";
import { refuseLockout } from "../../../src/domain/administrator-lockout/index.ts";
import { createOrganization, type Organization } from "../../../src/domain/organization/index.ts";
import { createProject, type NewProject, type Project } from "../../../src/domain/project/index.ts";
import { endPreparedSessions } from "../../../src/domain/sign-out/index.ts";
import type { MachineUser } from "../../../src/domain/user/index.ts";
import { createMachineUser } from "../../../src/domain/user-management/index.ts";
import type { OpenDatabase } from "../databases/databases.ts";
import { testCall } from "./call.ts";

/** Time of all calls of a test. */
export const testTime = 1_800_000_000_000;

/** A role somewhere: `{ role: "PROJECT_OWNER", level: "project", resourceId: project.projectId }`. */
interface Held {
  readonly role: string;
  readonly level: Position["level"];
  readonly resourceId?: string;
}

/** A database with what operations need, and short functions to fill it. */
export interface Fixtures {
  readonly database: Database;
  readonly newId: () => string;
  readonly random: typeof systemRandom;
  readonly budgets: Budgets;
  readonly endPreparedSessions: typeof endPreparedSessions;
  readonly refuseLockout: typeof refuseLockout;
  /** The call of a user with these roles. */
  as(
    held: readonly Held[],
    given?: { userId?: string; organizationId?: string; instanceId?: string; now?: number },
  ): Call;
  /** The call of an administrator of the instance. */
  readonly owner: Call;
  organization(name: string): Promise<Organization>;
  project(organization: { organizationId: string }, given?: Partial<NewProject>): Promise<Project>;
  user(organization: { organizationId: string }, name?: string): Promise<MachineUser>;
}

/** Opens a database and fills nothing in. */
export async function makeFixtures(t: TestContext, open: OpenDatabase): Promise<Fixtures> {
  return fixturesOf(await open(t));
}

export function fixturesOf(database: Database): Fixtures {
  const newId = createIdGenerator(() => testTime, systemRandom);
  const deps = { newId };
  const owner = callOf([{ role: "IAM_OWNER", level: "instance" }]);
  return {
    database,
    newId,
    random: systemRandom,
    budgets: createBudgets(),
    endPreparedSessions,
    refuseLockout,
    owner,
    as: callOf,
    organization: (name) =>
      database.change(owner, (tx) => createOrganization(tx, deps, { name, instanceHost: "example.com" })),
    project: ({ organizationId }, given) =>
      database.change(owner, (tx) => createProject(tx, deps, { organizationId, name: `Project ${newId()}`, ...given })),
    user: ({ organizationId }, name = `user-${newId()}`) =>
      database.change(owner, (tx) => createMachineUser(tx, deps, { organizationId, username: name, name })),
  };
}

function callOf(
  held: readonly Held[],
  given: { userId?: string; organizationId?: string; instanceId?: string; now?: number } = {},
): Call {
  const { userId = "caller", organizationId = "callers-organization", instanceId, now = testTime } = given;
  const positions = held.map(({ role, level, resourceId = "" }) => ({
    level,
    resourceId,
    permissions: new Set(permissionsOf(role)),
  }));
  const caller = { userId, organizationId, access: createAccess(positions) };
  return testCall({ now, caller, ...(instanceId !== undefined && { instanceId }) });
}
