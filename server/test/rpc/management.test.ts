import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";

const management = "service.management.v1.ManagementService";

/** A condition on a text. */
const is = (value: object, method = "EQUALS") => ({ ...value, method: `TEXT_QUERY_METHOD_${method}` });

eachServer((start) => {
  test("the management API of the first generation", async (t) => {
    const server = await start(t);
    const home = await defaultOrganization(server);
    const other = await addOrganization(server, "Other");
    const person = await addPerson(server, { username: "pat" });
    const plain = (await sessionOf(server, person)).token;
    const foreign = await addPerson(server, { username: "eve", organizationId: other });
    await appoint(server, foreign, { organizationId: other }, ["ORG_OWNER"]);
    const stranger = (await sessionOf(server, foreign)).token;

    await t.test("every built method asks for a caller, a permission and the organization of the call", async () => {
      let count = 0;
      for (const method of server.app.methods.values()) {
        if (!method.name.startsWith(`${management}/`) || method.access.kind !== "permission") continue;
        if ((await method.loadImplementation()) === undefined) continue;
        count++;
        const ask = (token: string | null, headers = {}) => server.connect(method.name, {}, { token, headers });
        assert.equal((await ask(null)).status, 401, method.name);
        assert.equal((await ask(plain)).status, 403, method.name);
        assert.equal((await ask(stranger, { "x-service-orgid": home })).status, 403, method.name);
        assert.equal((await ask(server.ownerToken, { "x-service-orgid": "404" })).status, 403, method.name);
      }
      assert.ok(count > 90, `${count} methods`);
    });

    await t.test("users of other organizations do not exist for it", async () => {
      const paths: readonly [string, string, object?][] = [
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/_deactivate", {}],
        ["POST", "/_lock", {}],
        ["PUT", "/username", { userName: "x" }],
        ["GET", "/profile"],
        ["PUT", "/profile", { firstName: "X", lastName: "Y", displayName: "Z" }],
        ["GET", "/email"],
        ["PUT", "/email", { email: "x@mail.example" }],
        ["PUT", "/phone", { phone: "+41791234567" }],
        ["POST", "/password", { password: "correct horse battery" }],
        ["POST", "/metadata/plan", { value: "eA==" }],
        ["GET", "/metadata/plan"],
        ["POST", "/keys", { type: "KEY_TYPE_JSON" }],
        ["PUT", "/secret", {}],
      ];
      for (const [method, path, body] of paths) {
        const ask = (userId: string) =>
          server.rest(method, `/management/v1/users/${userId}${path}`, { token: stranger, ...(body && { body }) });
        const [hidden, absent] = [await ask(person.userId), await ask("404")];
        assert.deepEqual([hidden.status, hidden.body], [404, absent.body], `${method} ${path}`);
      }
    });

    await t.test("users are read, changed and moved between states", async () => {
      const user = (method: string, path: string, body?: object) =>
        server.rest(method, `/management/v1/users/${person.userId}${path}`, body === undefined ? {} : { body });
      const found = await server.rest("POST", "/management/v1/users/_search", {
        body: { queries: [{ userNameQuery: { userName: "pat" } }] },
      });
      assert.deepEqual([found.body.details.totalResult, found.body.result[0].id], [1, person.userId]);
      const email = await user("PUT", "/email", { email: "pat@new.example", isEmailVerified: true });
      assert.equal(email.status, 200, JSON.stringify(email.body));
      assert.deepEqual((await user("GET", "/email")).body.email, {
        email: "pat@new.example",
        isEmailVerified: true,
        proof: { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", level: "CONTACT_PROOF_LEVEL_INSTANCE" },
      });
      assert.equal((await user("POST", "/metadata/plan", { value: "Z29sZA==" })).status, 200);
      assert.equal((await user("GET", "/metadata/plan")).body.metadata.value, "Z29sZA==");
      assert.equal((await user("DELETE", "/metadata/plan")).status, 200);
      assert.equal((await user("GET", "/metadata/plan")).status, 404);
      const state = async () => (await user("GET", "")).body.user.state;
      for (const [move, to] of [
        ["_deactivate", "USER_STATE_INACTIVE"],
        ["_reactivate", "USER_STATE_ACTIVE"],
        ["_lock", "USER_STATE_LOCKED"],
        ["_unlock", "USER_STATE_ACTIVE"],
      ] as const) {
        assert.equal((await user("POST", `/${move}`, {})).status, 200, move);
        assert.equal(await state(), to);
      }
      assert.equal((await user("DELETE", "")).status, 200);
      assert.equal((await user("GET", "")).status, 404);
    });

    await t.test("both generations find the same users by the same conditions", async () => {
      const ada = await addPerson(server, { username: "ada" });
      const bob = await addPerson(server, { username: "bob" });
      const made = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: home,
        username: "robot",
        machine: { name: "Robot" },
      });
      const robot: string = made.body.id;
      await server.connect("service.user.v2.UserService/DeactivateUser", { userId: bob.userId });
      const people = { inUserIdsQuery: { userIds: [ada.userId, bob.userId, robot] } };
      const name = { userNameQuery: is({ userName: "ada" }) };
      const cases: readonly [object, string[]][] = [
        [name, ["ada"]],
        [{ firstNameQuery: is({ firstName: "B" }, "STARTS_WITH_IGNORE_CASE") }, ["bob"]],
        [{ lastNameQuery: is({ lastName: "Example" }) }, ["ada", "bob"]],
        [{ nickNameQuery: is({ nickName: "none" }) }, []],
        [{ displayNameQuery: is({ displayName: "Robot" }) }, ["robot"]],
        [{ emailQuery: is({ emailAddress: "bob@" }, "STARTS_WITH") }, ["bob"]],
        [{ loginNameQuery: is({ loginName: ada.loginName }) }, ["ada"]],
        [{ stateQuery: { state: "USER_STATE_INACTIVE" } }, ["bob"]],
        [{ typeQuery: { type: "TYPE_MACHINE" } }, ["robot"]],
        [{ typeQuery: { type: "TYPE_HUMAN" } }, ["ada", "bob"]],
        [{ inUserEmailsQuery: { userEmails: ["ada@mail.example", "nobody@mail.example"] } }, ["ada"]],
        [{ andQuery: { queries: [name, { typeQuery: { type: "TYPE_MACHINE" } }] } }, []],
        [{ orQuery: { queries: [name, { typeQuery: { type: "TYPE_MACHINE" } }] } }, ["ada", "robot"]],
        [{ notQuery: { query: { orQuery: { queries: [name] } } } }, ["bob", "robot"]],
      ];
      const lists = { "/management/v1/users/_search": "userName", "/v2/users": "username" } as const;
      for (const [path, field] of Object.entries(lists)) {
        for (const [condition, expected] of cases) {
          const { status, body } = await server.rest("POST", path, {
            body: { sortingColumn: "USER_FIELD_NAME_USER_NAME", query: { asc: true }, queries: [people, condition] },
          });
          assert.equal(status, 200, JSON.stringify(body));
          const found = (body.result ?? []).map((user: Record<string, string>) => user[field]);
          assert.deepEqual(found, expected, `${path} ${JSON.stringify(condition)}`);
        }
        for (const invalid of [
          {},
          { typeQuery: {} },
          { stateQuery: {} },
          { notQuery: {} },
          { orQuery: { queries: [{}] } },
        ]) {
          const { status, body } = await server.rest("POST", path, { body: { queries: [invalid] } });
          assert.deepEqual([status, body.details[0].id], [400, "filter.invalid"], JSON.stringify(invalid));
        }
      }
    });

    await t.test("service accounts get secrets and keys", async () => {
      const made = await server.rest("POST", "/management/v1/users/machine", {
        body: { userName: "bot", name: "Bot" },
      });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const bot = (method: string, path: string, body?: object) =>
        server.rest(method, `/management/v1/users/${made.body.userId}${path}`, body === undefined ? {} : { body });
      const { clientId, clientSecret } = (await bot("PUT", "/secret", {})).body;
      const form = new URLSearchParams({ grant_type: "client_credentials", scope: "openid" });
      const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString(
        "base64",
      );
      const token = await fetch(`${server.origin}/oauth/v2/token`, {
        method: "POST",
        body: form,
        headers: { authorization: `Basic ${basic}` },
      });
      assert.equal(token.status, 200);
      const key = await bot("POST", "/keys", { type: "KEY_TYPE_JSON" });
      assert.equal(JSON.parse(Buffer.from(key.body.keyDetails, "base64").toString()).keyId, key.body.keyId);
      assert.equal((await bot("GET", `/keys/${key.body.keyId}`)).body.key.id, key.body.keyId);
      assert.equal((await bot("DELETE", `/keys/${key.body.keyId}`)).status, 200);
      assert.equal((await bot("POST", "/keys/_search", {})).body.details.totalResult, 0);
    });

    await t.test("the organization of the call, its metadata and its domains", async () => {
      const mine = (method: string, path: string, body?: object) =>
        server.rest(method, `/management/v1${path}`, { token: stranger, ...(body && { body }) });
      assert.equal((await mine("GET", "/orgs/me")).body.org.id, other);
      assert.equal((await mine("PUT", "/orgs/me", { name: "Another" })).status, 200);
      assert.equal((await mine("GET", "/orgs/me")).body.org.name, "Another");
      assert.equal((await mine("POST", "/metadata/plan", { value: "Z29sZA==" })).status, 200);
      assert.equal((await mine("GET", "/metadata/plan")).body.metadata.value, "Z29sZA==");
      // Without a proof, asserted by an administrator of the instance.
      await changeSettings(server, "domain", { requireOrganizationDomainProof: false });
      const added = await server.rest("POST", "/management/v1/orgs/me/domains", {
        body: { domain: "another.example" },
        headers: { "x-service-orgid": other },
      });
      assert.equal(added.status, 200);
      assert.equal((await mine("POST", "/orgs/me/domains/another.example/_set_primary", {})).status, 200);
      const [primary] = (await mine("POST", "/orgs/me/domains/_search", {})).body.result.filter(
        ({ isPrimary }: { isPrimary: boolean }) => isPrimary,
      );
      assert.equal(primary.domainName, "another.example");
      const byId = await server.rest("GET", `/admin/v1/orgs/${other}`);
      assert.equal(byId.body.org.primaryDomain, "another.example");
      assert.equal((await server.rest("GET", "/admin/v1/orgs/default")).body.org.id, home);
      assert.equal((await server.rest("GET", `/admin/v1/orgs/${other}`, { token: stranger })).status, 403);
    });
  });
});
