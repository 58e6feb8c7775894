import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { goals } from "../../src/pages/login/flow/goals.ts";
import { readRows } from "../access/support/rows.ts";
import { enter } from "../login/support/sign-in.ts";
import { addPerson, appoint, goodPassword } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { startServer } from "../support/servers/server.ts";
import { encodeForm, TestBrowser } from "../support/sign-in/test-browser.ts";
import { ownerOf, withSession } from "./support/account.ts";

const parts = ["", "/profile", "/methods", "/sessions", "/applications", "/appointments", "/activity", "/data"];
// Pages of these lists lead on to what needs a fresh authentication, which the lists themselves do not.
const lists: readonly string[] = ["/ui/account/methods", "/ui/account/data", "/ui/account/appointments"];
const fresh = Object.values(goals).flatMap(({ path, ...goal }) =>
  "maxAge" in goal && !lists.includes(path) ? [path] : [],
);

serversInTurn((start, test) => {
  test("the account pages", async (t) => {
    const server = await start(t);

    await t.test(
      "whose account it is, who may look at it, and that another user's session gives no access",
      async () => {
        const ada = await addPerson(server, { username: "ada" });
        const bob = await addPerson(server, { username: "bob" });

        // Without a session: the login, and from there to the page.
        const stranger = new TestBrowser(server);
        for (const part of parts) {
          const asked = await stranger.open(`/ui/account${part}`);
          assert.match(asked.address, /^\/ui\/login\?goal=account/, part);
        }
        const asked = await stranger.open("/ui/account/profile");
        const arrived = await enter({ browser: stranger, page: asked }, ada);
        assert.match(arrived.address, /^\/ui\/account\/profile\?session=/);
        assert.match(arrived.html, /value="Example"/);
        assert.match(arrived.headers.get("content-security-policy") ?? "", /form-action 'self'/);
        assert.doesNotMatch(arrived.headers.get("content-security-policy") ?? "", /unsafe/);

        // Two accounts in one browser: each page names its user, and leads to the other.
        const first = await ownerOf(server, ada);
        const second = await ownerOf(server, bob, first.browser);
        assert.notEqual(first.sessionId, second.sessionId);
        for (const part of parts) {
          const page = await first.open(`/ui/account${part}`);
          assert.equal(page.status, 200, part);
          assert.match(page.html, /<div class="identity">[\s\S]*ada@/, part);
          assert.ok(page.html.includes(`href="/ui/account?session=${second.sessionId}"`), part);
        }
        assert.match((await first.browser.open("/ui/account")).html, /<div class="identity">[\s\S]*bob@/, "the newest");

        // A session of another browser is invalid here, whatever is sent with it.
        const other = await ownerOf(server, bob);
        const page = await first.browser.open(withSession("/ui/account/profile", other.sessionId));
        assert.equal(page.address, "/ui/account/profile");
        const form = (await first.open("/ui/account/profile")).forms[0];
        assert.ok(form);
        const send = (action: string, body: string) =>
          first.browser.send(action, {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", origin: server.origin },
            body,
          });
        const body = encodeForm(form, { given_name: "Mallory" });
        for (const action of ["/ui/account/profile", withSession("/ui/account/profile", other.sessionId)]) {
          assert.equal((await send(action, body)).status, 303);
        }
        for (const { userId } of [ada, bob]) {
          const { body: read } = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
          assert.notEqual(read.user.human.profile.givenName, "Mallory");
        }
        // Without the browser's proof nothing is accepted.
        await send(form.action, body.replace(/csrf_token=[^&]*/, "csrf_token=x"));
        // Ids of others in forms: this must not end Bob's session in another browser.
        await first.send("/ui/account/sessions", { session_id: other.sessionId }, "sessions?");
        assert.equal(
          (await other.open("/ui/account")).address,
          withSession("/ui/account", other.sessionId),
          "still there",
        );

        // A deactivated user has no account page.
        await server.connect("service.user.v2.UserService/DeactivateUser", { userId: bob.userId });
        assert.match((await other.open("/ui/account/profile")).address, /^\/ui\/login/);
      },
    );

    await t.test(
      "what changes the ways into an account requires a full authentication of the last minutes",
      async () => {
        const ada = await addPerson(server, { username: "carol" });
        const owner = await ownerOf(server, ada);
        assert.ok(fresh.length >= 8);
        const forms = new Map<string, string>();
        for (const path of fresh.filter((one) => !one.endsWith("delete") && !one.endsWith("recovery-codes"))) {
          const page = await owner.open(path);
          assert.equal(page.address, withSession(path, owner.sessionId), path);
          const form = page.forms[0];
          assert.ok(form);
          forms.set(form.action, encodeForm(form, {}));
        }
        server.clock.now += minutes(5) + 1;
        for (const path of fresh) assert.match((await owner.open(path)).address, /^\/ui\/login\?goal=account-/, path);
        for (const part of parts)
          assert.match((await owner.open(`/ui/account${part}`)).address, /^\/ui\/account/, part);
        server.clock.now += minutes(5);
        const { body: before } = await server.connect("service.user.v2.UserService/GetUserByID", {
          userId: ada.userId,
        });
        for (const [action, body] of forms) {
          const answer = await owner.browser.send(action, {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", origin: server.origin },
            body,
          });
          assert.match(answer.headers.get("location") ?? "", /^\/ui\/login\?goal=account-/, action);
        }
        const { body: after } = await server.connect("service.user.v2.UserService/GetUserByID", { userId: ada.userId });
        assert.deepEqual(after.user.details, before.user.details, "nothing was changed");
        const again = await enter({ browser: owner.browser, page: await owner.open("/ui/account/password") }, ada);
        assert.match(again.address, /^\/ui\/account\/password\?session=/);
      },
    );

    await t.test("errors below the account have its headers and lead back to it", async () => {
      const owner = await ownerOf(server, await addPerson(server, { username: "erin" }));
      const form = (await owner.open("/ui/account/profile")).forms[0];
      assert.ok(form);
      const post = (browser: TestBrowser, headers: Record<string, string>, body = encodeForm(form, {})) =>
        browser.send(form.action, { method: "POST", headers, body });
      const own = { "content-type": "application/x-www-form-urlencoded", origin: server.origin };
      const cases: Readonly<Record<string, [number, Promise<Response>, string]>> = {
        "no such page": [404, owner.browser.send("/ui/account/nothing"), "does not exist"],
        "no such method": [405, owner.browser.send("/ui/account/profile", { method: "DELETE" }), "does not exist"],
        "another site": [403, post(owner.browser, { ...own, "sec-fetch-site": "cross-site" }), "has expired"],
        "no cookie": [400, post(new TestBrowser(server), own), "did not send our cookie"],
        "too much": [413, post(owner.browser, own, "a".repeat(70_000)), "has expired"],
      };
      for (const [name, [status, answering, words]] of Object.entries(cases)) {
        const answer = await answering;
        const html = await answer.text();
        assert.equal(answer.status, status, name);
        assert.match(answer.headers.get("content-security-policy") ?? "", /form-action 'self'/, name);
        assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin", name);
        assert.ok(html.includes(words), `${name}: ${html}`);
        assert.match(html, /class="button primary" href="\/ui\/account/, name);
        assert.doesNotMatch(html, /application/i, name);
      }
      const answer = await owner.browser.send("/ui/login/nothing");
      assert.equal(answer.headers.get("cross-origin-opener-policy"), null);
      assert.match(await answer.text(), /class="button primary" href="\/"/);
    });

    await t.test("forms that are sent twice, again after going back, or from an older tab lead on", async () => {
      const owner = await ownerOf(server, await addPerson(server, { username: "fay" }));
      const passwords = { current_password: goodPassword, new_password: "another long sentence" };
      const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        "/ui/account/profile": { given_name: "Fay", family_name: "Example" },
        "/ui/account/email": { email: "fay@other.example" },
        "/ui/account/email/code": { code: "WRONG1" },
        "/ui/account/phone": { phone: "+41791234567" },
        "/ui/account/username": { username: "fay2" },
        "/ui/account/totp": {},
        "/ui/account/passkey": { passkeys: "1" },
        "/ui/account/password": { ...passwords, new_password_repeated: passwords.new_password },
      };
      for (const [path, fields] of Object.entries(forms)) {
        const page = await owner.open(path);
        const tab = await owner.open(path);
        const first = await owner.browser.submit(page, fields);
        const again = await owner.browser.submit(page, fields);
        const older = await owner.browser.submit(tab, fields);
        const reloaded = await owner.browser.open(first.address);
        for (const answer of [first, again, older, reloaded]) {
          assert.equal(answer.status, 200, `${path}: ${answer.address}`);
          assert.match(answer.address, /^\/ui\/account/, `${path}: ${answer.title}`);
        }
      }
    });

    await t.test("an administrator has no more rights here than any user", async () => {
      const root = await addPerson(server, { username: "root" });
      const ada = await addPerson(server, { username: "dora" });
      await appoint(server, root, { instance: true }, ["IAM_OWNER"]);
      const owner = await ownerOf(server, root);
      const victim = await ownerOf(server, ada);
      // By the ids of other users in every form that has one, and in addresses.
      await owner.send("/ui/account/sessions", { session_id: victim.sessionId }, "sessions?");
      assert.equal((await victim.open("/ui/account")).status, 200);
      assert.match((await victim.open("/ui/account")).address, /session=/);
      const page = await owner.browser.open(`/ui/account/profile?session=${victim.sessionId}&user=${ada.userId}`);
      assert.doesNotMatch(page.html, /dora@/);
      const events = await owner.open(`/ui/account/activity?user=${ada.userId}`);
      assert.doesNotMatch(events.html, /dora/);
      // The user's role is not considered: it allows deleting users, but not oneself on this page.
      assert.match((await owner.open("/ui/account/data")).html, /Ask an administrator/);
      assert.match((await owner.open("/ui/account/delete")).address, /^\/ui\/account\/data/);
    });
  });
});

test("the cookies of an account, even an administrator's, open no method of the API", async (t) => {
  const server = await startServer(t);
  const root = await addPerson(server, { username: "root" });
  await appoint(server, root, { instance: true }, ["IAM_OWNER"]);
  const { browser } = await ownerOf(server, root);
  assert.ok(browser.cookies.size > 0);
  // As a page of ours would send it, but without the proof that its forms carry.
  const headers = { "content-type": "application/json", origin: server.origin, "sec-fetch-site": "same-origin" };
  const open = new Set([...readRows().values()].filter((row) => row.isForEverybody).map(({ method }) => method));
  const { methods, routes } = server.app;
  const openPaths = new Set(
    [...methods.values()].flatMap((one) =>
      one.isHealth || open.has(one.name)
        ? one.routes.flatMap(({ path }) => [path, path.replace("/service/", "/zitadel/")])
        : [],
    ),
  );
  const calls = [
    ...[...methods.keys()].filter((name) => !open.has(name)).map((name) => ["POST", `/${name}`] as const),
    ...routes
      .filter(({ protocol, path }) => protocol === "rest" && !openPaths.has(path))
      .flatMap((route) => route.methods.map((method) => [method, route.path.replaceAll(/:\w+|\*/g, "1")] as const)),
  ];
  const answered: string[] = [];
  const waiting = calls.values();
  const ask = async (): Promise<void> => {
    for (const [method, path] of waiting) {
      const body = method === "GET" || method === "DELETE" ? null : "{}";
      const answer = await browser.send(path, { method, headers, body });
      await answer.arrayBuffer();
      if (answer.status !== 401) answered.push(`${method} ${path}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  assert.deepEqual(answered, []);
  assert.ok(calls.length > 1000, `${calls.length} calls`);
});
