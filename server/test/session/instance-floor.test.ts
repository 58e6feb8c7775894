import assert from "node:assert/strict";
import { callUser, createSession, inboxOf, refusalOf, slugOf } from "../factor/support.ts";
import { bodyAt, createTrust, isIn } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOrganization, addPerson, appoint, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

interface Stage {
  readonly server: TestServer;
  readonly organizationId: string;
  readonly member: Person;
  readonly owner: Person;
}

const open = ({ userId, password }: Person, more: object = {}) => ({
  checks: { user: { userId }, password: { password }, ...more },
});

/** Whether the API takes the token of a session with these checks. */
async function isAccepted(server: TestServer, body: object): Promise<boolean> {
  const { status, body: made } = await createSession(server, body);
  assert.equal(status, 201, JSON.stringify(made));
  return (await server.rest("GET", "/auth/v1/users/me", { token: made.sessionToken })).status === 200;
}

/** An organization with an ordinary member, and a member who administers the instance. */
async function makeStage(server: TestServer): Promise<Stage> {
  const organizationId = await addOrganization(server, "Lax");
  const member = await addPerson(server, { username: "member", organizationId });
  const owner = await addPerson(server, { username: "owner", organizationId });
  await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
  return { server, organizationId, member, owner };
}

serversInTurn((start, test, both) => {
  test("an organization does not lower the sign-in of those who administer the instance (A26)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    await changeSettings(server, "login", { forceMfa: true, secondFactors: ["totp"] });
    const lax = { forceMfa: false, secondFactors: ["totp", "otp_email"] } as const;
    await changeSettings(server, "login", lax, organizationId);

    assert.equal(await isAccepted(server, open(member)), true, "the organization decides for its members");
    assert.equal(await isAccepted(server, open(owner)), false, "one factor of an owner of the instance");
    await callUser(server, "AddOTPEmail", { userId: owner.userId });
    const challenges = { otpEmail: { returnCode: {} } };
    const { body: asked } = await createSession(server, { ...open(owner), challenges });
    const mailed = await server.rest("PATCH", `/v2/sessions/${asked.sessionId}`, {
      body: { checks: { otpEmail: { code: asked.challenges.otpEmail } } },
    });
    const me = await server.rest("GET", "/auth/v1/users/me", { token: mailed.body.sessionToken });
    assert.equal(me.status, 401, "a factor that the instance does not allow");
    const { secret } = await callUser(server, "RegisterTOTP", { userId: owner.userId });
    const code = appCode(secret, server.clock.now);
    await callUser(server, "VerifyTOTPRegistration", { userId: owner.userId, code });
    server.clock.now += 60_000;
    const totp = { code: appCode(secret, server.clock.now) };
    assert.equal(await isAccepted(server, open(owner, { totp })), true);
  });

  both("a password of an administrator of the instance counts no longer than the instance says (A26)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 600 });
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 864_000 }, organizationId);
    const tokens = await Promise.all(
      [member, owner].map(async (person) => (await createSession(server, open(person))).body.sessionToken),
    );
    const statuses = () =>
      Promise.all(tokens.map(async (token) => (await server.rest("GET", "/auth/v1/users/me", { token })).status));
    assert.deepEqual(await statuses(), [200, 200]);
    server.clock.now += 700_000;
    assert.deepEqual(await statuses(), [200, 401]);
  });

  both(
    "password rules and lockout of the instance hold for its administrators, whatever the organization says (A26)",
    async (t) => {
      const server = await start(t);
      const { organizationId, member, owner } = await makeStage(server);
      await changeSettings(server, "password_complexity", { minLength: 20 });
      await changeSettings(server, "password_complexity", { minLength: 8 }, organizationId);
      const set = ({ userId }: Person) =>
        refusalOf(server, "SetPassword", {
          userId,
          newPassword: { password: "heather and gorse", changeRequired: false },
        });
      assert.equal(await set(member), "done");
      assert.notEqual(await set(owner), "done");

      await changeSettings(server, "lockout", { maxPasswordAttempts: 2 });
      await changeSettings(server, "lockout", { maxPasswordAttempts: 0 }, organizationId);
      const guess = async (person: Person) => {
        const wrong = { ...person, password: "not this one" };
        await createSession(server, open(wrong));
        await createSession(server, open(wrong));
        return slugOf(await createSession(server, open(person)));
      };
      assert.equal(await guess({ ...member, password: "heather and gorse" }), "done");
      assert.equal(await guess(owner), "user.password_blocked");
    },
  );

  both("an organization does not lock out those who administer the instance (A26)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    const added = await server.rest("POST", "/management/v1/idps/generic_oidc", {
      headers: { "x-service-orgid": organizationId },
      body: {
        name: "Own",
        issuer: "https://issuer.example",
        clientId: "client",
        clientSecret: "secret",
        providerOptions: { isLinkingAllowed: true },
      },
    });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const externalOnly = { allowLocalAuthentication: false, allowExternalIdp: true, allowPasskeys: false };
    const identityProviderIds = [added.body.id];
    await changeSettings(server, "login", { ...externalOnly, identityProviderIds }, organizationId);
    assert.equal(await isAccepted(server, open(member)), false, "the organization decides for its members");
    assert.equal(await isAccepted(server, open(owner)), true, "its provider cannot sign an owner of the instance in");

    const asked = async ({ loginName }: Person) => {
      const browser = new TestBrowser(server);
      const page = await browser.open(`/ui/login?organization=${organizationId}`);
      return (await browser.submit(page, { login_name: loginName })).address;
    };
    await changeSettings(server, "login", { allowDomainDiscovery: true }, organizationId);
    assert.match(await asked(owner), /^\/ui\/login\/password/, "on the pages");
    assert.doesNotMatch(await asked(member), /^\/ui\/login\/password/);

    await changeSettings(server, "login", { allowLocalAuthentication: false, identityProviderIds });
    assert.equal(await isAccepted(server, open(owner)), false, "what the instance forbids stays forbidden");
    await changeSettings(server, "login", { allowLocalAuthentication: true });
    await changeSettings(server, "login", { allowLocalAuthentication: true }, organizationId);

    await changeSettings(server, "lockout", { maxPasswordAttempts: 1 }, organizationId);
    const guess = async (person: Person) => {
      await createSession(server, open({ ...person, password: "not this one" }));
      return slugOf(await createSession(server, open(person)));
    };
    assert.equal(await guess(member), "user.password_blocked");
    assert.equal(await guess(owner), "done", "one guess of a stranger");
  });

  test("an organization takes no provider of the instance from those who administer it (A26, U3)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    const externalOnly = { allowLocalAuthentication: false, allowExternalIdp: true };
    await changeSettings(server, "login", externalOnly);
    for (const person of [member, owner]) await trust.link(person.userId, idpId, person.userId);
    const isLetIn = async ({ userId }: Person) => {
      provider.user = { ...provider.user, sub: userId };
      return isIn(await trust.throughPages("", idpId, provider));
    };
    assert.deepEqual([await isLetIn(member), await isLetIn(owner)], [true, true], "where nothing differs");
    const own = { allowLocalAuthentication: true, allowExternalIdp: false, identityProviderIds: [] };
    await changeSettings(server, "login", own, organizationId);
    assert.equal(await isLetIn(member), false, "the organization decides for its members");
    assert.equal(await isLetIn(owner), true);
  });

  test("an organization demands no factor that the instance does not let count (A26, U3)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    const demanding = { forceMfa: true, secondFactors: ["totp"], multiFactors: [] } as const;
    await changeSettings(server, "login", demanding, organizationId);
    assert.deepEqual(
      [await isAccepted(server, open(member)), await isAccepted(server, open(owner))],
      [false, false],
      "a demand that the instance lets them meet",
    );
    await changeSettings(server, "login", { secondFactors: [], multiFactors: [] });
    assert.equal(await isAccepted(server, open(member)), false, "the organization decides for its members");
    assert.equal(await isAccepted(server, open(owner)), true);
  });

  test("an organization hides no change of the password of those who administer the instance (A26, A33)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    await changeSettings(server, "notification", { passwordChange: false }, organizationId);
    const tellsOf = async ({ userId }: Person, email: string) => {
      const newPassword = { password: "heather and gorse", changeRequired: false };
      await callUser(server, "SetPassword", { userId, newPassword });
      return (await inboxOf(server, email)).map(({ kind }) => kind);
    };
    assert.deepEqual(await tellsOf(member, "member@mail.example"), [], "the organization decides for its members");
    assert.deepEqual(await tellsOf(owner, "owner@mail.example"), ["password_changed"]);
  });
});
