import assert from "node:assert/strict";
import { test } from "node:test";
import { publishedRoles } from "../access/support/model.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { systemUser } from "../support/people/system-user.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const method = "service.internal_permission.v2.InternalPermissionService/ExplainPermission";

const slug = ({ body }: Pick<RestAnswer, "body">): string | undefined => body.details?.[0]?.debug?.id;

async function explain(server: TestServer, body: object, token?: string) {
  const answer = await server.connect(method, body, token === undefined ? {} : { token });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function refusal(server: TestServer, body: object, token?: string): Promise<string | undefined> {
  const answer = await server.connect(method, body, token === undefined ? {} : { token });
  assert.notEqual(answer.status, 200, JSON.stringify(answer.body));
  return slug(answer);
}

async function must(server: TestServer, name: string, body: object, token?: string) {
  const made = await server.connect(`service.${name}`, body, token === undefined ? {} : { token });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body;
}

eachServer((start) => {
  test("permissions are explained to those who list administrators", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await start(t, { config });
    const acme = await addOwnedOrganization(server, "Acme");
    const partner = await addOwnedOrganization(server, "Partner");
    const { organizationId } = acme;
    const resource = { organizationId };
    const manager = await addServiceAccount(server, organizationId, "manager");
    await appoint(server, manager, resource, ["ORG_USER_MANAGER"]);
    const person = await addPerson(server, { username: "person", organizationId });
    const { userId } = person;
    const permission = "user.write";
    const inAcme = { resource, permission };

    await t.test("what gives a permission", async () => {
      const found = await explain(server, { userId: manager.userId, ...inAcme }, acme.token);
      const administrator = {
        level: "PERMISSION_LEVEL_ORGANIZATION",
        resourceId: organizationId,
        roles: ["ORG_USER_MANAGER"],
      };
      assert.deepEqual(found, {
        allowed: true,
        permissions: ["user.write"],
        paths: [{ administrator, effective: true }],
      });
    });

    await t.test("what is missing, and who may give it", async () => {
      const { allowed, paths, missing, permissionsToGive, administrators } = await explain(
        server,
        { userId, ...inAcme },
        acme.token,
      );
      assert.deepEqual([allowed, paths, permissionsToGive], [undefined, undefined, ["org.member.write"]]);
      const holders = (level: string) =>
        [...publishedRoles]
          .filter(([, role]) => role.level === level && role.permissions.has("user.write"))
          .map(([name]) => name)
          .toSorted();
      assert.deepEqual(
        missing.map(({ level, roles }: { level: string; roles: string[] }) => [level, roles.toSorted()]),
        [
          ["PERMISSION_LEVEL_INSTANCE", holders("instance")],
          ["PERMISSION_LEVEL_ORGANIZATION", holders("organization")],
        ],
      );
      // The manager holds no permission to appoint; owners of the instance are out of view.
      assert.deepEqual(
        administrators.map(({ id }: { id: string }) => id),
        [acme.userId],
      );
      const byOwner = await explain(server, { userId, ...inAcme });
      assert.ok(byOwner.administrators.length > 1);
      const nothing = await explain(server, { userId, resource, permission: "system.instance.write" }, acme.token);
      assert.deepEqual(nothing, { permissions: ["system.instance.write"] });
    });

    await t.test("methods, by the permissions that the contract names", async () => {
      const ask = (name: string, given: object = {}) =>
        explain(server, { userId, resource, method: name, ...given }, acme.token);
      const own = await ask("service.user.v2.UserService/UpdateUser");
      assert.deepEqual([own.allowed, own.permissions, own.allowedForOwn], [undefined, ["user.write"], true]);
      const deletion = await ask("/service.user.v2.UserService/DeleteUser", { userId: manager.userId });
      assert.deepEqual([deletion.allowed, deletion.permissions], [true, ["user.delete"]]);
      const appointing = await ask("service.internal_permission.v2.InternalPermissionService/CreateAdministrator");
      assert.deepEqual([appointing.allowed, appointing.permissions], [undefined, ["org.member.write"]]);
      const ofFirst = await ask("service.management.v1.ManagementService/ListUsers", { userId: manager.userId });
      assert.deepEqual([ofFirst.allowed, ofFirst.permissions], [true, ["user.read"]]);
      const about = await ask("service.auth.v1.AuthService/GetMyUser");
      assert.deepEqual([about.allowed, about.permissions, about.missing], [true, undefined, undefined]);
    });

    await t.test("every role, as published", async () => {
      const wrong: string[] = [];
      const permissions = ["user.write", "org.write", "project.read", "iam.read", "org.member.read", "policy.write"];
      for (const [role, { level, permissions: held }] of publishedRoles) {
        if (level !== "organization" && level !== "instance") continue;
        const holder = await addServiceAccount(server, organizationId, `holds-${role.toLowerCase()}`);
        await appoint(server, holder, level === "instance" ? { instance: true } : resource, [role]);
        for (const each of permissions) {
          const { allowed = false } = await explain(server, { userId: holder.userId, resource, permission: each });
          if (allowed !== held.has(each)) wrong.push(`${role}: ${each}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

    const { projectId } = await must(server, "project.v2.ProjectService/CreateProject", {
      organizationId,
      name: "Shop",
    });
    const roleKey = "reader";
    await must(server, "project.v2.ProjectService/AddProjectRole", { projectId, roleKey, displayName: "Reader" });

    await t.test("positions on projects and grants, and roles that wait for the user", async () => {
      const inProject = { resource: { projectId }, permission: "project.write" };
      assert.equal((await explain(server, { userId, ...inProject }, acme.token)).allowed, undefined);
      await appoint(server, person, { projectId }, ["PROJECT_OWNER"]);
      const found = await explain(server, { userId, ...inProject }, acme.token);
      assert.deepEqual([found.allowed, found.paths[0].administrator.level], [true, "PERMISSION_LEVEL_PROJECT"]);
      const above = await explain(server, { userId, resource, permission: "project.write" }, acme.token);
      assert.equal(above.allowed, undefined, "a position reaches nothing above it");

      const stranger = await addServiceAccount(server, partner.organizationId, "stranger");
      const offer = { userId: stranger.userId, resource, roles: ["ORG_USER_MANAGER"] };
      await must(server, "internal_permission.v2.InternalPermissionService/CreateAdministrator", offer, acme.token);
      const pending = await explain(server, { userId: stranger.userId, ...inAcme }, acme.token);
      assert.deepEqual([pending.allowed, pending.paths.length, pending.paths[0].effective], [undefined, 1, undefined]);
      // What they hold in the instance is out of the view of the organization's owner.
      await appoint(server, stranger, { instance: true }, ["IAM_OWNER"]);
      assert.equal((await explain(server, { userId: stranger.userId, ...inAcme }, acme.token)).allowed, undefined);
      assert.equal((await explain(server, { userId: stranger.userId, ...inAcme })).allowed, true);
    });

    await t.test("roles of a project: of the user, of a group, through a grant", async () => {
      const role = { userId, resource: { projectId }, roleKey };
      const missing = await explain(server, role, acme.token);
      assert.deepEqual(
        [missing.allowed, missing.paths, missing.permissionsToGive],
        [undefined, undefined, ["user.grant.write"]],
      );
      const givers = missing.administrators.map(({ id }: { id: string }) => id);
      assert.ok(givers.includes(acme.userId) && givers.includes(userId) && givers.length <= 10);

      const assigned = { projectId, organizationId, roleKeys: [roleKey] };
      const { id: group } = await must(server, "group.v2.GroupService/CreateGroup", {
        organizationId,
        name: "Readers",
      });
      await must(server, "group.v2.GroupService/AddUsersToGroup", { id: group, userIds: [userId] });
      const authorizations = "authorization.v2.AuthorizationService";
      const ofGroup = await must(server, `${authorizations}/CreateAuthorization`, { groupId: group, ...assigned });
      const byGroup = await explain(server, role, acme.token);
      assert.equal(byGroup.allowed, true);
      assert.deepEqual(byGroup.paths, [
        {
          effective: true,
          authorization: { id: ofGroup.id, organizationId, groupId: group, groupName: "Readers" },
        },
      ]);
      const ofUser = await must(server, `${authorizations}/CreateAuthorization`, { userId, ...assigned });
      await must(server, `${authorizations}/DeactivateAuthorization`, { id: ofGroup.id });
      const both = await explain(server, role, acme.token);
      assert.deepEqual(
        both.paths.map(
          ({ authorization, effective = false }: { authorization: { id: string }; effective?: boolean }) => [
            authorization.id,
            effective,
          ],
        ),
        [
          [ofUser.id, true],
          [ofGroup.id, false],
        ],
      );
      await must(server, "project.v2.ProjectService/DeactivateProject", { projectId });
      assert.equal((await explain(server, role, acme.token)).allowed, undefined);
      await must(server, "project.v2.ProjectService/ActivateProject", { projectId });

      const grantedOrganizationId = partner.organizationId;
      const grant = { projectId, grantedOrganizationId, roleKeys: [roleKey] };
      await must(server, "project.v2.ProjectService/CreateProjectGrant", grant);
      const client = await addServiceAccount(server, partner.organizationId, "client");
      const lent = { projectId, organizationId: partner.organizationId, roleKeys: [roleKey] };
      await must(server, `${authorizations}/CreateAuthorization`, { userId: client.userId, ...lent });
      const projectGrant = { projectId, organizationId: partner.organizationId };
      const ofPartner = { userId: client.userId, resource: { projectGrant }, roleKey };
      const through = await explain(server, ofPartner, partner.token);
      assert.equal(through.allowed, true);
      assert.notEqual(through.paths[0].authorization.projectGrantId, "");
      await must(server, "project.v2.ProjectService/DeactivateProjectGrant", { projectId, grantedOrganizationId });
      const inactive = await explain(server, ofPartner, partner.token);
      assert.deepEqual([inactive.allowed, inactive.paths.length], [undefined, 1]);
    });

    await t.test("a user who is locked, and what is invalid", async () => {
      await must(server, "user.v2.UserService/LockUser", { userId: manager.userId });
      const locked = await explain(server, { userId: manager.userId, ...inAcme }, acme.token);
      assert.deepEqual([locked.allowed, locked.inactive], [true, true]);
      for (const [subject, expected] of [
        [{ permission: "user.fly" }, "permission.unknown"],
        [{ permission: "__proto__" }, "permission.unknown"],
        [{ method: "service.user.v2.UserService/Fly" }, "method.unknown"],
        [{ roleKey }, "membership.resource_missing"],
        [{}, "permission.unknown"],
      ] as const) {
        assert.equal(await refusal(server, { userId, resource, ...subject }, acme.token), expected);
      }
      const unknown = { userId, resource: { projectId }, roleKey: "writer" };
      assert.equal(await refusal(server, unknown, acme.token), "project.role_not_found");
      assert.equal(await refusal(server, { userId, permission, resource: {} }), "membership.resource_missing");
    });

    await t.test("what callers may not see does not exist", async () => {
      const { token } = await sessionOf(server, await addPerson(server, { username: "nosy", organizationId }));
      const absent = "399999999999990000";
      // Callers who may not read the resource, and those who may not list its administrators.
      for (const caller of [partner.token, token]) {
        const there = await refusal(server, { userId, ...inAcme }, caller);
        assert.equal(there, "organization.not_found");
        const nowhere = { userId, permission, resource: { organizationId: absent } };
        assert.equal(await refusal(server, nowhere, caller), there);
        const inProject = await refusal(server, { userId, permission, resource: { projectId } }, caller);
        assert.equal(inProject, "project.not_found");
        assert.equal(
          await refusal(server, { userId, permission, resource: { instance: true } }, caller),
          "permission.missing",
        );
      }
      assert.equal(
        await refusal(server, { userId, permission, resource: { instance: true } }, acme.token),
        "permission.missing",
      );
      // Users of others, as long as no list shows them here.
      for (const other of [partner.userId, absent]) {
        assert.equal(await refusal(server, { userId: other, ...inAcme }, acme.token), "user.not_found");
        const role = { userId: other, resource: { projectId }, roleKey };
        assert.equal(await refusal(server, role, acme.token), "user.not_found");
      }
      assert.equal((await explain(server, { userId: partner.userId, ...inAcme })).allowed, undefined);
      const anonymous = await server.rest("POST", `/${method}`, { body: { userId, ...inAcme }, token: null });
      assert.equal(anonymous.status, 401);

      const machine = {
        userName: "robot",
        name: "Robot",
        personalAccessToken: { expirationDate: "2100-01-01T00:00:00Z" },
      };
      const { body: far } = await server.rest("POST", "/service.system.v1.SystemService/CreateInstance", {
        token: tokenFor(server),
        body: { instanceName: "Far", firstOrgName: "Far", customDomain: "far.example", machine },
      });
      const ask = async (body: object) =>
        slug(await server.byHost("far.example", "POST", `/${method}`, { token: far.pat, body }));
      assert.equal(await ask({ userId, ...inAcme }), "organization.not_found");
      assert.equal(await ask({ userId, permission, resource: { instance: true } }), "user.not_found");
    });
  });
});
