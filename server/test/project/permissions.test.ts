import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import { sql } from "../../src/database/index.ts";
import {
  changeApplicationState,
  createApplicationInProject,
  generateClientSecret,
  getApplication,
  listApplications,
} from "../../src/domain/application/index.ts";
import {
  changeAuthorizationState,
  createAuthorization,
  deleteAuthorization,
  listAuthorizations,
  updateAuthorization,
} from "../../src/domain/authorization/index.ts";
import {
  deleteApplication,
  deleteProject,
  deleteProjectGrant,
  removeProjectRole,
  updateProjectGrant,
} from "../../src/domain/deletion/index.ts";
import { createProjectOfCaller } from "../../src/domain/membership/index.ts";
import {
  addProjectRole,
  changeProjectGrantState,
  changeProjectState,
  createProjectGrant,
  getProject,
  listProjectGrants,
  listProjectRoles,
  listProjects,
  updateProject,
  updateProjectRole,
} from "../../src/domain/project/index.ts";
import { updateApplication } from "../../src/domain/registration/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeWorld, type World } from "../support/operations/fixtures.ts";
import { outcomeOf } from "../support/operations/refused.ts";

const callers = [
  "instance owner",
  "owner",
  "owner's viewer",
  "project owner",
  "project viewer",
  "granted owner",
  "grant owner",
  "stranger",
  "nobody",
  "other instance",
  "anonymous",
] as const;
type Caller = (typeof callers)[number];

/** A project of Acme with two roles, lent to Partner, with an application and role assignments on both sides. */
async function makeFixture(world: World, organizations: Record<"acme" | "partner" | "other", string>) {
  const { owner } = world;
  const { acme, partner, other } = organizations;
  const { projectId } = await world.project({ organizationId: acme });
  for (const roleKey of ["reader", "writer"])
    await addProjectRole(world, owner, { projectId, roleKey, displayName: roleKey });
  const grant = await createProjectGrant(world, owner, {
    projectId,
    grantedOrganizationId: partner,
    roleKeys: ["reader", "writer"],
  });
  // The grant owner is appointed by their own organization.
  await world.database.touch(owner, (tx) =>
    tx.run(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence, created_at,
        changed_at)
      values (${tx.instanceId}, 'project_grant', ${grant.grantId}, 'caller', ${acme}, 1, 1, 1)`),
  );
  const { application } = await createApplicationInProject(world, owner, {
    projectId,
    name: "App",
    kind: "api",
    configuration: { authMethod: "client_secret_basic" },
  });
  const [userId, secondUserId, partnerUserId] = [
    (await world.user({ organizationId: acme })).userId,
    (await world.user({ organizationId: acme })).userId,
    (await world.user({ organizationId: partner })).userId,
  ];
  const assign = (organizationId: string) =>
    createAuthorization(world, owner, { userId, projectId, organizationId, roleKeys: ["reader"] });
  return {
    projectId,
    grant,
    application,
    userId,
    secondUserId,
    partnerUserId,
    owned: await assign(acme),
    lent: await assign(partner),
    organizations: { acme, partner, other },
  };
}
type Fixture = Awaited<ReturnType<typeof makeFixture>>;

function callOf(world: World, caller: Caller, { projectId, grant, organizations }: Fixture): Call {
  const { acme, partner, other } = organizations;
  const inside = (role: string, organizationId: string) =>
    world.as([{ role, level: "organization", resourceId: organizationId }], { organizationId });
  switch (caller) {
    case "instance owner":
      return world.owner;
    case "owner":
      return inside("ORG_OWNER", acme);
    case "owner's viewer":
      return inside("ORG_OWNER_VIEWER", acme);
    case "project owner":
      return world.as([{ role: "PROJECT_OWNER", level: "project", resourceId: projectId }], { organizationId: other });
    case "project viewer":
      return world.as([{ role: "PROJECT_OWNER_VIEWER", level: "project", resourceId: projectId }]);
    case "granted owner":
      return inside("ORG_OWNER", partner);
    case "grant owner":
      return world.as([{ role: "PROJECT_GRANT_OWNER", level: "project_grant", resourceId: grant.grantId }], {
        organizationId: partner,
      });
    case "stranger":
      return inside("ORG_OWNER", other);
    case "nobody":
      return world.as([], { organizationId: acme });
    case "other instance":
      return world.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "instance-2" });
    case "anonymous": {
      const { caller: _, ...call } = world.as([]);
      return call;
    }
    default:
      return caller satisfies never;
  }
}

type Operation = (world: World, call: Call, fixture: Fixture) => Promise<unknown>;

interface Row {
  readonly operation: Operation;
  /** Outcome per caller, in the order of `callers`. */
  readonly expected: string;
}

// + succeeds, - permission denied, 0 not found, ! unauthenticated. Columns: instance owner, owner, owner's viewer,
// project owner, project viewer, granted owner, grant owner, stranger, user without a role, other instance, anonymous.
const matrix: Readonly<Record<string, Row>> = {
  "create project": {
    operation: (world, call, { organizations }) =>
      createProjectOfCaller(world, call, { organizationId: organizations.acme, name: `P ${world.newId()}` }),
    expected: "++-00000-0!",
  },
  "get project": {
    operation: (world, call, { projectId }) => getProject(world, call, { projectId }),
    expected: "+++++++000!",
  },
  "update project": {
    operation: (world, call, { projectId }) => updateProject(world, call, { projectId, isRoleAssertionOn: true }),
    expected: "++-+-00000!",
  },
  "deactivate project": {
    operation: (world, call, { projectId }) => changeProjectState(world, call, { projectId, state: "inactive" }),
    expected: "++-+-00000!",
  },
  "delete project": {
    operation: (world, call, { projectId }) => deleteProject(world, call, { projectId }),
    // The owner of another instance could delete it anywhere, if it were there.
    expected: "++-+-0000+!",
  },
  "add role": {
    operation: (world, call, { projectId }) =>
      addProjectRole(world, call, { projectId, roleKey: "new", displayName: "New" }),
    expected: "++-+-00000!",
  },
  "update role": {
    operation: (world, call, { projectId }) =>
      updateProjectRole(world, call, { projectId, roleKey: "reader", displayName: "New" }),
    expected: "++-+-00000!",
  },
  "remove role": {
    operation: (world, call, { projectId }) => removeProjectRole(world, call, { projectId, roleKey: "reader" }),
    expected: "++-+-00000!",
  },
  "create grant": {
    operation: (world, call, { projectId, organizations }) =>
      createProjectGrant(world, call, { projectId, grantedOrganizationId: organizations.other, roleKeys: [] }),
    expected: "++-+-00000!",
  },
  "update grant": {
    operation: (world, call, { projectId, grant: { grantedOrganizationId } }) =>
      updateProjectGrant(world, call, { projectId, grantedOrganizationId, roleKeys: ["reader"] }),
    expected: "++-+---000!",
  },
  "deactivate grant": {
    operation: (world, call, { projectId, grant: { grantedOrganizationId } }) =>
      changeProjectGrantState(world, call, { projectId, grantedOrganizationId, state: "inactive" }),
    expected: "++-+-+-000!",
  },
  "delete grant": {
    operation: (world, call, { projectId, grant: { grantedOrganizationId } }) =>
      deleteProjectGrant(world, call, { projectId, grantedOrganizationId }),
    expected: "++-+---000!",
  },
  "create application": {
    operation: (world, call, { projectId }) =>
      createApplicationInProject(world, call, { projectId, name: "New", kind: "oidc", configuration: {} }),
    expected: "++-+-00000!",
  },
  "get application": {
    operation: (world, call, { application }) => getApplication(world, call, application),
    expected: "+++++00000!",
  },
  "update application": {
    operation: (world, call, { application: { applicationId, projectId } }) =>
      updateApplication(world, call, { applicationId, projectId, name: "New" }),
    expected: "++-+-00000!",
  },
  "deactivate application": {
    operation: (world, call, { application }) =>
      changeApplicationState(world, call, { ...application, state: "inactive" }),
    expected: "++-+-00000!",
  },
  "generate client secret": {
    operation: (world, call, { application }) => generateClientSecret(world, call, application),
    expected: "++-+-00000!",
  },
  "delete application": {
    operation: (world, call, { application }) => deleteApplication(world, call, application),
    expected: "++-+-0000+!",
  },
  "assign role on the owner's side": {
    operation: (world, call, { projectId, secondUserId }) =>
      createAuthorization(world, call, { projectId, userId: secondUserId, roleKeys: ["reader"] }),
    expected: "++-+-00000!",
  },
  "assign role on the granted side": {
    operation: (world, call, { projectId, partnerUserId, organizations }) =>
      createAuthorization(world, call, {
        projectId,
        userId: partnerUserId,
        organizationId: organizations.partner,
        roleKeys: ["reader"],
      }),
    expected: "+0000++000!",
  },
  "update assignment on the owner's side": {
    operation: (world, call, { owned: { authorizationId } }) =>
      updateAuthorization(world, call, { authorizationId, roleKeys: ["writer"] }),
    expected: "++-+-00000!",
  },
  "update assignment on the granted side": {
    operation: (world, call, { lent: { authorizationId } }) =>
      updateAuthorization(world, call, { authorizationId, roleKeys: ["writer"] }),
    // The user is of Acme, whom an appointee of the grant cannot see.
    expected: "+0000+?000!",
  },
  "deactivate assignment on the owner's side": {
    operation: (world, call, { owned: { authorizationId } }) =>
      changeAuthorizationState(world, call, { authorizationId, state: "inactive" }),
    expected: "++-+-00000!",
  },
  "delete assignment on the owner's side": {
    operation: (world, call, { owned: { authorizationId } }) => deleteAuthorization(world, call, { authorizationId }),
    expected: "++-+-0000+!",
  },
  "delete assignment on the granted side": {
    operation: (world, call, { lent: { authorizationId } }) => deleteAuthorization(world, call, { authorizationId }),
    expected: "+0000++00+!",
  },
};

const outcomes: Readonly<Record<string, string>> = {
  "+": "ok",
  "-": "permission_denied",
  "0": "not_found",
  "!": "unauthenticated",
  "?": "failed_precondition",
};

const first = { offset: 0, limit: 100 };

// How many rows each caller sees: of projects, roles, grants, role assignments and applications of the fixture.
const seen: Readonly<Record<Caller, readonly number[]>> = {
  "instance owner": [2, 2, 1, 2, 1],
  owner: [1, 2, 1, 1, 1],
  "owner's viewer": [1, 2, 1, 1, 1],
  "project owner": [1, 2, 1, 1, 1],
  "project viewer": [1, 2, 1, 1, 1],
  "granted owner": [1, 2, 1, 1, 0],
  "grant owner": [1, 0, 1, 1, 0],
  stranger: [0, 0, 0, 0, 0],
  nobody: [0, 0, 0, 0, 0],
  "other instance": [0, 0, 0, 0, 0],
  anonymous: [0, 0, 0, 0, 0],
};

eachEngine((open) => {
  test("every operation admits exactly the callers that it must", { timeout: 120_000 }, async (t) => {
    const world = await makeWorld(t, open);
    const organizations = {
      acme: (await world.organization("Acme")).organizationId,
      partner: (await world.organization("Partner")).organizationId,
      other: (await world.organization("Other")).organizationId,
    };
    let fixture = await makeFixture(world, organizations);
    for (const [name, { operation, expected }] of Object.entries(matrix)) {
      assert.equal(expected.length, callers.length, name);
      for (const [index, caller] of callers.entries()) {
        const outcome = await outcomeOf(operation(world, callOf(world, caller, fixture), fixture));
        assert.equal(outcome, outcomes[expected[index] ?? ""], `${name} by ${caller}`);
        if (outcome === "ok" && caller !== "other instance") fixture = await makeFixture(world, organizations);
      }
    }
  });

  test("owned and lent projects are paged as one list, each row once", async (t) => {
    const world = await makeWorld(t, open);
    const acme = await world.organization("Acme");
    const partner = await world.organization("Partner");
    const expected: string[] = [];
    for (let index = 0; index < 23; index++) {
      const { projectId } = await world.project(index % 3 === 0 ? partner : acme, {
        name: `Project ${index % 5}-${index}`,
      });
      if (index % 3 === 0) expected.push(projectId);
      else if (index % 3 === 1) {
        const { organizationId: grantedOrganizationId } = partner;
        await createProjectGrant(world, world.owner, { projectId, grantedOrganizationId, roleKeys: [] });
        expected.push(`${projectId} lent`);
      }
    }
    const { organizationId } = partner;
    const call = world.as([{ role: "ORG_OWNER", level: "organization", resourceId: organizationId }], {
      organizationId,
    });
    for (const orderBy of ["created_at", "changed_at", "name", "project_id"] as const) {
      for (const isDescending of [false, true]) {
        const seen: string[] = [];
        for (let offset = 0; offset < 20; offset += 7) {
          const page = { offset, limit: 7 };
          const { rows, total } = await listProjects(world, call, { filters: [], orderBy, isDescending, page });
          assert.equal(total, expected.length);
          seen.push(...rows.map(({ projectId, granted }) => (granted === undefined ? projectId : `${projectId} lent`)));
        }
        assert.deepEqual(seen.toSorted(), expected.toSorted(), `${orderBy} ${isDescending}`);
        const ids = seen.map((row) => row.replace(" lent", ""));
        if (orderBy === "project_id") assert.deepEqual(ids, isDescending ? ids.toSorted().reverse() : ids.toSorted());
      }
    }
  });

  test("lists show what the caller may read, and count nothing else", async (t) => {
    const world = await makeWorld(t, open);
    const organizations = {
      acme: (await world.organization("Acme")).organizationId,
      partner: (await world.organization("Partner")).organizationId,
      other: (await world.organization("Other")).organizationId,
    };
    const fixture = await makeFixture(world, organizations);
    for (const caller of callers) {
      const call = callOf(world, caller, fixture);
      const order = { isDescending: false, page: first, filters: [] } as const;
      const { projectId } = fixture;
      const lists = [
        () => listProjects(world, call, { ...order, orderBy: "created_at" }),
        () => listProjectRoles(world, call, { ...order, orderBy: "role_key", projectId }),
        () => listProjectGrants(world, call, { ...order, orderBy: "created_at" }),
        () => listAuthorizations(world, call, { ...order, orderBy: "created_at" }),
        () => listApplications(world, call, { ...order, orderBy: "name" }),
      ];
      if (caller === "anonymous") {
        for (const list of lists) assert.equal(await outcomeOf(list()), "unauthenticated");
        continue;
      }
      for (const [index, list] of lists.entries()) {
        const { rows, total } = await list();
        assert.equal(rows.length, seen[caller][index], `list ${index} by ${caller}`);
        assert.equal(total, seen[caller][index], `total of list ${index} by ${caller}`);
      }
    }
  });
});
