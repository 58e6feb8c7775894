import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const admin = "service.admin.v1.AdminService";
const orgId = "710000000000000001";

const person = (userName: string, email = `${userName}@mail.example`) => ({
  userName,
  profile: { firstName: "Pat", lastName: "P" },
  email: { email, isEmailVerified: true },
});

const importing = (server: TestServer, body: object, options = {}) =>
  server.connect(`${admin}/ImportData`, body, options);

eachServer((start) => {
  test("imports and exports do what their caller may do, and no more", async (t) => {
    const server = await start(t);
    const org = { orgId, org: { name: "New" } };

    await t.test("a wrong entry is told, and the rest goes on", async () => {
      const humanUsers = [
        { userId: "81", user: person("one") },
        { userId: "82", user: { userName: "", profile: {}, email: { email: "nothing" } } },
        { userId: "83", user: { ...person("three"), recoveryCodes: [{ raw: "12345678" }] } },
        { userId: "84" },
        { userId: "85", user: person("five") },
      ];
      const appKeys = [{ id: "86", projectId: "1", appId: "2" }];
      const { status, body } = await importing(server, { dataOrgs: { orgs: [{ ...org, humanUsers, appKeys }] } });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.success.orgs[0].humanUserIds, ["81", "85"]);
      assert.deepEqual(
        body.errors.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`),
        ["app_key 86", "human_user 82", "human_user 83", "human_user 84"],
      );
      for (const { message } of body.errors) assert.match(message, /\(\w+\.\w+\)$/);
    });

    await t.test("a repetition is harmless", async () => {
      const orgs = [{ ...org, humanUsers: [{ userId: "81", user: person("renamed") }] }];
      const { body } = await importing(server, { dataOrgs: { orgs } });
      assert.match(body.errors[0].message, /organization\.id_taken/);
      assert.match(body.errors[1].message, /user\.id_taken/);
      const read = await server.rest("GET", "/management/v1/users/81", { headers: { "x-service-orgid": orgId } });
      assert.equal(read.body.user.userName, "one");
    });

    await t.test("an entry changes nothing of another organization", async () => {
      const other = await addOrganization(server, "Other");
      const projects = [{ projectId: "87", project: { name: "Own" } }];
      await importing(server, { dataOrgs: { orgs: [{ orgId: other, projects }] } });
      const projectRoles = [{ projectId: "87", roleKey: "spy", displayName: "Spy" }];
      const userMetadata = [{ id: "81", key: "k", value: "eA==" }];
      const foreign = await importing(server, { dataOrgs: { orgs: [{ orgId, projectRoles }] } });
      assert.match(foreign.body.errors[0].message, /project\.not_found/);
      const crossed = await importing(server, { dataOrgs: { orgs: [{ orgId: other, userMetadata }] } });
      assert.match(crossed.body.errors[0].message, /user\.not_found/);
      // The control: where they belong, both are imported.
      const right = await importing(server, {
        dataOrgs: {
          orgs: [
            { orgId: other, projectRoles },
            { orgId, userMetadata },
          ],
        },
      });
      assert.equal(right.body.errors, undefined);
    });

    await t.test("only administrators of the instance call, each with the rights of the single calls", async () => {
      const owner = await addPerson(server, { username: "owner", organizationId: orgId });
      await appoint(server, owner, { organizationId: orgId }, ["ORG_OWNER"]);
      const { token } = await sessionOf(server, owner);
      assert.equal((await importing(server, { dataOrgs: {} }, { token })).status, 403);
      const exporting = (by: string | null) =>
        server.connect(`${admin}/ExportData`, { orgIds: [orgId], responseOutput: true }, { token: by });
      assert.equal((await exporting(token)).status, 403);
      assert.equal((await exporting(null)).status, 401);
      const manager = await addPerson(server, { username: "manager" });
      await appoint(server, manager, { instance: true }, ["IAM_ORG_MANAGER"]);
      const limited = await sessionOf(server, manager);
      const refused = await exporting(limited.token);
      assert.equal(refused.status, 403, JSON.stringify(refused.body));
      const viewer = await addPerson(server, { username: "viewer" });
      await appoint(server, viewer, { instance: true }, ["IAM_OWNER_VIEWER"]);
      const seen = await exporting((await sessionOf(server, viewer)).token);
      assert.equal(seen.status, 200, JSON.stringify(seen.body));
      assert.equal(seen.body.orgs[0].humanUsers.length, 3);
    });

    await t.test(
      "no entry takes the account of its importer, or of another administrator of the instance",
      async () => {
        const own = await addOrganization(server, "Of the importer");
        const importer = await addPerson(server, { username: "importer", organizationId: own });
        await appoint(server, importer, { instance: true }, ["IAM_OWNER"]);
        const { token } = await sessionOf(server, importer);
        const state = "USER_STATE_INACTIVE";
        const users = [{ userId: importer.userId, user: person("importer"), state }];
        const orgs = [{ orgId: own, humanUsers: users, orgState: "ORG_STATE_INACTIVE" }];
        for (const options of [{ token }, {}]) {
          const { body } = await importing(server, { dataOrgs: { orgs } }, options);
          const slugs = body.errors.map(({ message }: { message: string }) => /\((.*)\)$/.exec(message)?.[1]);
          assert.deepEqual(slugs, ["user.id_taken", "user.administers_more", "organization.administers_instance"]);
        }
        // The control: of a user who administers nothing there, both are imported.
        const { body } = await importing(server, {
          dataOrgs: { orgs: [{ orgId, humanUsers: [{ userId: "85", user: person("five"), state }] }] },
        });
        assert.deepEqual(body.errors.length, 1, JSON.stringify(body));
        assert.match(body.errors[0].message, /user\.id_taken/);
        const read = await server.rest("GET", "/management/v1/users/85", { headers: { "x-service-orgid": orgId } });
        assert.equal(read.body.user.state, state);
      },
    );

    await t.test("files and stores of the server, hashes and secrets are refused", async () => {
      for (const body of [
        {},
        { dataOrgsLocal: { path: "/etc/passwd" } },
        { dataOrgsv1Local: { path: "/etc/passwd" } },
        { dataOrgsS3: { path: "x", endpoint: "http://127.0.0.1" } },
        { dataOrgsGcs: { bucket: "b", path: "x" } },
      ]) {
        const { body: answer } = await importing(server, body);
        assert.equal(answer.code, "failed_precondition", JSON.stringify(body));
        assert.equal(answer.details[0].debug.id, "data.location_refused");
      }
      for (const body of [
        {},
        { localOutput: { path: "/tmp/out" } },
        { responseOutput: true, localOutput: { path: "/tmp/out" } },
        { responseOutput: true, s3Output: { endpoint: "http://127.0.0.1" } },
        { responseOutput: true, withPasswords: true },
        { responseOutput: true, withOtp: true },
      ]) {
        const { body: answer } = await server.connect(`${admin}/ExportData`, body);
        assert.equal(answer.code, "failed_precondition", JSON.stringify(body));
        assert.match(answer.details[0].debug.id, /^data\.(?:location|secrets)_refused$/);
      }
    });

    await t.test("lists have a limit", async () => {
      const orgMembers = Array.from({ length: 8_193 }, () => ({}));
      const { body } = await importing(server, { dataOrgs: { orgs: [{ orgId, orgMembers }] } });
      assert.equal(body.details[0].debug.id, "field.too_many");
    });

    await t.test("time", async () => {
      const orgs = [{ orgId: "710000000000000009", org: { name: "Late" } }];
      const late = await importing(server, { dataOrgs: { orgs }, timeout: "0s" });
      assert.equal(late.body.errors[0].type, "timeout");
      assert.equal(late.body.errors.length, 1);
      const inTime = await importing(server, { dataOrgs: { orgs }, timeout: "1m30s" });
      assert.equal(inTime.body.errors, undefined);
      for (const timeout of ["soon", "-1s", "1", "1e9s"]) {
        assert.equal((await importing(server, { dataOrgs: { orgs }, timeout })).body.code, "invalid_argument", timeout);
      }
      const short = await server.connect(`${admin}/ExportData`, { responseOutput: true, timeout: "0s" });
      assert.equal(short.body.code, "resource_exhausted");
    });

    await t.test("the first format", async () => {
      const first = {
        orgId: "710000000000000008",
        org: { name: "First" },
        iamPolicy: { userLoginMustBeDomain: true },
        loginPolicy: { allowUsernamePassword: true },
        secondFactors: [{ type: "SECOND_FACTOR_TYPE_OTP" }],
        actions: [{ actionId: "a", action: { name: "note", script: "function note(ctx, api) {}" } }],
        triggerActions: [
          {
            flowType: "FLOW_TYPE_EXTERNAL_AUTHENTICATION",
            triggerType: "TRIGGER_TYPE_PRE_CREATION",
            actionIds: ["a"],
          },
        ],
      };
      const { body } = await importing(server, { dataOrgsv1: { orgs: [first] } });
      assert.equal(body.errors, undefined, JSON.stringify(body.errors));
      const { triggerActions, actionIds } = body.success.orgs[0];
      assert.deepEqual(triggerActions, [{ flowType: "1", triggerType: "2", actionIds }]);
    });
  });
});
