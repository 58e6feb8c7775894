import assert from "node:assert/strict";
import { test } from "node:test";
import { isFreshCaller, mayActForUser } from "../../src/domain/session/index.ts";
import { operatorCall, recoverAdministrator } from "../../src/domain/setup/index.ts";
import { keysAt } from "../factor/key-support.ts";
import { addApp, callUser, inboxOf } from "../factor/support.ts";
import { addStaff, createTrust, isIn } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { addBare, linked } from "./support/bare-users.ts";
import { addManager, handsOf } from "./support/settings-hands.ts";

const noPassword = "settings.login.no_password_for_administrators";
const noPasskey = "settings.login.no_passkey_for_administrators";
const noProvider = "settings.login.no_provider_for_administrators";
const noFactor = "settings.login.no_factor_for_administrators";

const having = (...kinds: string[]) => ({ secondFactors: kinds.map((kind) => `SECOND_FACTOR_TYPE_${kind}`) });
const passkeys = {
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
  multiFactors: ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"],
};
const noPasskeys = { passwordlessType: "PASSWORDLESS_TYPE_NOT_ALLOWED" };
const open = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  allowDomainDiscovery: true,
  ...passkeys,
  ...having("OTP", "U2F"),
};
const closed = { ...open, allowExternalIdp: false, hidePasswordReset: true };

/** Registers a passkey with a link from a message. */
async function addByMessage(
  server: TestServer,
  { userId, email }: { readonly userId: string; readonly email: string },
) {
  await callUser(server, "CreatePasskeyRegistrationLink", { userId, sendLink: {} });
  const message = JSON.stringify((await inboxOf(server, email))[0]);
  const partOf = (name: string): string => new RegExp(`[?&;]${name}=([\\w-]+)`).exec(message)?.[1] ?? "";
  const begun = await callUser(server, "RegisterPasskey", {
    userId,
    code: { id: partOf("id"), code: partOf("code") },
  });
  const { passkeyId } = begun;
  const publicKeyCredential = createAuthenticator({ origin: server.origin }).create(
    begun.publicKeyCredentialCreationOptions,
  );
  await callUser(server, "VerifyPasskeyRegistration", { userId, passkeyId, publicKeyCredential, passkeyName: "Key" });
}

const withApp = (server: TestServer, user: { readonly userId: string }) =>
  addApp(server, user, (secret) => appCode(secret, server.clock.now));

eachServer((start) => {
  test("a manager of the settings leaves each owner a way to sign in that is complete (U3)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const make = async (name: string) => {
      const organizationId = await addOrganization(server, name);
      const managers = handsOf(server, organizationId, await addManager(server, organizationId));
      return { organizationId, managers, at: { organizationId } };
    };

    await t.test("the provider, for owners without a password", async () => {
      const { organizationId, managers, at } = await make("alpha");
      const sole = await addBare(server, organizationId, { username: "alma" }, at, "ORG_OWNER");
      const idpId = await linked(server, organizationId, { provider, userId: sole.userId });
      const idps = { idps: [{ idpId, ownerType: "IDP_OWNER_TYPE_ORG" }] };
      assert.ok(isIn(await trust.throughPages(organizationId, idpId, provider)));
      assert.equal(await managers.setPolicy("PUT", closed), noProvider);
      assert.equal(await managers.setPolicy("PUT", { ...closed, hidePasswordReset: false }), "done", "by a message");
      assert.equal(await managers.setPolicy("PUT", { ...open, hidePasswordReset: true, ...idps }), "done");
      assert.equal(await managers.setPolicy("PUT", { ...closed, allowExternalIdp: true, ...idps }), "done");
      const steps = async () => [
        await managers.withdraw(idpId),
        await managers.deactivate(idpId),
        await managers.remove(idpId),
      ];
      assert.deepEqual(await steps(), [noProvider, noProvider, noProvider]);
      const turn = (verb: string) =>
        server.connect(`service.org.v2.OrganizationService/${verb}Organization`, { organizationId });
      assert.equal((await turn("Deactivate")).status, 200);
      assert.deepEqual(await steps(), [noProvider, noProvider, noProvider], "nor while the organization is inactive");
      assert.equal((await turn("Activate")).status, 200);
      assert.ok(isIn(await trust.throughPages(organizationId, idpId, provider)));
      assert.equal(await managers.setPolicy("PUT", { ...open, hidePasswordReset: false, ...idps }), "done");
      assert.equal(await managers.remove(idpId), "done", "the address of the owner is good for a new password");
    });

    await t.test("the provider and the app, where nothing else signs users in", async () => {
      const { organizationId, managers, at } = await make("beta");
      const owner = await addPerson(server, { username: "bella", organizationId });
      await appoint(server, owner, at, ["ORG_OWNER"]);
      await linked(server, organizationId, { provider, userId: owner.userId });
      await withApp(server, owner);
      assert.equal(await managers.forbid("OTP"), noFactor);
      assert.equal(await managers.setPolicy("PUT", { ...open, allowUsernamePassword: false }), "done");
      assert.equal(await managers.forbid("OTP"), noFactor);
      assert.equal(await managers.forbid("U2F"), "done");
    });

    await t.test("a passkey of their own", async () => {
      const { organizationId, managers, at } = await make("gamma");
      const owner = await addBare(server, organizationId, { username: "gisela" }, at, "ORG_OWNER");
      await keysAt(server).register(owner.userId, createAuthenticator({ origin: server.origin }), "Passkey");
      assert.equal(await managers.setPolicy("POST", { ...closed, ...noPasskeys }), noPasskey);
      const two = { ...closed, forceMfa: true, ...having("U2F"), multiFactors: [] };
      assert.equal(await managers.setPolicy("POST", two), noFactor, "one key is not two factors");
      assert.equal(await managers.setPolicy("POST", { ...closed, forceMfa: true, ...having() }), "done");
      assert.equal(await managers.resetPolicy(), "done");
      assert.equal(await managers.setPolicy("POST", { ...open, ...noPasskeys }), "done", "by a message");
    });

    await t.test("the app beside a passkey from a message", async () => {
      const { organizationId, managers, at } = await make("delta");
      const owner = await addBare(server, organizationId, { username: "dora" }, at, "ORG_OWNER");
      await addByMessage(server, owner);
      assert.equal(await managers.setPolicy("POST", { ...closed, ...having() }), "done", "the key alone");
      assert.equal(await managers.resetPolicy(), "done");
      await withApp(server, owner);
      assert.equal(await managers.setPolicy("POST", { ...closed, ...having() }), noFactor);
      assert.equal(await managers.setPolicy("POST", { ...closed, ...having("OTP") }), "done");
    });

    await t.test("also of administrators of its projects", async () => {
      const { organizationId, managers } = await make("epsilon");
      const made = await server.connect("service.project.v2.ProjectService/CreateProject", {
        organizationId,
        name: "Shop",
      });
      const { projectId } = made.body;
      await addPerson(server, { username: "plain", organizationId });
      const without = { ...closed, allowUsernamePassword: false, allowExternalIdp: true };
      const other = await managers.addProvider("https://other.example");
      assert.equal(await managers.setPolicy("POST", open), "done");
      assert.equal(await managers.offer(other), "done");
      assert.equal(await managers.setPolicy("PUT", without), "done", "only users without a role are affected");
      assert.equal(await managers.resetPolicy(), "done");
      assert.equal(await managers.setPolicy("POST", open), "done");
      assert.equal(await managers.offer(other), "done");
      const maker = await addPerson(server, { username: "emma", organizationId });
      await appoint(server, maker, { projectId }, ["PROJECT_OWNER"]);
      assert.equal(await managers.setPolicy("PUT", without), noPassword);
      const body = { maxPasswordAttempts: 1, maxOtpAttempts: 1 };
      const headers = { "x-service-orgid": organizationId };
      assert.equal((await server.rest("POST", "/management/v1/policies/lockout", { headers, body })).status, 200);
      const check = async (password: string) =>
        (
          await server.rest("POST", "/v2/sessions", {
            body: { checks: { user: { userId: maker.userId }, password: { password } } },
          })
        ).status;
      assert.equal(await check("wrong"), 400);
      assert.equal(await check(maker.password), 201, "one guess does not block them");
    });

    await t.test("but for owners who never had one", async () => {
      const { organizationId, managers, at } = await make("zeta");
      await addBare(server, organizationId, { username: "zoe", isVerified: false }, at, "ORG_OWNER");
      assert.equal(await managers.setPolicy("POST", { ...closed, ...noPasskeys, ...having() }), "done");
    });
  });

  test("the least administrator keeps none of more from changing the settings (U3)", async (t) => {
    const server = await start(t);
    const { organizationId, owner, boss } = await addStaff(server, "acme");
    const least = await addPerson(server, { username: "least", organizationId });
    await appoint(server, least, { organizationId }, ["ORG_USER_SELF_MANAGER"]);
    const byMail = { ...open, ...having("OTP_EMAIL", "OTP") };
    const [owners, bosses] = [owner, boss].map(({ token }) => handsOf(server, organizationId, token));
    assert.ok(owners && bosses);
    assert.equal(await owners.setPolicy("POST", byMail), "done");
    await callUser(server, "AddOTPEmail", { userId: least.userId });
    const managers = handsOf(server, organizationId, await addManager(server, organizationId));
    assert.equal(await managers.resetPolicy(), noFactor, "a caller who may do less");
    assert.equal(await owners.resetPolicy(), "done");
    assert.equal(await owners.setPolicy("POST", byMail), "done");
    assert.equal(await bosses.resetPolicy(), "done");
    assert.equal(await owners.setPolicy("POST", byMail), "done");
    assert.equal((await server.rest("POST", `/v2/users/${least.userId}/deactivate`, { body: {} })).status, 200);
    assert.equal(await managers.resetPolicy(), "done", "a user who is deactivated");
    assert.equal((await server.rest("POST", `/v2/users/${least.userId}/reactivate`, { body: {} })).status, 200);
    assert.equal(await owners.setPolicy("POST", byMail), "done");
    const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const deps = { ...server.app.domain, mayActFor: mayActForUser, isFresh: isFreshCaller };
    await recoverAdministrator(deps, operatorCall(instanceId, server.clock.now), {
      loginName: boss.loginName,
      password: "another long sentence",
      resetsLoginSettings: true,
    });
    assert.equal(await owners.setPolicy("POST", byMail), "done", "the operator reset them");
  });

  test("in the strict profile, an owner keeps two factors that count (U3)", async (t) => {
    const server = await start(t, { config: { profile: "strict" } });
    const organizationId = await addOrganization(server, "acme");
    const owner = await addPerson(server, { username: "gina", organizationId });
    await keysAt(server).register(owner.userId, createAuthenticator({ origin: server.origin }), "Passkey");
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { id } = await callUser(server, "CreateUser", { organizationId, username: "robot", machine: { name: "r" } });
    const expirationDate = "2030-01-01T00:00:00Z";
    const { token } = await callUser(server, "AddPersonalAccessToken", { userId: id, expirationDate });
    await appoint(server, { userId: id }, { organizationId }, ["ORG_SETTINGS_MANAGER"]);
    const managers = handsOf(server, organizationId, token);
    assert.equal(await managers.setPolicy("POST", { ...open, ...noPasskeys, ...having("OTP_EMAIL") }), noFactor);
    assert.equal(await managers.setPolicy("POST", { ...open, ...noPasskeys, ...having("U2F") }), "done");
  });
});
