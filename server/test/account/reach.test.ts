import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { goals } from "../../src/pages/login/steps/goals.ts";
import { enter } from "../login/support/sign-in.ts";
import { eachServer } from "../support/each-server.ts";
import { addPerson, appoint } from "../support/people.ts";
import { encodeForm, TestBrowser } from "../support/test-browser.ts";
import { ownerOf, withSession } from "./support/account.ts";

const parts = ["", "/profile", "/methods", "/sessions", "/applications", "/activity", "/data"];
const fresh = Object.values(goals).flatMap(({ path, ...goal }) =>
  "maxAge" in goal && path !== "/ui/account/methods" && path !== "/ui/account/data" ? [path] : [],
);

eachServer((start) => {
  test("the account pages", async (t) => {
    const server = await start(t);

    await t.test("whose account it is, who may look at it, and what nobody gets by another's session", async () => {
      const ada = await addPerson(server, { username: "ada" });
      const bob = await addPerson(server, { username: "bob" });

      // Nobody: the login, and from there to the page.
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

      // Two in one browser: each page says whose it is, and leads to the other.
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

      // A session of another browser is none here, whatever is sent with it.
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
      // Without the proof of the browser nothing is taken.
      await send(form.action, body.replace(/csrf_token=[^&]*/, "csrf_token=x"));
      // Ids of others in forms: ending a session of Bob's in another browser.
      await first.send("/ui/account/sessions", { session_id: other.sessionId }, "sessions?");
      assert.equal(
        (await other.open("/ui/account")).address,
        withSession("/ui/account", other.sessionId),
        "still there",
      );

      // A user who is switched off has no account page.
      await server.connect("service.user.v2.UserService/DeactivateUser", { userId: bob.userId });
      assert.match((await other.open("/ui/account/profile")).address, /^\/ui\/login/);
    });

    await t.test(
      "what changes the ways into an account demands a full authentication of the last minutes",
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

    await t.test("an administrator is nobody but himself here", async () => {
      const root = await addPerson(server, { username: "root" });
      const ada = await addPerson(server, { username: "dora" });
      await appoint(server, root, { instance: true }, ["IAM_OWNER"]);
      const owner = await ownerOf(server, root);
      const victim = await ownerOf(server, ada);
      // By ids of others in every form that has one, and in addresses.
      await owner.send("/ui/account/sessions", { session_id: victim.sessionId }, "sessions?");
      assert.equal((await victim.open("/ui/account")).status, 200);
      assert.match((await victim.open("/ui/account")).address, /session=/);
      const page = await owner.browser.open(`/ui/account/profile?session=${victim.sessionId}&user=${ada.userId}`);
      assert.doesNotMatch(page.html, /dora@/);
      const events = await owner.open(`/ui/account/activity?user=${ada.userId}`);
      assert.doesNotMatch(events.html, /dora/);
      // What his position would allow is not asked: he may delete users, but people do not delete themselves with that.
      assert.match((await owner.open("/ui/account/data")).html, /Ask an administrator/);
      assert.match((await owner.open("/ui/account/delete")).address, /^\/ui\/account\/data/);
      // The cookie opens no method of the API.
      const cookie = [...owner.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      for (const path of ["/v2/users", "/management/v1/orgs/me", "/admin/v1/instances/me", "/auth/v1/users/me"]) {
        const answer = await fetch(`${server.origin}${path}`, { headers: { cookie } });
        assert.ok([401, 404, 405].includes(answer.status), `${path}: ${answer.status}`);
      }
    });
  });
});
