import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { appCode } from "../support/sign-in/totp.ts";

eachServer((start) => {
  test("factors in the first generation of the API", async (t) => {
    const server = await start(t);
    const person = await addPerson(server, { username: "fay" });
    const { token } = await sessionOf(server, person);
    const mine = (method: string, path: string, body?: object) =>
      server.rest(method, `/auth/v1/users/me${path}`, { token, ...(body !== undefined && { body }) });
    const managed = `/management/v1/users/${person.userId}`;
    const list = async () => (await mine("POST", "/auth_factors/_search")).body.result;
    assert.deepEqual(await list(), []);
    const added = await mine("POST", "/auth_factors/otp", {});
    assert.equal(added.status, 200, JSON.stringify(added.body));
    assert.match(added.body.url, /^otpauth:/);
    assert.deepEqual(await list(), [{ state: "AUTH_FACTOR_STATE_NOT_READY", blocked: false, otp: {} }]);
    assert.deepEqual((await mine("POST", "/passwordless/_search")).body.result, []);
    assert.equal((await mine("POST", "/auth_factors/otp/_verify", { code: "000000" })).status, 400);
    const code = appCode(added.body.secret, server.clock.now);
    assert.equal((await mine("POST", "/auth_factors/otp/_verify", { code })).status, 200);
    // A session without the factor is no longer enough.
    assert.equal((await mine("POST", "/auth_factors/_search")).status, 401);
    const seen = await server.rest("POST", `${managed}/auth_factors/_search`, { body: {} });
    assert.deepEqual(seen.body.result, [{ state: "AUTH_FACTOR_STATE_READY", blocked: false, otp: {} }]);

    const other = await addPerson(server, { username: "eve", organizationId: await addOrganization(server, "Other") });
    await appoint(server, other, { organizationId: other.organizationId }, ["ORG_OWNER"]);
    const { token: stranger } = await sessionOf(server, other);
    for (const [method, path] of [
      ["POST", "/auth_factors/_search"],
      ["DELETE", "/auth_factors/otp"],
      ["POST", "/passwordless/_search"],
    ] as const) {
      const refused = await server.rest(method, managed + path, { token: stranger });
      assert.equal(refused.status, 404, path);
    }
    assert.equal((await server.rest("DELETE", `${managed}/auth_factors/otp`)).status, 200);
    assert.deepEqual((await server.rest("POST", `${managed}/auth_factors/_search`, { body: {} })).body.result, []);
  });
});
