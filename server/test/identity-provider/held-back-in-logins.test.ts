import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, defaultOrganization, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { attempt } from "./attempts.ts";
import { addStaff, bodyAt, createTrust } from "./trusted.ts";

eachServer((start) => {
  test("a custom login is told of no link by which an organization's deactivated user keeps the account", async (t) => {
    const server = await start(t);
    const { loginToken: token } = await setUpOidc(server);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    const evil = await addStaff(server, "evil");
    const organizationId = await defaultOrganization(server);
    const ofEvil = await trust.addTo(evil.organizationId, evil.owner.token, bodyAt(provider));
    await changeSettings(server, "login", { identityProviderIds: [idpId, ofEvil] }, evil.organizationId);

    /** Signs in at the provider through the login; returns what it is told, and the proof. */
    const go = async (sub: string, at = idpId) => {
      server.clock.now += 10_000;
      provider.user = { sub, given_name: "Vera", family_name: "R", email: `${sub}@mail.example`, email_verified: true };
      const { parameters } = await attempt(server, provider, at);
      const { id = "", token: secret = "" } = parameters;
      const read = await server.rest("POST", `/v2/idp_intents/${id}`, { token, body: { idpIntentToken: secret } });
      assert.equal(read.status, 200, JSON.stringify(read.body));
      const { userId, createUser, updateUser } = read.body;
      return {
        told: {
          user: parameters["user"],
          userId,
          creates: createUser !== undefined,
          changes: updateUser !== undefined,
        },
        createUser,
        checks: { idpIntent: { idpIntentId: id, idpIntentToken: secret } },
      };
    };
    /** The user proves the account and links it; it counts in the whole instance. */
    const link = async (person: Person, sub: string, at = idpId): Promise<void> => {
      await go(sub, at);
      const checks = { user: { userId: person.userId }, password: { password: person.password } };
      const { status } = await server.rest("POST", "/v2/sessions", { token, body: { checks } });
      assert.equal(status, 201);
      assert.equal(await trust.link(person.userId, at, sub, token), "200");
    };
    const set = async (path: string, withToken?: string) => {
      const made = await server.rest("POST", path, { body: {}, ...(withToken && { token: withToken }) });
      assert.equal(made.status, 200, JSON.stringify(made.body));
    };
    const absent = { user: undefined, userId: "", creates: true, changes: false };
    const toldOf = ({ userId }: Person) => ({ user: userId, userId, creates: false, changes: true });

    await t.test("nor does it keep the account from a user whom the login creates", async () => {
      const lured = await addPerson(server, { username: "lured", organizationId: evil.organizationId });
      await link(lured, "vera");
      assert.deepEqual((await go("vera")).told, toldOf(lured), "while the user is active");
      await set(`/v2/users/${lured.userId}/deactivate`, evil.owner.token);
      const { told, createUser } = await go("vera");
      assert.deepEqual(told, absent);
      const body = { ...createUser, organizationId, username: "vera" };
      const made = await server.rest("POST", "/v2/users/new", { token, body });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const { checks, told: now } = await go("vera");
      assert.equal(now.userId, made.body.id);
      const named = { checks: { ...checks, user: { userId: made.body.id } } };
      assert.equal((await server.rest("POST", "/v2/sessions", { token, body: named })).status, 201);
    });

    await t.test("nor from one who exists", async () => {
      const lured = await addPerson(server, { username: "lured-too", organizationId: evil.organizationId });
      await link(lured, "walt");
      await set(`/v2/users/${lured.userId}/lock`, evil.owner.token);
      assert.deepEqual((await go("walt")).told, absent, "a locked user");
      await set(`/v2/users/${lured.userId}/unlock`, evil.owner.token);
      assert.deepEqual((await go("walt")).told, toldOf(lured), "who can sign in again");
      await set(`/v2/users/${lured.userId}/lock`, evil.owner.token);
      const walt = await addPerson(server, { username: "walt" });
      await link(walt, "walt");
      assert.deepEqual((await go("walt")).told, toldOf(walt));
    });

    await t.test("in the organization in which it would create users, it is told", async () => {
      const own = await addPerson(server, { username: "own" });
      await link(own, "own");
      await set(`/v2/users/${own.userId}/deactivate`);
      const { told, checks } = await go("own");
      assert.deepEqual(told, toldOf(own));
      const body = { checks: { ...checks, user: { userId: own.userId } } };
      assert.equal(slugOf(await server.rest("POST", "/v2/sessions", { token, body })), "user.not_active");
    });

    await t.test("so it is at the provider of an organization", async () => {
      const colleague = await addPerson(server, { username: "colleague", organizationId: evil.organizationId });
      await link(colleague, "colleague", ofEvil);
      await set(`/v2/users/${colleague.userId}/deactivate`, evil.owner.token);
      assert.deepEqual((await go("colleague", ofEvil)).told, toldOf(colleague));
    });
  });
});
