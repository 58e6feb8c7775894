import assert from "node:assert/strict";
import { test } from "node:test";
import { days } from "../../src/base/clock.ts";
import { listNewestNotifications, openNotification } from "../../src/domain/notification/index.ts";
import { upload } from "../branding/support/files.ts";
import { inboxOf } from "../factor/support.ts";
import { isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { realPng } from "../support/data/pictures.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson, appoint, goodPassword, type Person, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { newsOf, ownerOf } from "./support/account.ts";

const read = async (server: TestServer, { userId }: Person) =>
  (await server.connect("service.user.v2.UserService/GetUserByID", { userId })).body.user;

/** The newest code that was sent to a recipient. */
async function codeFor({ app: { domain } }: TestServer, recipient: string): Promise<string> {
  const instance = await domain.findInstanceByHost("localhost");
  assert.ok(instance);
  const messages = await listNewestNotifications(domain.database.read, instance.instanceId, 20);
  const message = messages.find((one) => one.recipient === recipient);
  assert.ok(message, recipient);
  return openNotification(domain.vault, instance.instanceId, message)["code"] ?? "";
}

/** Tokens of an application, for a person who signs in to it in a browser. */
async function tokensOf(server: TestServer, client: SignInClient, person: Person) {
  const browser = await signedIn(server, person);
  const { page, codeVerifier } = await visit(server, client, { scope: "openid profile offline_access" }, browser);
  const back = isBack(page) ? page : await browser.submit(page);
  const { body } = await client.exchange(back.address, codeVerifier);
  assert.ok(body.refresh_token, JSON.stringify(body));
  return body;
}

const userinfo = async (server: TestServer, token: string): Promise<number> =>
  (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;

const refresh = async (server: TestServer, { clientId }: SignInClient, token: string): Promise<number> => {
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: token, client_id: clientId });
  return (await fetch(`${server.origin}/oauth/v2/token`, { method: "POST", body })).status;
};

eachServer((start) => {
  test("users look after their accounts", async (t) => {
    const server = await start(t);

    await t.test("profile, address, number and username", async () => {
      const ada = await addPerson(server, { username: "ada" });
      await addPerson(server, { username: "taken" });
      const owner = await ownerOf(server, ada);
      const wrong = await owner.send("/ui/account/profile", { given_name: " ", nickname: "Countess" });
      assert.match(wrong.alert ?? "", /1 to 200/);
      assert.match(wrong.html, /value="Countess"/, "nothing is typed twice");
      const fields = {
        given_name: "Ada",
        family_name: "King",
        display_name: "",
        nickname: "",
        language: "de",
        gender: "female",
      };
      const saved = await owner.send("/ui/account/profile", fields);
      assert.match(newsOf(saved) ?? "", /gespeichert/, "in the language that was chosen");
      await owner.send("/ui/account/profile", { ...fields, language: "en" });
      const { profile } = (await read(server, ada)).human;
      assert.deepEqual([profile.displayName, profile.gender], ["Ada King", "GENDER_FEMALE"]);

      assert.match((await owner.send("/ui/account/email", { email: "no" })).alert ?? "", /not an email/);
      const asked = await owner.send("/ui/account/email", { email: "new@mail.example" });
      assert.match(asked.address, /^\/ui\/account\/email\/code\?/);
      assert.match((await owner.browser.submit(asked, { code: "AAAAAA" })).alert ?? "", /not valid/);
      const sent = await owner.browser.submit(asked, {}, { action: "/resend" });
      assert.match(newsOf(sent) ?? "", /on its way/);
      const first = await codeFor(server, "new@mail.example");
      await owner.send("/ui/account/email", { email: "new@mail.example" });
      assert.equal((await inboxOf(server, "new@mail.example")).length, 1, "none was sent again so soon, in no way");
      const waited = /data-wait="(\d+)"/.exec(sent.html)?.[1];
      assert.match(waited ?? "", /^(?:30|29)$/);
      server.clock.now += 31_000;
      const renewed = await owner.browser.submit(sent, {}, { action: "/resend" });
      assert.equal((await inboxOf(server, "new@mail.example")).length, 2);
      assert.match(renewed.html, /data-wait="30"/);
      assert.match(
        (await owner.browser.submit(renewed, { code: first }, { action: "/code" })).alert ?? "",
        /not valid/,
      );
      const code = await codeFor(server, "new@mail.example");
      const done = await owner.browser.submit(sent, { code: ` ${code.toLowerCase()} ` }, { action: "/code" });
      assert.match(newsOf(done) ?? "", /confirmed/);
      assert.deepEqual((await read(server, ada)).human.email, {
        email: "new@mail.example",
        isVerified: true,
        proof: { method: "CONTACT_PROOF_METHOD_CODE" },
      });

      const typed = await owner.send("/ui/account/phone", { phone: "+41 79 123 45 67" });
      assert.match(typed.html, /\+41791234567/);
      const twice = await owner.browser.submit(typed, {}, { action: "/resend" });
      assert.match(newsOf(twice) ?? "", /on its way/);
      assert.equal((await inboxOf(server, "+41791234567")).length, 1);
      // Another number is another matter.
      await owner.send("/ui/account/phone", { phone: "+41791234568" });
      assert.equal((await inboxOf(server, "+41791234568")).length, 1);
      await owner.send("/ui/account/phone", { phone: "+41 79 123 45 67" });
      assert.equal((await inboxOf(server, "+41791234567")).length, 2);
      await owner.browser.submit(typed, { code: await codeFor(server, "+41791234567") }, { action: "/code" });
      assert.equal((await read(server, ada)).human.phone.isVerified, true);
      await owner.send("/ui/account/phone", {}, "/remove");
      assert.equal((await read(server, ada)).human.phone?.phone ?? "", "");

      assert.match((await owner.send("/ui/account/username", { username: "taken" })).alert ?? "", /already/);
      assert.match(newsOf(await owner.send("/ui/account/username", { username: "countess" })) ?? "", /changed/);
      assert.match((await read(server, ada)).preferredLoginName, /^countess@/);
    });

    await t.test(
      "sessions end with what was issued from them, and applications lose their access at once",
      async () => {
        const bob = await addPerson(server, { username: "bob" });
        const client = await addClient(server);
        const [first, second] = [await tokensOf(server, client, bob), await tokensOf(server, client, bob)];
        const owner = await ownerOf(server, bob);
        await sessionOf(server, bob);
        const listed = await owner.open("/ui/account/sessions");
        assert.equal(listed.html.match(/class="entry"/g)?.length, 4);
        assert.match(listed.html, /this browser/);
        const shown = await owner.open("/ui/account/applications");
        assert.equal(shown.html.match(/class="entry"/g)?.length, 1);
        assert.match(shown.html, /Shop[\s\S]*stay connected until/);
        const ofSecond = listed.forms.filter(({ action }) => !action.includes("end-others"));
        assert.equal(ofSecond.length, 4);
        // Another person's, and one that there is not: nothing happens.
        const eve = await ownerOf(server, await addPerson(server, { username: "eve" }));
        assert.match((await eve.open("/ui/account/applications")).html, /No application has access/);
        assert.equal(await userinfo(server, second.access_token), 200);
        assert.match(
          newsOf(await owner.send("/ui/account/applications", {}, "applications")) ?? "",
          /no longer has access/,
        );
        for (const { access_token, refresh_token } of [first, second]) {
          assert.equal(await userinfo(server, access_token), 401);
          assert.equal(await refresh(server, client, refresh_token), 400);
        }
        assert.match((await owner.open("/ui/account/applications")).html, /No application has access/);
        const third = await tokensOf(server, client, bob);
        assert.match(newsOf(await owner.send("/ui/account/sessions", {}, "end-others")) ?? "", /other sessions/);
        assert.equal(await userinfo(server, third.access_token), 401);
        const left = await owner.open("/ui/account/sessions");
        assert.equal(left.html.match(/class="entry"/g)?.length, 1);
        const out = await owner.browser.submit(left, {}, { action: "sessions?" });
        assert.match(out.address, /^\/ui\/login\?goal=account/, "the last one is this browser's");
      },
    );

    await t.test("activity is shown page by page for 90 days, with a way to report unknown activity", async () => {
      const carol = await addPerson(server, { username: "carol" });
      const owner = await ownerOf(server, carol);
      const profile = await owner.open("/ui/account/profile");
      for (let n = 0; n < 30; n++) await owner.browser.submit(profile, { given_name: `Carol ${n}`, display_name: "" });
      const newest = await owner.open("/ui/account/activity");
      assert.equal(newest.html.match(/class="entry"/g)?.length, 30);
      const older = /class="pager"[^>]*>\s*<a href="([^"]*)"/.exec(newest.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
      const rest = await owner.browser.open(older);
      const [signedIn = "", created = ""] = rest.html.split(/class="entry"/).slice(1);
      assert.match(
        signedIn,
        /Your password was used to sign in\.[\s\S]*Address <bdi>127\.0\.0\.1<[\s\S]*\/activity\/not-me\?/,
      );
      assert.doesNotMatch(created, /Address/, "where an administrator was is theirs to know");
      assert.match(rest.html, /Your account was created\.[\s\S]*By /, "an administrator made the account");
      const notMe = await owner.open("/ui/account/activity/not-me");
      assert.match(notMe.html, /href="\/ui\/account\/password\?/);
      assert.match(newsOf(await owner.browser.submit(notMe)) ?? "", /other sessions/);
      server.clock.now += days(91);
      const later = await ownerOf(server, carol);
      assert.doesNotMatch((await later.open("/ui/account/activity")).html, /Your account was created/);
    });

    await t.test("the download contains all of the user's data, no secrets, and no data of others", async () => {
      const dora = await addPerson(server, { username: "dora" });
      const { token } = await sessionOf(server, dora);
      assert.equal((await upload(server, "users/me/avatar", realPng(9, 9), { token })).status, 200);
      const client = await addClient(server);
      const tokens = await tokensOf(server, client, dora);
      const owner = await ownerOf(server, dora);
      const form = (await owner.open("/ui/account/data")).forms[0];
      assert.ok(form);
      const answer = await owner.browser.send(form.action, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: server.origin },
        body: new URLSearchParams(form.values.map(([name, value]) => [name, value])),
      });
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment/);
      const text = await answer.text();
      const data = JSON.parse(text);
      assert.equal(data.user.email.address, "dora@mail.example");
      assert.equal(data.sessions.length, 3);
      assert.deepEqual(data.picture, { contentType: "image/png", content: realPng(9, 9).toString("base64") });
      assert.deepEqual(
        data.applications.map(({ clientId }: { clientId: string }) => clientId),
        [client.clientId],
      );
      assert.ok(data.activity.some(({ type }: { type: string }) => type === "user.password_check.succeeded"));
      for (const secret of [goodPassword, "$argon2", tokens.refresh_token, tokens.access_token, "carol"]) {
        assert.ok(!text.includes(secret), secret.slice(0, 8));
      }
    });

    await t.test("a user who may delete their account does so, and is gone everywhere", async () => {
      const emil = await addPerson(server, { username: "emil" });
      const client = await addClient(server);
      const tokens = await tokensOf(server, client, emil);
      const owner = await ownerOf(server, emil);
      assert.match((await owner.open("/ui/account/delete")).address, /^\/ui\/account\/data\?/, "not without the role");
      await appoint(server, emil, { organizationId: emil.organizationId }, ["SELF_MANAGEMENT_GLOBAL"]);
      const asked = await owner.open("/ui/account/delete");
      const wrong = await owner.browser.submit(asked, { login_name_again: "somebody" });
      assert.match(wrong.alert ?? "", /not your login name/);
      const gone = await owner.browser.submit(wrong, { login_name_again: ` ${emil.loginName.toUpperCase()} ` });
      assert.equal(gone.address, "/ui/account/deleted");
      assert.equal(await userinfo(server, tokens.access_token), 401);
      assert.equal(
        (await server.connect("service.user.v2.UserService/GetUserByID", { userId: emil.userId })).status,
        404,
      );
      assert.match((await owner.open("/ui/account")).address, /^\/ui\/login/);
    });

    await t.test("password managers find the pages", async () => {
      const changed = await fetch(`${server.origin}/.well-known/change-password`, { redirect: "manual" });
      assert.deepEqual([changed.status, changed.headers.get("location")], [302, "/ui/account/password"]);
      const found = await fetch(`${server.origin}/.well-known/passkey-endpoints`);
      assert.equal(found.headers.get("content-type"), "application/json");
      assert.deepEqual(await found.json(), {
        enroll: `${server.origin}/ui/account/passkey`,
        manage: `${server.origin}/ui/account/methods`,
      });
    });
  });
});
