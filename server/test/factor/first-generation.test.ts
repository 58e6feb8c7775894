import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { addMember, callUser, slugOf } from "./support.ts";

eachServer((start) => {
  test("the first API shows and changes the same factors", async (t) => {
    const server = await start(t);
    const member = await addMember(server, { username: "grace" });
    const { userId, token } = member;
    await callUser(server, "SetPhone", { userId, phone: "+41791234567", isVerified: true });
    const mine = "/auth/v1/users/me";
    const call = async (method: string, path: string, body: object | undefined = {}, by = token) => {
      const answer = await server.rest(method, path, { token: by, ...(method !== "DELETE" && { body }) });
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const factors = async (path = mine, by = token) =>
      ((await call("POST", `${path}/auth_factors/_search`, {}, by)).result ?? []).map(
        ({ state, blocked, ...kind }: { state: string; blocked: boolean }) =>
          `${Object.keys(kind).join()} ${state.replace("AUTH_FACTOR_STATE_", "")}${blocked ? " blocked" : ""}`,
      );
    const { url, secret } = await call("POST", `${mine}/auth_factors/otp`);
    assert.ok(url.startsWith("otpauth://totp/") && url.includes(secret));
    assert.deepEqual(await factors(), ["otp NOT_READY"]);
    const verifying = { code: appCode(secret, server.clock.now) };
    await call("POST", `${mine}/auth_factors/otp/_verify`, verifying);
    await call("POST", `${mine}/auth_factors/otp_sms`);
    await call("POST", `${mine}/auth_factors/otp_email`);

    const device = createAuthenticator({ origin: server.origin });
    const complete = async (path: string, name: string) => {
      const { key } = await call("POST", path);
      const options = JSON.parse(Buffer.from(key.publicKey, "base64").toString());
      const publicKeyCredential = Buffer.from(JSON.stringify(device.create(options))).toString("base64");
      const body = { verification: { publicKeyCredential, tokenName: name } };
      await call("POST", `${path}/_verify`, body);
      assert.equal(slugOf(await server.rest("POST", `${path}/_verify`, { token, body })), "factor.registration_absent");
      await call("POST", path);
      const broken = {
        verification: { publicKeyCredential: Buffer.alloc(60, "[").toString("base64"), tokenName: name },
      };
      assert.equal(slugOf(await server.rest("POST", `${path}/_verify`, { token, body: broken })), "factor.key_refused");
    };
    await complete(`${mine}/auth_factors/u2f`, "Key");
    await complete(`${mine}/passwordless`, "Phone");
    const ready = ["otpEmail READY", "otpSms READY", "otp READY"];
    assert.deepEqual(await factors(), [...ready, "u2f READY", "u2f NOT_READY"]);
    const { result: passkeys } = await call("POST", `${mine}/passwordless/_search`);
    assert.deepEqual(
      passkeys.map(({ state, name }: { state: string; name?: string }) => [state, name]),
      [
        ["AUTH_FACTOR_STATE_READY", "Phone"],
        ["AUTH_FACTOR_STATE_NOT_READY", ""],
      ],
    );

    const theirs = `/management/v1/users/${userId}`;
    const elsewhere = await addPerson(server, {
      username: "far",
      organizationId: await addOrganization(server, "Far"),
    });
    await appoint(server, elsewhere, { organizationId: elsewhere.organizationId }, ["ORG_OWNER"]);
    const foreign = (await sessionOf(server, elsewhere)).token;
    for (const [method, path] of [
      ["POST", "auth_factors/_search"],
      ["DELETE", "auth_factors/otp"],
      ["POST", "passwordless/_search"],
    ] as const) {
      const answer = await server.rest(method, `${theirs}/${path}`, {
        token: foreign,
        ...(method === "POST" && { body: {} }),
      });
      assert.equal(slugOf(answer), "user.not_found", path);
    }
    const by = server.ownerToken;
    assert.equal((await factors(theirs, by)).length, 5);
    const u2f = (await call("POST", `${theirs}/auth_factors/_search`, {}, by)).result[3].u2f.id;
    await call("DELETE", `${theirs}/auth_factors/otp`, undefined, by);
    await call("DELETE", `${theirs}/auth_factors/otp_sms`, undefined, by);
    await call("DELETE", `${mine}/auth_factors/otp_email`);
    await call("DELETE", `${theirs}/auth_factors/u2f/${u2f}`, undefined, by);
    for (const { id } of passkeys) await call("DELETE", `${mine}/passwordless/${id}`);
    assert.deepEqual(await factors(theirs, by), ["u2f NOT_READY"]);
    const types = await callUser(server, "ListAuthenticationMethodTypes", { userId });
    assert.deepEqual(types.authMethodTypes, ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
  });
});
