import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { inboxOf } from "../factor/support.ts";
import { engineOf, isTurnOf } from "../support/databases/turns.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { appoint, goodPassword, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { provenAttempt } from "./attempts.ts";
import { addStaff, bodyAt, createTrust, isIn, type Staff } from "./trusted.ts";

const administrators = "service.internal_permission.v2.InternalPermissionService";

/** Makes a user of an organization with the token of an administrator, with accounts at providers. */
async function make(
  server: TestServer,
  { organizationId }: Staff,
  token: string,
  username: string,
  idpLinks: object[],
) {
  const human = {
    profile: { givenName: username, familyName: "Prepared" },
    email: { email: `${username}@mail.example`, isVerified: true },
    password: { password: goodPassword },
    idpLinks,
  };
  const made = await server.rest("POST", "/v2/users/new", { body: { organizationId, username, human }, token });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { userId: String(made.body.id), organizationId, loginName: username, password: goodPassword };
}

/** The same by the first version of the API. */
async function importHuman(
  server: TestServer,
  { organizationId }: Staff,
  token: string,
  username: string,
  idps: object[],
) {
  const body = {
    userName: username,
    profile: { firstName: username, lastName: "Imported" },
    email: { email: `${username}@mail.example`, isEmailVerified: true },
    password: goodPassword,
    idps,
  };
  const asked = { body, token, headers: { "x-zitadel-orgid": organizationId } };
  const made = await server.rest("POST", "/management/v1/users/human/_import", asked);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { userId: String(made.body.userId), organizationId, loginName: username, password: goodPassword };
}

async function setUp(server: TestServer, provider: TestProvider) {
  const trust = createTrust(server);
  const acme = await addStaff(server, "acme");
  const other = await addStaff(server, "other");
  const idpId = await trust.addTo("", undefined, bodyAt(provider));
  const asSub = (sub: string) => {
    provider.user = { ...provider.user, sub, email: `${sub}@provider.example`, email_verified: true };
  };
  /** Signs in by an account: on the pages of the organization, and by an attempt of an application. */
  const tryLink = async (userId: string, sub: string) => {
    asSub(sub);
    const page = await trust.throughPages(acme.organizationId, idpId, provider);
    return [isIn(page), await trust.throughSession(userId, idpId, provider)];
  };
  const accept = async (person: Parameters<typeof sessionOf>[1]) => {
    const resource = { organizationId: other.organizationId };
    const body = { userId: person.userId, resource, roles: ["ORG_OWNER"] };
    const { token } = other.owner;
    const offered = await server.connect(`${administrators}/CreateAdministrator`, body, { token });
    assert.equal(offered.body.state, "ADMINISTRATOR_STATE_PENDING", JSON.stringify(offered.body));
    const own = { token: (await sessionOf(server, person)).token };
    const accepted = await server.connect(`${administrators}/AcceptAppointment`, body, own);
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  };
  return { trust, acme, other, idpId, asSub, tryLink, accept };
}

const works = [true, "201"];
const refused = [false, "400 identity_intent.other_user"];

eachServer((start) => {
  test("a link that an administrator prepared gives no more than its author had (A2)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const { trust, acme, idpId, tryLink, accept } = await setUp(server, provider);
    const authors = { ORG_USER_MANAGER: acme.clerk, ORG_OWNER: acme.owner, IAM_OWNER: acme.boss };
    const promotions = {
      none: async () => {},
      "ORG_OWNER here": (person: { userId: string }) =>
        appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]),
      "ORG_OWNER elsewhere": accept,
      IAM_OWNER: (person: { userId: string }) => appoint(server, person, { instance: true }, ["IAM_OWNER"]),
    };
    const enough: Record<keyof typeof authors, readonly (keyof typeof promotions)[]> = {
      ORG_USER_MANAGER: ["none"],
      ORG_OWNER: ["none", "ORG_OWNER here"],
      IAM_OWNER: ["none", "ORG_OWNER here", "ORG_OWNER elsewhere", "IAM_OWNER"],
    };
    let count = 0;
    for (const kind of ["at creation", "later", "imported"]) {
      for (const [author, { token }] of Object.entries(authors)) {
        for (const [promotion, promote] of Object.entries(promotions)) {
          const name = `${kind} by ${author}, then ${promotion}`;
          if (!isTurnOf(engineOf(server.location), name)) continue;
          await t.test(name, async () => {
            const sub = `prepared-${++count}`;
            const account = { idpId, userId: sub, userName: sub };
            const person =
              kind === "imported"
                ? await importHuman(server, acme, token, sub, [
                    { configId: idpId, externalUserId: sub, displayName: sub },
                  ])
                : await make(server, acme, token, sub, kind === "later" ? [] : [account]);
            if (kind === "later") assert.equal(await trust.link(person.userId, idpId, sub, token), "200");
            assert.deepEqual(await tryLink(person.userId, sub), works, "before");
            await promote(person);
            const isEnough = (enough as Record<string, readonly string[]>)[author]?.includes(promotion);
            assert.deepEqual(await tryLink(person.userId, sub), isEnough ? works : refused);
            const [link] = await trust.links(person.userId);
            assert.equal(link?.suspended === true, !isEnough);
          });
        }
      }
    }
  });

  test("a sign-in application that manages users is the author of the accounts that it proves", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const provider = await startTestProvider(t, () => server.clock.now);
    const { trust, acme, idpId, tryLink } = await setUp(server, provider);
    const { body: me } = await server.rest("GET", "/auth/v1/users/me", { token: loginToken });
    const prove = async (sub: string) => {
      provider.user = { ...provider.user, sub, email: `${sub}@provider.example`, email_verified: true };
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, idpId);
      const asked = { body: { idpIntentToken }, token: loginToken };
      assert.equal((await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, asked)).status, 200);
    };
    let count = 0;
    for (const isManager of [false, true]) {
      if (isManager) {
        const login = { userId: String(me.user.id) };
        await appoint(server, login, { organizationId: acme.organizationId }, ["ORG_USER_MANAGER"]);
      }
      for (const kind of ["at creation", "later"]) {
        await t.test(`${kind}, by one that ${isManager ? "manages users" : "has their sign-ins"}`, async () => {
          const sub = `proven-${++count}`;
          const account = { idpId, userId: sub, userName: sub };
          await prove(sub);
          const isLater = kind === "later";
          const token = isLater ? acme.boss.token : loginToken;
          const { userId, password } = await make(server, acme, token, sub, isLater ? [] : [account]);
          if (isLater && !isManager) {
            const checks = { user: { userId }, password: { password } };
            const opened = await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } });
            assert.equal(opened.status, 201);
          }
          if (isLater) assert.equal(await trust.link(userId, idpId, sub, loginToken), "200");
          assert.deepEqual(await tryLink(userId, sub), works, "of a user who administers nothing");
          await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
          assert.deepEqual(await tryLink(userId, sub), isManager ? refused : works);
        });
      }
    }
  });

  test("a prepared link that counts no more is the user's again by their own proof (A2)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const { trust, acme, idpId, asSub, tryLink } = await setUp(server, provider);
    const account = { idpId, userId: "own", userName: "own" };
    const person = await make(server, acme, acme.clerk.token, "vera", [account]);
    const told = await inboxOf(server, "vera@mail.example");
    assert.equal(told.length, 1, "told of the account that was linked when theirs was made");
    const methods = async () =>
      (await server.rest("GET", `/v2/users/${person.userId}/authentication_methods`)).body.authMethodTypes;
    assert.ok((await methods()).includes("AUTHENTICATION_METHOD_TYPE_IDP"));
    await appoint(server, person, { instance: true }, ["IAM_OWNER_VIEWER"]);
    const { token } = await sessionOf(server, person);
    assert.deepEqual(await tryLink(person.userId, "own"), refused);
    assert.ok(!(await methods()).includes("AUTHENTICATION_METHOD_TYPE_IDP"));

    // Not even for others: the account is still said to be this user's.
    assert.equal(await trust.link(acme.plain.userId, idpId, "own", acme.clerk.token), "409 identity_link.taken");
    assert.equal(await trust.link(person.userId, idpId, "own", acme.clerk.token), "403 user.administers_more");
    assert.equal(await trust.link(person.userId, idpId, "own", token), "403 identity_link.unproven");

    const proveAndLink = async (session: { readonly token: string }) => {
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, idpId);
      const asked = { body: { idpIntentToken }, token: session.token };
      const read = await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, asked);
      assert.equal(read.body.userId, "", "the application learns of no user");
      assert.equal(await trust.link(person.userId, idpId, "own", session.token), "200");
      assert.equal((await trust.links(person.userId)).length, 1);
    };
    await proveAndLink({ token });
    assert.deepEqual(await tryLink(person.userId, "own"), refused, "in a session that the clerk could have opened");
    const newPassword = { password: person.password };
    const path = `/v2/users/${person.userId}/password`;
    assert.equal((await server.rest("POST", path, { body: { newPassword }, token: acme.boss.token })).status, 200);
    await proveAndLink(await sessionOf(server, person));
    assert.deepEqual(await tryLink(person.userId, "own"), works);

    await t.test("or by the word of an administrator who holds as much", async () => {
      const ivan = await make(server, acme, acme.clerk.token, "ivan", [{ idpId, userId: "ivan", userName: "ivan" }]);
      await appoint(server, ivan, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      assert.deepEqual(await tryLink(ivan.userId, "ivan"), refused);
      assert.equal(await trust.link(ivan.userId, idpId, "ivan", acme.owner.token), "200");
      assert.deepEqual(await tryLink(ivan.userId, "ivan"), works);
    });

    await t.test("one by an invitation whose code an administrator has is theirs as well", async () => {
      const invite = async (username: string) => {
        const human = {
          profile: { givenName: username, familyName: "Invited" },
          email: { email: `${username}@mail.example`, isVerified: false },
        };
        const { organizationId } = acme;
        const made = await server.rest("POST", "/v2/users/new", { body: { organizationId, username, human } });
        return String(made.body.id);
      };
      const link = async (userId: string, code: string, sub: string) => {
        const browser = new TestBrowser(server);
        const page = await browser.open(`/ui/login/invitation?user=${userId}&code=${code}`);
        const away = await browser.submit(page, { provider: idpId });
        asSub(sub);
        const back = provider.signIn(away.address);
        const linked = await browser.submit(await browser.open(back.pathname + back.search), { decision: "link" });
        assert.match(linked.title, /^Accounts linked/);
      };
      for (const isReturned of [true, false]) {
        const userId = await invite(`invited-${isReturned}`);
        const body = isReturned ? { returnCode: {} } : { sendCode: {} };
        const { token: byClerk } = acme.clerk;
        const asked = await server.rest("POST", `/v2/users/${userId}/invite_code`, { body, token: byClerk });
        const [mail] = await inboxOf(server, `invited-${isReturned}@mail.example`);
        const code = asked.body.inviteCode ?? /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1];
        await link(userId, code, `invited-${isReturned}`);
        assert.deepEqual(await tryLink(userId, `invited-${isReturned}`), works);
        await appoint(server, { userId }, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
        assert.deepEqual(await tryLink(userId, `invited-${isReturned}`), isReturned ? refused : works);
      }
    });

    await t.test("and who administers no more is let in again", async () => {
      const nora = await make(server, acme, acme.clerk.token, "nora", [{ idpId, userId: "nora", userName: "nora" }]);
      const resource = { organizationId: acme.organizationId };
      await appoint(server, nora, resource, ["ORG_OWNER_VIEWER"]);
      assert.deepEqual(await tryLink(nora.userId, "nora"), refused);
      await server.connect(`${administrators}/DeleteAdministrator`, { userId: nora.userId, resource });
      assert.deepEqual(await tryLink(nora.userId, "nora"), works);
    });

    await t.test("a link from before counts as the word of an owner", async () => {
      const olga = await make(server, acme, acme.clerk.token, "olga", [{ idpId, userId: "olga", userName: "olga" }]);
      const { database } = server.app.domain;
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
        tx.run(sql`update identity_links set author = null where user_id = ${olga.userId}`),
      );
      await appoint(server, olga, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      assert.deepEqual(await tryLink(olga.userId, "olga"), works);
      await appoint(server, olga, { instance: true }, ["IAM_OWNER"]);
      assert.deepEqual(await tryLink(olga.userId, "olga"), refused);
      await trust.writeLink(acme.boss.userId, idpId, "boss");
      asSub("boss");
      assert.equal(await trust.throughSession(acme.boss.userId, idpId, provider), "201", "of the instance");
    });
  });
});
