import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, goodPassword, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

const profile = { firstName: "Ida", lastName: "Example" };
// bcrypt of "correct horse battery staple", cost 4.
const hash = "$2b$04$1xOd9FNpZX8JiQ7xPIaOQeq2xWRbHfUJX/bxeAEbIM4k/GHhC0xRS";

let count = 0;

/** Makes a person by the first generation of the API. */
async function add(server: TestServer, path: string, more: object, isEmailVerified = false) {
  const userName = `new-${++count}`;
  const email = `${userName}@mail.example`;
  const body = { userName, profile, email: { email, isEmailVerified }, ...more };
  const made = await server.rest("POST", `/management/v1/users/human${path}`, { body });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { ...made.body, userId: made.body.userId as string, userName, email };
}

const stateOf = async (server: TestServer, userId: string) =>
  (await server.rest("GET", `/management/v1/users/${userId}`)).body.user.state;

async function inbox(server: TestServer, email: string) {
  const path = `/ui/dev/inbox?recipient=${encodeURIComponent(email)}`;
  const { body } = await server.rest("GET", path, { token: null, headers: { accept: "application/json" } });
  return body.messages as { kind: string; code: string; link: string; text: string }[];
}

async function newest(server: TestServer, email: string | undefined) {
  const [mail] = await inbox(server, email ?? "");
  assert.ok(mail, `no message to ${email}`);
  return mail;
}

const localPath = (link: string): string => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};

eachServer((start) => {
  test("how an account begins", async (t) => {
    const server = await start(t);
    const signIn = (userId: string, password: string) =>
      server.rest("POST", "/v2/sessions", { body: { checks: { user: { userId }, password: { password } } } });

    await t.test("users who are active at once, and users who have yet to begin", async () => {
      const initial = ["USER_STATE_INITIAL", ["initialization"]];
      const active = ["USER_STATE_ACTIVE", []];
      const table: readonly [string, object, boolean, readonly unknown[]][] = [
        ["", {}, false, initial],
        ["", {}, true, initial],
        ["", { initialPassword: goodPassword }, false, initial],
        ["", { initialPassword: goodPassword }, true, active],
        ["/_import", {}, true, initial],
        ["/_import", { password: goodPassword }, false, initial],
        ["/_import", { password: goodPassword }, true, active],
        ["/_import", { hashedPassword: { value: hash } }, true, active],
        ["/_import", { requestPasswordlessRegistration: true }, false, initial],
        ["/_import", { requestPasswordlessRegistration: true }, true, active],
      ];
      for (const [path, more, isVerified, expected] of table) {
        const { userId, email } = await add(server, path, more, isVerified);
        const kinds = (await inbox(server, email)).map(({ kind }) => kind);
        assert.deepEqual([await stateOf(server, userId), kinds], expected, JSON.stringify([path, more, isVerified]));
        const v2 = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
        assert.equal(v2.body.user.state, expected[0]);
      }
    });

    await t.test("a refused request leaves no user behind", async () => {
      const base = { profile, email: { email: "x@mail.example" } };
      const table: readonly [object, number, string][] = [
        [{ ...base, otpCode: "not base32!" }, 400, "factor.totp_secret_invalid"],
        [{ ...base, otpCode: "ABCD" }, 400, "factor.totp_secret_invalid"],
        [{ ...base, recoveryCodes: [{ raw: "short" }] }, 400, "factor.recovery_code_short"],
        [{ ...base, recoveryCodes: [{ hash: "$2a$10$x" }] }, 400, "factor.recovery_code_hashed"],
        [{ ...base, password: goodPassword, hashedPassword: { value: hash } }, 400, "user.password_twice"],
        [{ ...base, hashedPassword: { value: "rot13:abc" } }, 400, "user.password_hash_unsupported"],
        [{ ...base, password: "short" }, 400, "password.too_short"],
        [{ ...base, idps: [{ configId: "1", externalUserId: "2" }] }, 404, ""],
      ];
      for (const [body, status, id] of table) {
        const refused = await server.rest("POST", "/management/v1/users/human/_import", {
          body: { userName: "nobody", ...body },
        });
        const said = [refused.status, refused.body.details?.[0]?.id];
        assert.equal(said[0], status, JSON.stringify([body, refused.body]));
        if (id !== "password.too_short" && id !== "") assert.equal(said[1], id, JSON.stringify(body));
      }
      const found = await server.rest("GET", "/management/v1/users/_is_unique?userName=nobody");
      assert.equal(found.body.isUnique, true);
    });

    await t.test("the message leads to a page where the password is set, and only its code does", async () => {
      const { userId, email } = await add(server, "", { initialPassword: goodPassword });
      // Before that, not even the right password is of use.
      assert.equal((await signIn(userId, goodPassword)).status, 400);
      const mail = await newest(server, email);
      assert.ok(mail.text.includes(mail.link), mail.text);
      const browser = new TestBrowser(server);
      const page = await browser.open(localPath(mail.link));
      const text = "another good passphrase";
      const differing = await browser.submit(page, { new_password: text, new_password_repeated: "" });
      assert.match(differing.alert ?? "", /do not match/);
      const fields = { code: "WRONG1", new_password: text, new_password_repeated: text };
      const wrong = await browser.submit(differing, fields);
      assert.match(wrong.alert ?? "", /code/i);
      const weak = await browser.submit(wrong, {
        code: mail.code,
        new_password: "short",
        new_password_repeated: "short",
      });
      assert.ok(weak.alert, "a password that is refused leaves the code good");
      const done = await browser.submit(weak, { ...fields, code: mail.code.toLowerCase() });
      assert.equal(done.address, "/ui/login/password-set");
      assert.equal(await stateOf(server, userId), "USER_STATE_ACTIVE");
      assert.equal((await signIn(userId, goodPassword)).status, 400);
      assert.equal((await signIn(userId, fields.new_password)).status, 201);
      const email2 = (await server.rest("GET", `/management/v1/users/${userId}/email`)).body.email;
      assert.equal(email2.isEmailVerified, true);
      const again = await browser.submit(await browser.open(localPath(mail.link)), { ...fields, code: mail.code });
      assert.match(again.alert ?? "", /code/i, "a code works once");
    });

    await t.test("of two concurrent uses of one code exactly one succeeds", async () => {
      const { userId, email } = await add(server, "", {});
      const mail = await newest(server, email);
      const attempts = await Promise.all(
        ["the first good passphrase", "the second good passphrase"].map(async (password) => {
          const browser = new TestBrowser(server);
          const page = await browser.open(localPath(mail.link));
          const shown = await browser.submit(page, { new_password: password, new_password_repeated: password });
          return [shown.address, password] as const;
        }),
      );
      const winners = attempts.filter(([address]) => address === "/ui/login/password-set");
      assert.equal(winners.length, 1);
      for (const [, password] of attempts) {
        const isWinner = winners.some(([, winning]) => winning === password);
        assert.equal((await signIn(userId, password)).status, isWinner ? 201 : 400);
      }
    });

    await t.test("the message can be sent again, to another address, until the account has begun", async () => {
      const { userId, email } = await add(server, "", {});
      const resend = (body: object) =>
        server.rest("POST", `/management/v1/users/${userId}/_resend_initialization`, { body });
      const first = await newest(server, email);
      assert.equal((await resend({})).status, 200);
      const second = await newest(server, email);
      assert.notEqual(second.code, first.code);
      assert.equal((await resend({ email: "elsewhere@mail.example" })).status, 200);
      const third = await newest(server, "elsewhere@mail.example");
      assert.equal(third.kind, "initialization");
      const browser = new TestBrowser(server);
      const fields = { new_password: goodPassword, new_password_repeated: goodPassword };
      const stale = await browser.submit(await browser.open(localPath(second.link)), fields);
      assert.match(stale.alert ?? "", /code/i);
      const done = await browser.submit(await browser.open(localPath(third.link)), fields);
      assert.equal(done.address, "/ui/login/password-set");
      const refused = await resend({});
      assert.deepEqual([refused.status, refused.body.details[0].id], [400, "user.already_initialised"]);
    });

    await t.test("an account also begins with an address and a password that came separately", async () => {
      const { userId, email } = await add(server, "", {});
      const set = await server.rest("POST", `/management/v1/users/${userId}/password/_initialize`, {
        body: { password: goodPassword },
      });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      assert.equal(await stateOf(server, userId), "USER_STATE_INITIAL");
      const proven = await server.rest("PUT", `/management/v1/users/${userId}/email`, {
        body: { email, isEmailVerified: true },
      });
      assert.equal(proven.status, 200, JSON.stringify(proven.body));
      assert.equal(await stateOf(server, userId), "USER_STATE_ACTIVE");
      const session = await signIn(userId, goodPassword);
      assert.equal(session.status, 201);
      const { events } = (await server.rest("POST", "/admin/v1/events/_search", { body: { aggregateId: userId } }))
        .body;
      const types = events.map(({ type }: { type: { type: string } }) => type.type);
      assert.equal(types.filter((type: string) => type === "user.initialized").length, 1);
    });

    await t.test("an invitation and a reset lead to pages of the same kind", async () => {
      const { userId } = await addPerson(server, { username: "reset" });
      const reset = await server.rest("POST", `/v2/users/${userId}/password_reset`, { body: { sendLink: {} } });
      assert.equal(reset.status, 200, JSON.stringify(reset.body));
      const made = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: (await server.rest("GET", "/management/v1/orgs/me")).body.org.id,
        human: { profile: { givenName: "I", familyName: "V" }, email: { email: "i@mail.example", isVerified: false } },
      });
      const invited = await server.rest("POST", `/v2/users/${made.body.id}/invite_code`, { body: { sendCode: {} } });
      assert.equal(invited.status, 200, JSON.stringify(invited.body));
      const password = "a passphrase for both";
      for (const [email, id] of [
        ["reset@mail.example", userId],
        ["i@mail.example", made.body.id],
      ]) {
        const mail = await newest(server, email);
        const browser = new TestBrowser(server);
        const page = await browser.open(localPath(mail.link));
        const fields = { new_password: password, new_password_repeated: password };
        assert.equal((await browser.submit(page, fields)).address, "/ui/login/password-set", email);
        assert.equal((await signIn(id, password)).status, 201, email);
      }
    });

    await t.test("administrators see the invitation that waits, since when and until when", async () => {
      const organizationId = await addOrganization(server, "Inviting");
      const human = { profile: { givenName: "I", familyName: "W" }, email: { email: "iw@mail.example" } };
      const made = await server.connect("service.user.v2.UserService/CreateUser", { organizationId, human });
      const { id } = made.body;
      const waiting = async (userId = id) =>
        (await server.rest("GET", `/v2/users/${userId}/authentication_methods`)).body.invitation;
      const invite = (body: object) => server.rest("POST", `/v2/users/${id}/invite_code`, { body });
      const seconds = (date: string): number => Date.parse(date);
      assert.equal(await waiting(), undefined);
      await invite({ returnCode: {} });
      assert.equal((await waiting()).isReturned, true);
      server.clock.now += 1000;
      await invite({ sendCode: {} });
      const { creationDate, expirationDate, ...more } = await waiting();
      assert.equal(seconds(creationDate), server.clock.now);
      assert.ok(seconds(expirationDate) > server.clock.now);
      assert.deepEqual(more, { isReturned: false });
      server.clock.now += 1000;
      await server.rest("POST", `/v2/users/${id}/invite_code/resend`, { body: {} });
      assert.equal(seconds((await waiting()).creationDate), server.clock.now);

      const mail = await newest(server, "iw@mail.example");
      const browser = new TestBrowser(server);
      const page = await browser.open(localPath(mail.link));
      await browser.submit(page, { new_password: goodPassword, new_password_repeated: goodPassword });
      assert.equal(await waiting(), undefined);

      const { userId } = await add(server, "", {});
      assert.equal(seconds((await waiting(userId)).creationDate), server.clock.now);
    });

    await t.test("factors of another system are there from the start", async () => {
      const otpCode = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
      const recoveryCodes = [{ raw: "abcd-efgh-1234" }];
      const { userId } = await add(server, "/_import", { password: goodPassword, otpCode, recoveryCodes }, true);
      const check = (checks: object) =>
        server.rest("POST", "/v2/sessions", {
          body: { checks: { user: { userId }, password: { password: goodPassword }, ...checks } },
        });
      assert.equal((await check({ totp: { code: appCode(otpCode, server.clock.now) } })).status, 201);
      assert.equal((await check({ recoveryCode: { code: "ABCDEFGH1234" } })).status, 201);
      const organizationId = (await server.rest("GET", "/management/v1/orgs/me")).body.org.id;
      const v2 = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId,
        human: {
          profile: { givenName: "T", familyName: "O" },
          email: { email: "totp@mail.example", isVerified: true },
          totpSecret: otpCode,
        },
      });
      assert.equal(v2.status, 200, JSON.stringify(v2.body));
      const methods = await server.connect("service.user.v2.UserService/ListAuthenticationMethodTypes", {
        userId: v2.body.id,
      });
      assert.deepEqual(methods.body.authMethodTypes, ["AUTHENTICATION_METHOD_TYPE_TOTP"]);
    });

    await t.test("a link registers a passkey once, in the browser that used its code", async () => {
      const person = await addPerson(server, { username: "pia" });
      const { token } = await sessionOf(server, person);
      const own = await server.rest("POST", "/auth/v1/users/me/passwordless/_link", { token, body: {} });
      assert.equal(own.status, 200, JSON.stringify(own.body));
      assert.equal(own.body.expiration, "3600s");
      const invited = await add(server, "/_import", { requestPasswordlessRegistration: true }, true);
      const managed = await server.rest("POST", `/management/v1/users/${person.userId}/passwordless/_link`, {
        body: {},
      });
      assert.equal(managed.status, 200, JSON.stringify(managed.body));
      // The newest link of a person is the one that counts.
      for (const [link, userId, works] of [
        [own.body.link, person.userId, false],
        [managed.body.link, person.userId, true],
        [invited.passwordlessRegistration.link, invited.userId, true],
      ] as const) {
        const authenticator = createAuthenticator({ origin: server.origin });
        const browser = new TestBrowser(server);
        const page = await browser.open(localPath(link));
        const without = await browser.submit(page);
        assert.match(without.alert ?? "", /JavaScript/, "a browser without passkeys does not use the code up");
        const create = await browser.submit(without, { passkeys: "1" });
        if (!works) {
          assert.match(create.alert ?? "", /code/i);
          continue;
        }
        const written = /data-passkey-options="([^"]*)"/.exec(create.html)?.[1] ?? "";
        const options = JSON.parse(written.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
        const credential = JSON.stringify(authenticator.create(options));
        const stranger = new TestBrowser(server);
        const [strangersForm] = (await stranger.open(localPath(link))).forms;
        const form = create.forms[0];
        assert.ok(form && strangersForm);
        const csrf = strangersForm.values.filter(([name]) => name === "csrf_token");
        const stolen = {
          ...create,
          forms: [{ ...form, values: [...csrf, ...form.values.filter(([name]) => name !== "csrf_token")] }],
        };
        assert.equal((await stranger.submit(stolen, { credential })).status, 400, "another browser");
        const done = await browser.submit(create, { credential, passkey_name: "Phone" });
        assert.equal(done.address, "/ui/login/passkey/done", done.html);
        const { result } = (
          await server.rest("POST", `/management/v1/users/${userId}/passwordless/_search`, { body: {} })
        ).body;
        assert.deepEqual(
          result.map(({ name, state }: { name: string; state: string }) => [name, state]),
          [["Phone", "AUTH_FACTOR_STATE_READY"]],
        );
        const again = await browser.submit(await browser.open(localPath(link)), { passkeys: "1" });
        assert.match(again.alert ?? "", /code/i);
      }
    });

    await t.test("links are also sent, at the request of callers who may", async () => {
      const person = await addPerson(server, { username: "max" });
      const { token } = await sessionOf(server, person);
      const paths = ["_link", "_send_link"].map((path) => `/passwordless/${path}`);
      const sent = await server.rest("POST", "/auth/v1/users/me/passwordless/_send_link", { token, body: {} });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      const mail = await newest(server, "max@mail.example");
      const page = await new TestBrowser(server).open(localPath(mail.link));
      assert.equal(page.title, "Add a passkey – Doorward");
      const other = await addPerson(server, { username: "ext", organizationId: await addOrganization(server, "Ext") });
      await appoint(server, other, { organizationId: other.organizationId }, ["ORG_OWNER"]);
      const { token: foreign } = await sessionOf(server, other);
      const rows: readonly [string, string, string, number][] = [
        ...paths.map((path) => ["POST", path, token, 404] as [string, string, string, number]),
        ...paths.map((path) => ["POST", path, foreign, 404] as [string, string, string, number]),
        ["POST", "/_resend_initialization", foreign, 404],
        ["DELETE", "/avatar", foreign, 404],
        ["POST", "/password/_initialize", foreign, 404],
      ];
      for (const [method, path, by, status] of rows) {
        const body = path.includes("password/") ? { password: goodPassword } : {};
        const refused = await server.rest(method, `/management/v1/users/${person.userId}${path}`, { token: by, body });
        const expected = by === token ? [403, 404] : [status];
        assert.ok(expected.includes(refused.status), `${path}: ${JSON.stringify(refused.body)}`);
      }
      for (const [path, by] of [
        [`/management/v1/users/${person.userId}/avatar`, undefined],
        ["/auth/v1/users/me/avatar", token],
      ] as const) {
        const removed = await server.rest("DELETE", path, { ...(by !== undefined && { token: by }) });
        assert.equal(removed.status, 200, JSON.stringify(removed.body));
      }

      const byName = (name: string, by?: string) =>
        server.rest("GET", `/management/v1/global/users/_by_login_name?loginName=${encodeURIComponent(name)}`, {
          ...(by !== undefined && { token: by }),
        });
      assert.equal((await byName(person.loginName)).body.user.human.email.email, "max@mail.example");
      const seen = await byName(person.loginName, foreign);
      assert.equal(seen.body.user.id, person.userId, JSON.stringify(seen.body));
      // A caller who enters an address learns neither name, username nor organization of the person (N10).
      for (const name of [person.loginName, "max@mail.example"]) {
        const { status, body } = await byName(name, foreign);
        assert.equal(status, 200, JSON.stringify(body));
        const { user } = body;
        assert.deepEqual(
          [user.id, user.loginNames, user.preferredLoginName],
          [person.userId, [name], name],
          JSON.stringify(body),
        );
        assert.deepEqual([user.userName, user.human, user.details], ["", undefined, undefined]);
      }
      assert.equal((await byName("nobody@nowhere.example")).status, 404);
      assert.ok([403, 404].includes((await byName(person.loginName, token)).status));

      const isUnique = async (query: string, by?: string) =>
        (
          await server.rest("GET", `/management/v1/users/_is_unique?${query}`, {
            ...(by !== undefined && { token: by }),
          })
        ).body.isUnique;
      assert.deepEqual(
        [
          await isUnique("userName=MAX"),
          await isUnique("email=max@mail.example"),
          await isUnique("userName=maxine&email=maxine@mail.example"),
          await isUnique("userName=max", foreign),
        ],
        [false, false, true, true],
      );
    });
  });
});
