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
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";
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
async function makeTarget(fixtures: Fixtures, organizations: Record<"acme" | "partner" | "other", string>) {
  const { owner } = fixtures;
  const { acme, partner, other } = organizations;
  const { projectId } = await fixtures.project({ organizationId: acme });
  for (const roleKey of ["reader", "writer"])
    await addProjectRole(fixtures, owner, { projectId, roleKey, displayName: roleKey });
  const grant = await createProjectGrant(fixtures, owner, {
    projectId,
    grantedOrganizationId: partner,
    roleKeys: ["reader", "writer"],
  });
  // The grant owner is appointed by their own organization.
  await fixtures.database.touch(owner, (tx) =>
    tx.run(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence, created_at,
        changed_at)
      values (${tx.instanceId}, 'project_grant', ${grant.grantId}, 'caller', ${acme}, 1, 1, 1)`),
  );
  const { application } = await createApplicationInProject(fixtures, owner, {
    projectId,
    name: "App",
    kind: "api",
    configuration: { authMethod: "client_secret_basic" },
  });
  const [userId, secondUserId, partnerUserId] = [
    (await fixtures.user({ organizationId: acme })).userId,
    (await fixtures.user({ organizationId: acme })).userId,
    (await fixtures.user({ organizationId: partner })).userId,
  ];
  const assign = (organizationId: string) =>
    createAuthorization(fixtures, owner, { userId, projectId, organizationId, roleKeys: ["reader"] });
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
type Target = Awaited<ReturnType<typeof makeTarget>>;

function callOf(fixtures: Fixtures, caller: Caller, { projectId, grant, organizations }: Target): Call {
  const { acme, partner, other } = organizations;
  const inside = (role: string, organizationId: string) =>
    fixtures.as([{ role, level: "organization", resourceId: organizationId }], { organizationId });
  switch (caller) {
    case "instance owner":
      return fixtures.owner;
    case "owner":
      return inside("ORG_OWNER", acme);
    case "owner's viewer":
      return inside("ORG_OWNER_VIEWER", acme);
    case "project owner":
      return fixtures.as([{ role: "PROJECT_OWNER", level: "project", resourceId: projectId }], {
        organizationId: other,
      });
    case "project viewer":
      return fixtures.as([{ role: "PROJECT_OWNER_VIEWER", level: "project", resourceId: projectId }]);
    case "granted owner":
      return inside("ORG_OWNER", partner);
    case "grant owner":
      return fixtures.as([{ role: "PROJECT_GRANT_OWNER", level: "project_grant", resourceId: grant.grantId }], {
        organizationId: partner,
      });
    case "stranger":
      return inside("ORG_OWNER", other);
    case "nobody":
      return fixtures.as([], { organizationId: acme });
    case "other instance":
      return fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "instance-2" });
    case "anonymous": {
      const { caller: _, ...call } = fixtures.as([]);
      return call;
    }
    default:
      return caller satisfies never;
  }
}

type Operation = (fixtures: Fixtures, call: Call, target: Target) => Promise<unknown>;

interface Row {
  readonly operation: Operation;
  /** Outcome per caller, in the order of `callers`. */
  readonly expected: string;
}

// + succeeds, - permission denied, 0 not found, ! unauthenticated. Columns: instance owner, owner, owner's viewer,
// project owner, project viewer, granted owner, grant owner, stranger, user without a role, other instance, anonymous.
const matrix: Readonly<Record<string, Row>> = {
  "create project": {
    operation: (fixtures, call, { organizations }) =>
      createProjectOfCaller(fixtures, call, { organizationId: organizations.acme, name: `P ${fixtures.newId()}` }),
    expected: "++-00000-0!",
  },
  "get project": {
    operation: (fixtures, call, { projectId }) => getProject(fixtures, call, { projectId }),
    expected: "+++++++000!",
  },
  "update project": {
    operation: (fixtures, call, { projectId }) => updateProject(fixtures, call, { projectId, isRoleAssertionOn: true }),
    expected: "++-+-00000!",
  },
  "deactivate project": {
    operation: (fixtures, call, { projectId }) => changeProjectState(fixtures, call, { projectId, state: "inactive" }),
    expected: "++-+-00000!",
  },
  "delete project": {
    operation: (fixtures, call, { projectId }) => deleteProject(fixtures, call, { projectId }),
    // The owner of another instance could delete it anywhere, if it were there.
    expected: "++-+-0000+!",
  },
  "add role": {
    operation: (fixtures, call, { projectId }) =>
      addProjectRole(fixtures, call, { projectId, roleKey: "new", displayName: "New" }),
    expected: "++-+-00000!",
  },
  "update role": {
    operation: (fixtures, call, { projectId }) =>
      updateProjectRole(fixtures, call, { projectId, roleKey: "reader", displayName: "New" }),
    expected: "++-+-00000!",
  },
  "remove role": {
    operation: (fixtures, call, { projectId }) => removeProjectRole(fixtures, call, { projectId, roleKey: "reader" }),
    expected: "++-+-00000!",
  },
  "create grant": {
    operation: (fixtures, call, { projectId, organizations }) =>
      createProjectGrant(fixtures, call, { projectId, grantedOrganizationId: organizations.other, roleKeys: [] }),
    expected: "++-+-00000!",
  },
  "update grant": {
    operation: (fixtures, call, { projectId, grant: { grantedOrganizationId } }) =>
      updateProjectGrant(fixtures, call, { projectId, grantedOrganizationId, roleKeys: ["reader"] }),
    expected: "++-+---000!",
  },
  "deactivate grant": {
    operation: (fixtures, call, { projectId, grant: { grantedOrganizationId } }) =>
      changeProjectGrantState(fixtures, call, { projectId, grantedOrganizationId, state: "inactive" }),
    expected: "++-+-+-000!",
  },
  "delete grant": {
    operation: (fixtures, call, { projectId, grant: { grantedOrganizationId } }) =>
      deleteProjectGrant(fixtures, call, { projectId, grantedOrganizationId }),
    expected: "++-+---000!",
  },
  "create application": {
    operation: (fixtures, call, { projectId }) =>
      createApplicationInProject(fixtures, call, { projectId, name: "New", kind: "oidc", configuration: {} }),
    expected: "++-+-00000!",
  },
  "get application": {
    operation: (fixtures, call, { application }) => getApplication(fixtures, call, application),
    expected: "+++++00000!",
  },
  "update application": {
    operation: (fixtures, call, { application: { applicationId, projectId } }) =>
      updateApplication(fixtures, call, { applicationId, projectId, name: "New" }),
    expected: "++-+-00000!",
  },
  "deactivate application": {
    operation: (fixtures, call, { application }) =>
      changeApplicationState(fixtures, call, { ...application, state: "inactive" }),
    expected: "++-+-00000!",
  },
  "generate client secret": {
    operation: (fixtures, call, { application }) => generateClientSecret(fixtures, call, application),
    expected: "++-+-00000!",
  },
  "delete application": {
    operation: (fixtures, call, { application }) => deleteApplication(fixtures, call, application),
    expected: "++-+-0000+!",
  },
  "assign role on the owner's side": {
    operation: (fixtures, call, { projectId, secondUserId }) =>
      createAuthorization(fixtures, call, { projectId, userId: secondUserId, roleKeys: ["reader"] }),
    expected: "++-+-00000!",
  },
  "assign role on the granted side": {
    operation: (fixtures, call, { projectId, partnerUserId, organizations }) =>
      createAuthorization(fixtures, call, {
        projectId,
        userId: partnerUserId,
        organizationId: organizations.partner,
        roleKeys: ["reader"],
      }),
    expected: "+0000++000!",
  },
  "update assignment on the owner's side": {
    operation: (fixtures, call, { owned: { authorizationId } }) =>
      updateAuthorization(fixtures, call, { authorizationId, roleKeys: ["writer"] }),
    expected: "++-+-00000!",
  },
  "update assignment on the granted side": {
    operation: (fixtures, call, { lent: { authorizationId } }) =>
      updateAuthorization(fixtures, call, { authorizationId, roleKeys: ["writer"] }),
    // The user is of Acme, whom an appointee of the grant cannot see.
    expected: "+0000+?000!",
  },
  "deactivate assignment on the owner's side": {
    operation: (fixtures, call, { owned: { authorizationId } }) =>
      changeAuthorizationState(fixtures, call, { authorizationId, state: "inactive" }),
    expected: "++-+-00000!",
  },
  "delete assignment on the owner's side": {
    operation: (fixtures, call, { owned: { authorizationId } }) =>
      deleteAuthorization(fixtures, call, { authorizationId }),
    expected: "++-+-0000+!",
  },
  "delete assignment on the granted side": {
    operation: (fixtures, call, { lent: { authorizationId } }) =>
      deleteAuthorization(fixtures, call, { authorizationId }),
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

// How many rows each caller sees: of projects, roles, grants, role assignments and applications of the target.
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
    const fixtures = await makeFixtures(t, open);
    const organizations = {
      acme: (await fixtures.organization("Acme")).organizationId,
      partner: (await fixtures.organization("Partner")).organizationId,
      other: (await fixtures.organization("Other")).organizationId,
    };
    let target = await makeTarget(fixtures, organizations);
    for (const [name, { operation, expected }] of Object.entries(matrix)) {
      assert.equal(expected.length, callers.length, name);
      for (const [index, caller] of callers.entries()) {
        const outcome = await outcomeOf(operation(fixtures, callOf(fixtures, caller, target), target));
        assert.equal(outcome, outcomes[expected[index] ?? ""], `${name} by ${caller}`);
        if (outcome === "ok" && caller !== "other instance") target = await makeTarget(fixtures, organizations);
      }
    }
  });

  test("owned and lent projects are paged as one list, each row once", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const acme = await fixtures.organization("Acme");
    const partner = await fixtures.organization("Partner");
    const expected: string[] = [];
    for (let index = 0; index < 23; index++) {
      const { projectId } = await fixtures.project(index % 3 === 0 ? partner : acme, {
        name: `Project ${index % 5}-${index}`,
      });
      if (index % 3 === 0) expected.push(projectId);
      else if (index % 3 === 1) {
        const { organizationId: grantedOrganizationId } = partner;
        await createProjectGrant(fixtures, fixtures.owner, { projectId, grantedOrganizationId, roleKeys: [] });
        expected.push(`${projectId} lent`);
      }
    }
    const { organizationId } = partner;
    const call = fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organizationId }], {
      organizationId,
    });
    for (const orderBy of ["created_at", "changed_at", "name", "project_id"] as const) {
      for (const isDescending of [false, true]) {
        const seen: string[] = [];
        for (let offset = 0; offset < 20; offset += 7) {
          const page = { offset, limit: 7 };
          const { rows, total } = await listProjects(fixtures, call, { filters: [], orderBy, isDescending, page });
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
    const fixtures = await makeFixtures(t, open);
    const organizations = {
      acme: (await fixtures.organization("Acme")).organizationId,
      partner: (await fixtures.organization("Partner")).organizationId,
      other: (await fixtures.organization("Other")).organizationId,
    };
    const target = await makeTarget(fixtures, organizations);
    for (const caller of callers) {
      const call = callOf(fixtures, caller, target);
      const order = { isDescending: false, page: first, filters: [] } as const;
      const { projectId } = target;
      const lists = [
        () => listProjects(fixtures, call, { ...order, orderBy: "created_at" }),
        () => listProjectRoles(fixtures, call, { ...order, orderBy: "role_key", projectId }),
        () => listProjectGrants(fixtures, call, { ...order, orderBy: "created_at" }),
        () => listAuthorizations(fixtures, call, { ...order, orderBy: "created_at" }),
        () => listApplications(fixtures, call, { ...order, orderBy: "name" }),
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
