import assert from "node:assert/strict";
import { test } from "node:test";
import { setFeatures } from "../../src/domain/feature/index.ts";
import { operatorCall } from "../../src/domain/setup/index.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const service = "service.feature.v2.FeatureService";

eachServer((start) => {
  test("feature flags of every level", async (t) => {
    const server = await start(t);
    const { domain } = server.app;
    const organizationId = await defaultOrganization(server);
    const person = await addPerson(server, { username: "ada" });
    const { token } = await sessionOf(server, person);
    const instance = await domain.findInstanceByHost("localhost");
    const instanceId = instance?.instanceId ?? "";
    const put = (body: object, as?: string) =>
      server.rest("PUT", "/v2/features/instance", { body, ...(as !== undefined && { token: as }) });
    const get = async (query = "") => (await server.rest("GET", `/v2/features/instance${query}`)).body;

    await t.test("unset flags say what holds and that it is a default", async () => {
      const body = await get();
      assert.deepEqual(body.loginDefaultOrg, { enabled: false, source: "SOURCE_UNSPECIFIED" });
      assert.deepEqual(body.oidcTokenExchange, { enabled: true, source: "SOURCE_UNSPECIFIED" });
      assert.deepEqual(body.improvedPerformance, { executionPaths: [], source: "SOURCE_UNSPECIFIED" });
      assert.equal(body.details, undefined);
      assert.equal(Object.keys(body).length, 11);
    });

    await t.test("a set changes what is given and leaves the rest", async () => {
      const first = await put({ loginDefaultOrg: true, improvedPerformance: ["IMPROVED_PERFORMANCE_PROJECT"] });
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.equal(first.body.details.resourceOwner, instanceId);
      const second = await put({ userSchema: true, loginV2: { required: true, baseUri: "https://login.example" } });
      assert.equal(second.body.details.sequence, first.body.details.sequence + 1);
      assert.deepEqual((await put({ userSchema: true })).body, second.body);
      assert.deepEqual((await put({})).body, second.body);
      const body = await get();
      assert.deepEqual(body.loginDefaultOrg, { enabled: true, source: "SOURCE_INSTANCE" });
      assert.deepEqual(body.userSchema, { enabled: true, source: "SOURCE_INSTANCE" });
      assert.deepEqual(body.improvedPerformance.executionPaths, ["IMPROVED_PERFORMANCE_PROJECT"]);
      assert.deepEqual(body.loginV2, { required: true, baseUri: "https://login.example", source: "SOURCE_INSTANCE" });
      assert.deepEqual(body.details, second.body.details);
      const wrong = await put({ loginV2: { baseUri: "javascript:alert(1)" } });
      assert.equal(wrong.body.details[0].id, "feature.base_uri_invalid");
    });

    await t.test("an instance inherits from the system what it does not say itself", async () => {
      const operator = { ...operatorCall(instanceId, domain.clock()) };
      await setFeatures(domain, operator, {
        level: "system",
        flags: { loginDefaultOrg: false, debugOidcParentError: true },
      });
      const own = await get();
      assert.deepEqual(own.debugOidcParentError, { enabled: false, source: "SOURCE_UNSPECIFIED" });
      const inherited = await get("?inheritance=true");
      assert.deepEqual(inherited.debugOidcParentError, { enabled: true, source: "SOURCE_SYSTEM" });
      assert.deepEqual(inherited.loginDefaultOrg, { enabled: true, source: "SOURCE_INSTANCE" });
      const system = await server.connect(`${service}/GetSystemFeatures`, {});
      assert.deepEqual(system.body.loginDefaultOrg, { source: "SOURCE_SYSTEM" });
      const reset = await server.rest("DELETE", "/v2/features/instance");
      assert.deepEqual((await server.rest("DELETE", "/v2/features/instance")).body, reset.body);
      const after = await get("?inheritance=true");
      assert.deepEqual(after.loginDefaultOrg, { enabled: false, source: "SOURCE_SYSTEM" });
      assert.deepEqual(after.userSchema, { enabled: false, source: "SOURCE_UNSPECIFIED" });
    });

    await t.test("the first generation sets its one flag, of the instance that was reached", async () => {
      const set = await server.rest("PUT", "/admin/v1/features/login_default_org", { body: {} });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      assert.equal(set.body.details.resourceOwner, instanceId);
      assert.deepEqual((await get()).loginDefaultOrg, { enabled: true, source: "SOURCE_INSTANCE" });
      assert.equal((await server.rest("PUT", "/admin/v1/features/login_default_org", { token, body: {} })).status, 403);
      const path = `/system/v1/instances/${instanceId}/features/INSTANCE_FEATURE_LOGIN_DEFAULT_ORG`;
      const refused = await server.rest("PUT", path, { body: { bool: false } });
      assert.equal(refused.status, 403, "an owner of the instance is no system user");
    });

    await t.test("two first flags set concurrently are both kept", async () => {
      await Promise.all([put({ permissionCheckV2: false }), put({ consoleUseV2UserApi: true })]);
      const body = await get();
      assert.deepEqual([body.permissionCheckV2.enabled, body.consoleUseV2UserApi.enabled], [false, true]);
    });

    await t.test("every user reads, and only holders of the permission write", async () => {
      const as = { token };
      for (const level of ["instance", "system"]) {
        assert.equal((await server.rest("GET", `/v2/features/${level}`, as)).status, 200);
        assert.equal((await server.rest("PUT", `/v2/features/${level}`, { ...as, body: {} })).status, 403);
        assert.equal((await server.rest("DELETE", `/v2/features/${level}`, as)).status, 403);
      }
      // An owner of the instance owns nothing of the installation.
      assert.equal((await server.rest("PUT", "/v2/features/system", { body: {} })).status, 403);
      assert.equal((await server.rest("GET", "/v2/features/instance", { token: null })).status, 401);
    });

    await t.test("organizations and users have levels without flags", async () => {
      const other = await addOrganization(server, "Other");
      const paths = [`organization/${organizationId}`, `user/${person.userId}`];
      for (const path of paths) {
        const { body } = await server.rest("GET", `/v2/features/${path}`, { token });
        assert.equal(body.details.resourceOwner, organizationId, path);
        assert.equal((await server.rest("PUT", `/v2/features/${path}`, { token, body: {} })).status, 403, path);
        for (const method of ["PUT", "DELETE"]) {
          const done = await server.rest(method, `/v2/features/${path}`, { ...(method === "PUT" && { body: {} }) });
          assert.equal(done.body.details?.resourceOwner, organizationId, `${method} ${path}`);
        }
      }
      await appoint(server, person, { organizationId: other }, ["ORG_OWNER"]);
      const stranger = await addPerson(server, { username: "eve" });
      for (const path of [`organization/${other}`, "organization/404", `user/${person.userId}`, "user/404"]) {
        const hidden = await server.rest("GET", `/v2/features/${path}`, {
          token: (await sessionOf(server, stranger)).token,
        });
        assert.equal(hidden.status, 404, path);
      }
      assert.equal((await server.rest("PUT", `/v2/features/organization/${other}`, { token, body: {} })).status, 200);
    });
  });
});
