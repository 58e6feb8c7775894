import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { ownerOf } from "../account/support/account.ts";
import { callUser, slugOf } from "../factor/support.ts";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { addStaff, bodyAt, createTrust, isIn } from "../identity-provider/trusted.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { appoint, goodPassword, type Person, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { addPasskey, chooseByCode, linkInSession, lives, make, ownPassword, touch } from "./support/prepared.ts";

serversInTurn((start, test, both) => {
  test("an account that was linked in a session is as good as the session", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    const other = await addStaff(server, "other");
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    const known = (sub: string) => {
      provider.user = { sub, preferred_username: sub, email: `${sub}@provider.example`, email_verified: true };
    };
    const isSuspended = async ({ userId }: Person) => {
      const [link, ...more] = await trust.links(userId);
      assert.ok(link !== undefined && more.length === 0);
      return link.suspended === true;
    };
    const signsIn = async (sub: string) => {
      known(sub);
      return isIn(await trust.throughPages("", idpId, provider));
    };
    /** Links by the API, in the session of a token. */
    const linkWith = ({ userId }: Person, token: string, sub: string): Promise<string> =>
      linkInSession(server, { userId, token }, { provider, idpId, sub });
    const methods: Record<string, (person: Person, sub: string) => Promise<void>> = {
      "by the API": async (person, sub) => {
        assert.equal(await linkWith(person, (await sessionOf(server, person)).token, sub), "200");
      },
      "on the account page": async (person, sub) => {
        const owner = await ownerOf(server, person);
        const away = await owner.send(`/ui/account/methods/link?provider=${idpId}`);
        known(sub);
        const back = provider.signIn(away.address);
        await owner.browser.submit(await owner.browser.open(back.pathname + back.search));
      },
      "in a sign-in for it": async (person, sub) => {
        known(sub);
        const browser = new TestBrowser(server);
        const login = await browser.open("/ui/login?account=other");
        const away = await browser.submit(login, { provider: idpId }, { action: "/ui/login/provider" });
        const back = provider.signIn(away.address);
        const page = await browser.open(back.pathname + back.search);
        const name = await browser.submit(page, {}, { action: "/ui/login/external/existing" });
        const asked = await enter({ browser, page: name }, person);
        await browser.submit(asked, { decision: "link" }, { action: "/ui/login/external/link" });
      },
    };
    let count = 0;
    for (const [name, link] of Object.entries(methods)) {
      for (const author of ["clerk", "boss"] as const) {
        await t.test(`${name}, by a password of the ${author}`, async () => {
          const sub = `user-${++count}`;
          const person = await make(server, acme, sub, acme[author].token);
          await link(person, sub);
          assert.equal(await isSuspended(person), false, "of a user who administers nothing");
          assert.equal(await signsIn(sub), true);
          await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
          assert.equal(await isSuspended(person), author === "clerk");
          assert.equal(await signsIn(sub), author === "boss");
        });
      }
    }

    await t.test("with a password of their own the user links it again and keeps it", async () => {
      const person = await make(server, acme, "again", acme.clerk.token);
      assert.equal(await linkWith(person, (await sessionOf(server, person)).token, "again"), "200");
      await chooseByCode(server, person);
      await appoint(server, person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      assert.equal(await signsIn("again"), false);
      const { token } = await sessionOf(server, { ...person, password: ownPassword });
      assert.equal(await linkWith(person, token, "again"), "200");
      assert.equal(await isSuspended(person), false);
      assert.equal(await signsIn("again"), true);
    });

    await t.test("the proof of a user who administers nothing takes the place of a word, in any session", async () => {
      const person = await make(server, acme, "word", acme.clerk.token);
      assert.equal(await trust.link(person.userId, idpId, "word", acme.clerk.token), "200");
      assert.equal(await linkWith(person, (await sessionOf(server, person)).token, "word"), "200");
      assert.equal((await trust.links(person.userId)).length, 1);
      assert.equal(await signsIn("word"), true);
    });

    await t.test("in a session at the company's provider, for what its administrator may vouch for", async () => {
      const company = await startTestProvider(t, () => server.clock.now);
      const ofAcme = await trust.addTo(acme.organizationId, acme.owner.token, bodyAt(company));
      await changeSettings(server, "login", { identityProviderIds: [idpId, ofAcme] }, acme.organizationId);
      const arriveAt = async (username: string) => {
        const person = await make(server, acme, username, acme.clerk.token);
        await trust.writeLink(person.userId, ofAcme, username);
        company.user = { sub: username, email: `${username}@acme.example`, email_verified: true };
        const { idpIntentId, idpIntentToken } = await provenAttempt(server, company, ofAcme);
        const checks = { user: { userId: person.userId }, idpIntent: { idpIntentId, idpIntentToken } };
        const { body } = await server.rest("POST", "/v2/sessions", { body: { checks } });
        const signIn = await addPasskey(server, person.userId, body.sessionToken);
        assert.equal(await linkWith(person, body.sessionToken, `own-${username}`), "200");
        const change = { newPassword: { password: ownPassword }, currentPassword: goodPassword };
        const path = `/v2/users/${person.userId}/password`;
        const set = await server.rest("POST", path, { body: change, token: body.sessionToken });
        assert.equal(set.status, 200, JSON.stringify(set.body));
        return { person: { ...person, password: ownPassword }, token: await signIn(), signIn };
      };
      const byPassword = async ({ userId, password }: Person) =>
        slugOf(
          await server.rest("POST", "/v2/sessions", { body: { checks: { user: { userId }, password: { password } } } }),
        );
      const here = await arriveAt("here");
      await appoint(server, here.person, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      assert.deepEqual([await signsIn("own-here"), await lives(server, here.token)], [true, true]);
      assert.equal(await lives(server, await here.signIn()), true, "the passkey stays");
      assert.equal(await byPassword(here.person), "done", "and so does the password");
      const away = await arriveAt("away");
      await appoint(server, away.person, { organizationId: other.organizationId }, ["ORG_OWNER"]);
      assert.deepEqual([await signsIn("own-away"), await lives(server, away.token)], [false, false]);
      // What the provider could have made is refused with the provider, until the user makes it anew.
      await assert.rejects(away.signIn(), /user\.credential_suspended/);
      assert.equal(await byPassword(away.person), "user.credential_suspended");
      const page = await enter(await visit(server, await addClient(server)), away.person);
      assert.match(page.alert ?? "", /your role has changed/, page.html);
      const again = { newPassword: { password: goodPassword }, currentPassword: ownPassword };
      const path = `/v2/users/${away.person.userId}/password`;
      const replaced = await server.rest("POST", path, { body: again, token: (await setUpOidc(server)).loginToken });
      assert.equal(slugOf(replaced), "user.credential_suspended", "nor may it be exchanged for one of today");
      await chooseByCode(server, away.person);
      assert.equal(await byPassword(away.person), "done");
      // Before they gained anything, a password counts whatever became of the provider.
      const plain = await arriveAt("plain");
      const template = `/idps/templates/${ofAcme}`;
      assert.equal(await trust.manage(acme.organizationId, acme.owner.token, "DELETE", template), "200");
      assert.equal(await byPassword(plain.person), "done");
    });
  });

  both("a passkey that was registered in a session is as good as the session", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const acme = await addStaff(server, "acme");
    const other = await addStaff(server, "other");
    const tokens: Record<string, (person: Person) => Promise<string>> = {
      "the user": async (person) => (await sessionOf(server, person)).token,
      "a sign-in application where the user signed in": async ({ userId, password }) => {
        const checks = { user: { userId }, password: { password } };
        const made = await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } });
        assert.equal(made.status, 201);
        return loginToken;
      },
    };
    let count = 0;
    for (const [name, tokenOf] of Object.entries(tokens)) {
      for (const author of ["clerk", "boss"] as const) {
        await t.test(`by ${name}, with a password of the ${author}`, async () => {
          const person = await make(server, acme, `key-${++count}`, acme[author].token);
          const signIn = await addPasskey(server, person.userId, await tokenOf(person));
          const token = await signIn();
          await appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER_VIEWER"]);
          assert.equal(await lives(server, token), author === "boss");
          assert.equal(await lives(server, await signIn()), true, "the passkey stays");
        });
      }
    }

    await t.test("one from a session by an own passkey is the user's own, whatever their password", async () => {
      const person = await make(server, acme, "own-key", acme.boss.token);
      const first = await addPasskey(server, person.userId, (await sessionOf(server, person)).token);
      await touch(server, sql`update webauthn_credentials set author = '' where user_id = ${person.userId}`);
      const reset = { newPassword: { password: ownPassword } };
      const set = await server.rest("POST", `/v2/users/${person.userId}/password`, {
        body: reset,
        token: acme.clerk.token,
      });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      const second = await addPasskey(server, person.userId, await first());
      const token = await second();
      await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
      assert.equal(await lives(server, token), true);
    });

    for (const author of ["clerk", "boss"] as const) {
      await t.test(
        `a link for a passkey that the user is given in a session with a password of the ${author} is treated the same`,
        async () => {
          const person = await make(server, acme, `given-${author}`, acme[author].token);
          const { userId } = person;
          const { token } = await sessionOf(server, person);
          const given = await server.rest("POST", "/auth/v1/users/me/passwordless/_link", { body: {}, token });
          const { searchParams } = new URL(given.body.link);
          const code = { id: searchParams.get("id"), code: searchParams.get("code") };
          await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
          const used = await server.connect("service.user.v2.UserService/RegisterPasskey", {
            userId,
            domain: "",
            code,
          });
          assert.equal(slugOf(used), author === "clerk" ? "user.code_invalid" : "done");
        },
      );
    }

    await t.test("intermediate steps hide no author and list none twice", async () => {
      const person = await make(server, acme, "steps", acme.clerk.token);
      let { token } = await sessionOf(server, person);
      for (let step = 0; step < 3; step++) token = await (await addPasskey(server, person.userId, token))();
      const rows = await server.app.domain.database.read.all<{ author: string }>(
        sql`select distinct author as "author" from webauthn_credentials where user_id = ${person.userId}`,
      );
      assert.equal(rows.length, 1);
      await appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER_VIEWER"]);
      assert.equal(await lives(server, token), false);
    });
  });

  both("a password that was chosen in a session is as good as the session", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const acme = await addStaff(server, "acme");
    const required = { password: goodPassword, changeRequired: true };
    const change = { newPassword: { password: ownPassword }, currentPassword: goodPassword };
    const methods: Record<string, (person: Person) => Promise<void>> = {
      "in place of one that had to be changed": async (person) => {
        const visitor = await visit(server, await addClient(server));
        const page = await enter(visitor, person);
        const form = { current_password: goodPassword, new_password: ownPassword, new_password_repeated: ownPassword };
        assert.ok(isBack(await visitor.browser.submit(page, form)));
      },
      "by the API": async (person) => {
        const { token } = await sessionOf(server, person);
        const path = `/v2/users/${person.userId}/password`;
        assert.equal((await server.rest("POST", path, { body: change, token })).status, 200);
      },
      "with other changes": async ({ userId, ...person }) => {
        const { token } = await sessionOf(server, { userId, ...person });
        const password = { password: { password: ownPassword }, currentPassword: goodPassword };
        await callUser(server, "UpdateHumanUser", { userId, password }, token);
      },
      "at a sign-in application": async ({ userId }) => {
        const path = `/v2/users/${userId}/password`;
        assert.equal((await server.rest("POST", path, { body: change, token: loginToken })).status, 200);
      },
    };
    let count = 0;
    for (const [name, choose] of Object.entries(methods)) {
      for (const author of ["clerk", "boss"] as const) {
        await t.test(`${name}, when the ${author} set the former one`, async () => {
          const given = name.startsWith("in place") ? required : undefined;
          const person = await make(server, acme, `chosen-${++count}`, acme[author].token, given);
          await choose(person);
          const { token } = await sessionOf(server, { ...person, password: ownPassword });
          assert.equal(await lives(server, token), true);
          await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
          assert.equal(await lives(server, token), author === "boss");
          const own = sql`select password_author as "author" from users where user_id = ${person.userId}`;
          const [row] = await server.app.domain.database.read.all<{ author: string }>(own);
          assert.notEqual(row?.author, "", "it is known whose it is");
        });
      }
    }

    for (const author of ["clerk", "boss"] as const) {
      await t.test(`a first password chosen in a session of the ${author} is treated the same`, async () => {
        const person = await make(server, acme, `first-${author}`, acme[author].token);
        const visitor = await visit(server, await addClient(server));
        assert.ok(isBack(await enter(visitor, person)));
        await touch(server, sql`update users set password_hash = null where user_id = ${person.userId}`);
        const page = await visitor.browser.open("/ui/account/password");
        const form = { new_password: ownPassword, new_password_repeated: ownPassword };
        await visitor.browser.submit(page, form);
        const { token } = await sessionOf(server, { ...person, password: ownPassword });
        await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
        assert.equal(await lives(server, token), author === "boss");
      });
    }

    await t.test("also the session of the browser in which it was changed ends", async () => {
      const person = await make(server, acme, "browser", acme.clerk.token, required);
      const visitor = await visit(server, await addClient(server));
      const form = { current_password: goodPassword, new_password: ownPassword, new_password_repeated: ownPassword };
      assert.ok(isBack(await visitor.browser.submit(await enter(visitor, person), form)));
      const open = sql`select session_id from sessions where user_id = ${person.userId} and terminated_at is null`;
      assert.equal((await server.app.domain.database.read.all(open)).length, 1);
      await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
      assert.equal((await server.app.domain.database.read.all(open)).length, 0);
    });
  });
});
