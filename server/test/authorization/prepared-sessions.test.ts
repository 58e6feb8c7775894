import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { keysAt } from "../factor/key-support.ts";
import { callUser, inboxOf, slugOf } from "../factor/support.ts";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { addStaff, bodyAt, createTrust, isIn, type Staff } from "../identity-provider/trusted.ts";
import { half } from "../login/support/second-factors.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { type OidcSetup, setUpOidc } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { appoint, goodPassword, type Person, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";

const administrators = "service.internal_permission.v2.InternalPermissionService";
const newPassword = { password: "another long sentence for it" };

interface Stage {
  readonly server: TestServer;
  readonly oidc: OidcSetup;
  readonly acme: Staff;
  readonly other: Staff;
}

async function makeStage(server: TestServer): Promise<Stage> {
  const oidc = await setUpOidc(server);
  await oidc.trust();
  return { server, oidc, acme: await addStaff(server, "acme"), other: await addStaff(server, "other") };
}

/** Makes a user of an organization, with the token of an administrator; without a password where none is wanted. */
async function make(server: TestServer, { organizationId }: Staff, username: string, token: string, more: object = {}) {
  const human = {
    profile: { givenName: username, familyName: "Prepared" },
    email: { email: `${username}@mail.example`, isVerified: true },
    password: { password: goodPassword },
    ...more,
  };
  const made = await server.rest("POST", "/v2/users/new", { body: { organizationId, username, human }, token });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const userId = String(made.body.id);
  const read = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
  return { userId, organizationId, loginName: read.body.user.preferredLoginName as string, password: goodPassword };
}

/** Returns whether the token of a session, and a refresh token that was issued in it, work. */
async function watch({ server, oidc }: Stage, person: Person, session: { sessionId: string; token: string }) {
  const { sessionId, token: sessionToken } = session;
  const scope = "openid offline_access";
  const issued = await oidc.tokens({ user: person, session: { sessionId, sessionToken }, scope });
  let refreshToken = issued["refresh_token"] ?? "";
  return async (): Promise<boolean> => {
    const bySession = (await server.rest("GET", "/auth/v1/users/me", { token: sessionToken })).status === 200;
    const refreshed = await oidc.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: refreshToken },
      oidc.client.basic,
    );
    refreshToken = refreshed.body.refresh_token ?? refreshToken;
    assert.equal(refreshed.status === 200, bySession, "what was issued in a session ends with it");
    return bySession;
  };
}

async function offer({ server, other }: Stage, { userId }: { userId: string }) {
  const body = { userId, resource: { organizationId: other.organizationId }, roles: ["ORG_OWNER"] };
  const offered = await server.connect(`${administrators}/CreateAdministrator`, body, { token: other.owner.token });
  assert.equal(offered.body.state, "ADMINISTRATOR_STATE_PENDING", JSON.stringify(offered.body));
  return (token: string) => server.connect(`${administrators}/AcceptAppointment`, body, { token });
}

const promotionsAt = ({ server, acme, other }: Stage) => ({
  none: async () => {},
  "ORG_OWNER here": (person: Person) => appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]),
  "ORG_OWNER elsewhere": (person: Person) =>
    appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER"]),
  IAM_OWNER: (person: Person) => appoint(server, person, { instance: true }, ["IAM_OWNER"]),
});

const enough: Record<string, readonly string[]> = {
  ORG_USER_MANAGER: ["none"],
  ORG_OWNER: ["none", "ORG_OWNER here"],
  IAM_OWNER: ["none", "ORG_OWNER here", "ORG_OWNER elsewhere", "IAM_OWNER"],
};

serversInTurn((start, test, both) => {
  test("a session by a password that an administrator set ends once the user administers more", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, acme } = stage;
    const authors = { ORG_USER_MANAGER: acme.clerk, ORG_OWNER: acme.owner, IAM_OWNER: acme.boss };
    let count = 0;
    for (const [author, { token }] of Object.entries(authors)) {
      for (const [promotion, promote] of Object.entries(promotionsAt(stage))) {
        await t.test(`by ${author}, then ${promotion}`, async () => {
          const person = await make(server, acme, `p${++count}`, token);
          const lives = await watch(stage, person, await sessionOf(server, person));
          assert.equal(await lives(), true, "before");
          await promote(person);
          assert.equal(await lives(), enough[author]?.includes(promotion));
          assert.ok(await sessionOf(server, person), "the password stays");
        });
      }
    }
  });

  both("a session by a password that the user chose outlives every appointment", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, acme, other } = stage;
    const { token } = acme.clerk;
    await t.test("with a code that was sent", async () => {
      const person = await make(server, acme, "own", token);
      const { userId } = person;
      await server.rest("POST", `/v2/users/${userId}/password_reset`, { body: { sendLink: {} }, token });
      const [mail] = await inboxOf(server, "own@mail.example");
      const verificationCode = /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1];
      const body = { newPassword, verificationCode };
      const chosen = await server.rest("POST", `/v2/users/${userId}/password`, { body });
      assert.equal(chosen.status, 200, JSON.stringify(chosen.body));
      const lives = await watch(stage, person, await sessionOf(server, { ...person, ...newPassword }));
      for (const promote of Object.values(promotionsAt(stage))) await promote(person);
      assert.equal(await lives(), true);
    });

    await t.test("but not with a code that the administrator also has", async () => {
      const person = await make(server, acme, "returned", token);
      const reset = await server.rest("POST", `/v2/users/${person.userId}/password_reset`, {
        body: { returnCode: {} },
        token,
      });
      const body = { newPassword, verificationCode: reset.body.verificationCode };
      assert.equal((await server.rest("POST", `/v2/users/${person.userId}/password`, { body })).status, 200);
      const lives = await watch(stage, person, await sessionOf(server, { ...person, ...newPassword }));
      await appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER_VIEWER"]);
      assert.equal(await lives(), false);
    });

    await t.test("a password from before authors were recorded counts as an owner's", async () => {
      const person = await make(server, acme, "former", acme.boss.token);
      const lives = await watch(stage, person, await sessionOf(server, person));
      const { database } = server.app.domain;
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      await database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
        await tx.run(sql`update sessions set prepared_by = null where user_id = ${person.userId}`);
        await tx.run(sql`update users set password_author = null where user_id = ${person.userId}`);
      });
      const later = await watch(stage, person, await sessionOf(server, person));
      await appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      assert.deepEqual([await lives(), await later()], [true, true]);
      await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
      assert.deepEqual([await lives(), await later()], [false, false]);
    });
  });

  both("sessions through links, keys and providers of administrators with fewer rights end as well", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, acme, other } = stage;
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const ofInstance = await trust.addTo("", undefined, bodyAt(provider));
    const { token } = acme.clerk;
    const signIn = async (person: Person, idpId: string, sub: string) => {
      provider.user = { ...provider.user, sub, email: `${sub}@provider.example`, email_verified: true };
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, idpId);
      const checks = { user: { userId: person.userId }, idpIntent: { idpIntentId, idpIntentToken } };
      const { body, status } = await server.rest("POST", "/v2/sessions", { body: { checks } });
      assert.equal(status, 201, JSON.stringify(body));
      return watch(stage, person, { sessionId: body.sessionId, token: body.sessionToken });
    };

    await t.test("a link, also one that was removed since", async () => {
      const person = await make(server, acme, "linked", acme.boss.token);
      assert.equal(await trust.link(person.userId, ofInstance, "linked", token), "200");
      const lives = await signIn(person, ofInstance, "linked");
      const own = await watch(stage, person, await sessionOf(server, person));
      const path = `/v2/users/${person.userId}/links/${ofInstance}/linked`;
      assert.equal((await server.rest("DELETE", path, { token })).status, 200);
      assert.equal(await lives(), true, "before");
      const roles = ["ORG_USER_MANAGER"];
      await appoint(server, person, { organizationId: acme.organizationId }, roles);
      assert.equal(await lives(), true, "the administrator holds as much");
      const more = { userId: person.userId, resource: { organizationId: acme.organizationId }, roles: ["ORG_OWNER"] };
      assert.equal((await server.connect(`${administrators}/UpdateAdministrator`, more)).status, 200);
      assert.deepEqual([await lives(), await own()], [false, true]);
    });

    await t.test("a link on the pages", async () => {
      const person = await make(server, acme, "paged", acme.boss.token);
      assert.equal(await trust.link(person.userId, ofInstance, "paged", token), "200");
      provider.user = { ...provider.user, sub: "paged" };
      assert.ok(isIn(await trust.throughPages(acme.organizationId, ofInstance, provider)));
      const live = async () =>
        (
          await server.app.domain.database.read.all(
            sql`select session_id from sessions where user_id = ${person.userId} and terminated_at is null`,
          )
        ).length;
      assert.equal(await live(), 1);
      await appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER_VIEWER"]);
      assert.equal(await live(), 0);
    });

    await t.test("an account that the user proved stays, at a provider of the instance", async () => {
      const person = await make(server, acme, "proven", token);
      await trust.writeLink(person.userId, ofInstance, "proven");
      const lives = await signIn(person, ofInstance, "proven");
      await appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER"]);
      assert.equal(await lives(), true);
    });

    await t.test("and ends at a provider of their organization", async () => {
      const ofAcme = await trust.addTo(acme.organizationId, acme.owner.token, bodyAt(provider));
      const person = await make(server, acme, "vouched", token);
      await trust.writeLink(person.userId, ofAcme, "vouched");
      const lives = await signIn(person, ofAcme, "vouched");
      await appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      assert.equal(await lives(), true, "who answers for the provider holds as much");
      await appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER_VIEWER"]);
      assert.equal(await lives(), false);
    });

    await t.test("a passkey that was registered with a code of an administrator", async () => {
      const keys = keysAt(server);
      const signInBy = async (username: string, isReturned: boolean) => {
        const person = await make(server, acme, username, acme.boss.token);
        const { userId } = person;
        const device = createAuthenticator({ origin: server.origin });
        const link = { userId, returnCode: {} };
        const code = isReturned
          ? { code: (await callUser(server, "CreatePasskeyRegistrationLink", link, acme.owner.token)).code }
          : {};
        const own = isReturned ? undefined : (await sessionOf(server, person)).token;
        const begun = await callUser(server, "RegisterPasskey", { userId, domain: "", ...code }, own);
        const { method, body } = keys.finish(userId, begun, device.create(begun.publicKeyCredentialCreationOptions));
        await callUser(server, method, body);
        const sessionId = await keys.sessionFor(userId);
        const answered = await keys.answer(sessionId, device.get(await keys.challenge(sessionId)));
        assert.equal(answered.status, 200, JSON.stringify(answered.body));
        return { person, lives: await watch(stage, person, { sessionId, token: answered.body.sessionToken }) };
      };
      for (const isReturned of [true, false]) {
        const { person, lives } = await signInBy(`key-${isReturned}`, isReturned);
        await appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
        assert.equal(await lives(), true);
        await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
        assert.equal(await lives(), !isReturned);
      }
    });

    await t.test("with the organization of which an existing user is made an administrator", async () => {
      const person = await make(server, acme, "founder", token);
      const lives = await watch(stage, person, await sessionOf(server, person));
      const body = { name: "Founded", admins: [{ userId: person.userId, roles: ["ORG_OWNER"] }] };
      const made = await server.connect("service.org.v2.OrganizationService/AddOrganization", body);
      assert.equal(made.status, 200, JSON.stringify(made.body));
      assert.equal(await lives(), false);
    });
  });

  both("an attempt begun by an administrator with fewer rights cannot end in a session with more", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, acme } = stage;
    for (const isPrepared of [true, false]) {
      const { token } = isPrepared ? acme.clerk : acme.boss;
      const person = await make(server, acme, `half-${isPrepared}`, token);
      const { secret } = await callUser(server, "RegisterTOTP", { userId: person.userId });
      await callUser(server, "VerifyTOTPRegistration", {
        userId: person.userId,
        code: appCode(secret, server.clock.now),
      });
      server.clock.now += 60_000;
      const { browser, page } = await half(server, person);
      server.clock.now += 60_000;
      await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
      const next = await browser.submit(page, { code: appCode(secret, server.clock.now) });
      const live = await server.app.domain.database.read.all(
        sql`select session_id from sessions where user_id = ${person.userId} and terminated_at is null`,
      );
      assert.equal(live.length, isPrepared ? 0 : 1, next.address);
    }
  });

  test("accepting an appointment ends every session but the one in which the user accepts", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, acme } = stage;
    await t.test("with a password of their own", async () => {
      const person = await make(server, acme, "accepts", acme.boss.token);
      const before = await watch(stage, person, await sessionOf(server, person));
      const accept = await offer(stage, person);
      assert.equal(await before(), true, "an offer ends nothing");
      const session = await sessionOf(server, person);
      const accepting = await watch(stage, person, session);
      assert.equal(slugOf(await accept(session.token)), "done");
      assert.deepEqual([await before(), await accepting()], [false, true]);
    });
    await t.test("with one that their organization set, they sign in again", async () => {
      const person = await make(server, acme, "prepared", acme.owner.token);
      const accept = await offer(stage, person);
      const session = await sessionOf(server, person);
      const accepting = await watch(stage, person, session);
      assert.equal(slugOf(await accept(session.token)), "done");
      assert.equal(await accepting(), false);
      const { token } = await sessionOf(server, person);
      assert.equal((await server.rest("GET", "/auth/v1/users/me", { token })).status, 200);
    });
  });
});
