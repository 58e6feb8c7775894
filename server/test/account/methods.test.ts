import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { codeOf } from "../login/support/second-factors.ts";
import { signedIn } from "../login/support/sign-in.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { newsOf, type Owner, ownerOf } from "./support/account.ts";

const wanted = "a fresh and long sentence";
const methodsOf = async (server: TestServer, userId: string): Promise<string[]> =>
  (await server.connect("service.user.v2.UserService/ListAuthenticationMethodTypes", { userId })).body.authMethodTypes;
/** Removes the password, as for a user who signs in with a passkey only. */
async function forgetPassword({ app: { domain } }: TestServer, userId: string): Promise<void> {
  const instance = await domain.findInstanceByHost("localhost");
  assert.ok(instance);
  const { instanceId } = instance;
  await domain.database.touch(testCall({ instanceId, now: domain.clock() }), async (tx) => {
    await tx.run(sql`update users set password_hash = null, password_changed_at = null
      where instance_id = ${instanceId} and user_id = ${userId}`);
  });
}

const decode = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Registers a passkey or security key on its page, with an authenticator in software. */
async function addKey(server: TestServer, owner: Owner, path: string, name: string): Promise<ShownPage> {
  const create = await owner.send(path, { passkeys: "1" });
  const options = JSON.parse(decode(/data-passkey-options="([^"]*)"/.exec(create.html)?.[1] ?? "{}"));
  const credential = createAuthenticator({ origin: server.origin }).create(options);
  return owner.browser.submit(
    create,
    { credential: JSON.stringify(credential), key_name: name },
    { action: "/create" },
  );
}

/** Opens the page that a link leads to, by the words of the link. */
async function follow(owner: Owner, page: ShownPage, words: RegExp): Promise<ShownPage> {
  const found = [...page.html.matchAll(/<a href="([^"]*)"(?: aria-label="([^"]*)")?[^>]*>([\s\S]*?)<\/a>/g)].find(
    ([, , label, text]) => words.test(label ?? text ?? ""),
  );
  assert.ok(found, `no link ${words}: ${page.html}`);
  return owner.browser.open(decode(found[1] ?? ""));
}

eachServer((start) => {
  test("sign-in methods are added and removed", async (t) => {
    const server = await start(t);
    const all = ["totp", "u2f", "otp_email", "otp_sms", "recovery_codes"] as const;
    await changeSettings(server, "login", { secondFactors: all });

    await t.test("the password: with the current one, and all other browsers are signed out", async () => {
      const ada = await addPerson(server, { username: "ada" });
      const elsewhere = await signedIn(server, ada);
      const owner = await ownerOf(server, ada);
      const refusals: [Record<string, string>, RegExp][] = [
        [{ current_password: "wrong" }, /current password is wrong/],
        [{ new_password: "short" }, /at least 12 characters/],
        [{ new_password_repeated: "another" }, /do not match/],
        [{ new_password: "", new_password_repeated: "" }, /Choose a password/],
      ];
      const form = { current_password: goodPassword, new_password: wanted, new_password_repeated: wanted };
      for (const [given, sentence] of refusals) {
        const repeated = { new_password_repeated: given["new_password"] ?? wanted };
        const page = await owner.send("/ui/account/password", { ...form, ...repeated, ...given });
        assert.match(page.alert ?? "", sentence);
        assert.doesNotMatch(page.html, new RegExp(`value="(${goodPassword}|${wanted})"`));
      }
      assert.match(newsOf(await owner.send("/ui/account/password", form)) ?? "", /signed out everywhere else/);
      assert.match((await owner.open("/ui/account")).address, /^\/ui\/account\?session=/, "this browser stays");
      assert.match((await elsewhere.open("/ui/account")).address, /^\/ui\/login/);
      await ownerOf(server, { ...ada, password: wanted });
    });

    await t.test(
      "passkeys and security keys: a user with only a passkey sets a password, and cannot remove the last sign-in method",
      async () => {
        const bob = await addPerson(server, { username: "bob" });
        const [owner, other] = [await ownerOf(server, bob), await ownerOf(server, bob)];
        assert.match((await owner.send("/ui/account/passkey", { passkeys: "" })).alert ?? "", /JavaScript/);
        assert.match(newsOf(await addKey(server, owner, "/ui/account/passkey", "<Phone>")) ?? "", /added/);
        assert.match((await addKey(server, owner, "/ui/account/security-key", "Key")).title, /^Recovery codes/);
        assert.deepEqual(
          new Set(await methodsOf(server, bob.userId)),
          new Set([
            "AUTHENTICATION_METHOD_TYPE_PASSWORD",
            "AUTHENTICATION_METHOD_TYPE_PASSKEY",
            "AUTHENTICATION_METHOD_TYPE_U2F",
            "AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE",
          ]),
        );
        // A ticket is for one browser, one kind and ten minutes.
        const create = await owner.send("/ui/account/passkey", { passkeys: "1" });
        const ticket = create.forms
          .find(({ action }) => action.includes("create"))
          ?.values.find(([name]) => name === "ticket");
        assert.ok(ticket);
        const foreign = await other.send("/ui/account/passkey", { passkeys: "1" });
        const refused = await other.browser.submit(
          foreign,
          { ticket: ticket[1], credential: "{}" },
          { action: "/create" },
        );
        assert.match(refused.alert ?? "", /cannot be accepted/);

        await forgetPassword(server, bob.userId);
        const methods = await owner.open("/ui/account/methods");
        assert.match(methods.html, /You have no password/);
        assert.match(methods.html, /&lt;Phone&gt;/);
        const [, told = "{}"] = /data-passkey-signals="([^"]*)"/.exec(methods.html) ?? [];
        const { signalAllAcceptedCredentials: accepted, signalCurrentUserDetails: details } = JSON.parse(decode(told));
        assert.equal(
          accepted.allAcceptedCredentialIds.length,
          2,
          "those of security keys too, or they would be hidden",
        );
        const userId = Buffer.from(bob.userId).toString("base64url");
        assert.deepEqual([accepted.rpId, accepted.userId], ["localhost", userId]);
        assert.deepEqual(details, { rpId: "localhost", userId, name: bob.loginName, displayName: details.displayName });
        const asked = await follow(owner, methods, /^Remove &lt;Phone/);
        assert.match(asked.html, /Remove &lt;Phone&gt;\?/);
        assert.match((await owner.browser.submit(asked)).alert ?? "", /last way/);
        const first = await owner.open("/ui/account/password");
        assert.doesNotMatch(first.html, /current_password/);
        const set = await owner.browser.submit(first, { new_password: wanted, new_password_repeated: wanted });
        assert.match(newsOf(set) ?? "", /password is set/);
        const again = await follow(owner, await owner.open("/ui/account/methods"), /^Remove &lt;Phone/);
        assert.match(newsOf(await owner.browser.submit(again)) ?? "", /removed/);
        assert.match((await owner.browser.submit(again)).address, /^\/ui\/account\/methods\?/, "twice is once");
        assert.ok(!(await methodsOf(server, bob.userId)).includes("AUTHENTICATION_METHOD_TYPE_PASSKEY"));
      },
    );

    await t.test("an authenticator app counts once one of its codes has been entered", async () => {
      const carol = await addPerson(server, { username: "carol" });
      const owner = await ownerOf(server, carol);
      const shown = await owner.send("/ui/account/totp");
      const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(shown.html)?.[1]?.replaceAll(" ", "") ?? "";
      assert.match(shown.html, /<img class="qr"[^>]*src="data:image\/svg\+xml,/);
      assert.match(shown.html, /href="otpauth:\/\/totp\//);
      const right = appCode(secret, server.clock.now);
      const wrong = await owner.browser.submit(
        shown,
        { code: right === "000000" ? "000001" : "000000" },
        { action: "/confirm" },
      );
      assert.match(wrong.alert ?? "", /code is wrong/);
      assert.ok(wrong.html.includes(secret.match(/.{4}/g)?.join(" ") ?? "?"), "the same secret");
      assert.ok(!(await methodsOf(server, carol.userId)).includes("AUTHENTICATION_METHOD_TYPE_TOTP"));
      const code = `${right.slice(0, 3)} ${right.slice(3)}`;
      // The first second factor comes with recovery codes (U4).
      assert.match((await owner.browser.submit(wrong, { code }, { action: "/confirm" })).title, /^Recovery codes/);
      assert.ok((await methodsOf(server, carol.userId)).includes("AUTHENTICATION_METHOD_TYPE_TOTP"));
      assert.match((await owner.send("/ui/account/totp")).alert ?? "", /already/);
      const asked = await follow(owner, await owner.open("/ui/account/methods"), /^Remove Authenticator app/);
      await owner.browser.submit(asked);
      assert.ok(!(await methodsOf(server, carol.userId)).includes("AUTHENTICATION_METHOD_TYPE_TOTP"));
    });

    await t.test("codes by mail, and recovery codes, which are shown until they are kept", async () => {
      const dora = await addPerson(server, { username: "dora" });
      const owner = await ownerOf(server, dora);
      const methods = await owner.open("/ui/account/methods");
      assert.match(methods.html, /Add and confirm a phone number first/);
      const asked = await owner.send("/ui/account/methods/add?kind=otp_email");
      const on = await owner.browser.submit(asked, { code: await codeOf(server, "dora@mail.example") });
      assert.match(on.title, /^Recovery codes/);
      assert.match((await owner.send("/ui/account/methods/add?kind=otp_sms")).alert ?? "", /phone number/);
      const codes = await owner.send("/ui/account/recovery-codes");
      const listed = [...codes.html.matchAll(/<code>([A-Z2-9-]{19})<\/code>/g)].map(([, code]) => code);
      assert.equal(new Set(listed).size, 10);
      const unkept = await owner.browser.submit(codes, {}, { action: "/kept" });
      assert.match(unkept.alert ?? "", /Save the codes/);
      assert.ok(unkept.html.includes(listed[9] ?? "?"));
      assert.match(newsOf(await owner.browser.submit(unkept, { kept: "1" }, { action: "/kept" })) ?? "", /ready/);
      assert.match((await owner.open("/ui/account/methods")).html, /Codes left: 10/);
      // After ten minutes the ticket shows nothing.
      server.clock.now += minutes(10) + 1;
      assert.match((await owner.browser.submit(unkept, {}, { action: "/kept" })).address, /^\/ui\/login/);
    });

    await t.test("methods that the settings do not allow are neither offered nor accepted", async () => {
      const emil = await addPerson(server, { username: "emil" });
      await changeSettings(server, "login", { secondFactors: [], allowPasskeys: false });
      const owner = await ownerOf(server, emil);
      const { html } = await owner.open("/ui/account/methods");
      assert.doesNotMatch(html, /Add a passkey|Second factors|Authenticator/);
      for (const path of ["passkey", "security-key", "totp", "recovery-codes", "methods/add?kind=otp_email"]) {
        assert.match((await owner.open(`/ui/account/${path}`)).address, /^\/ui\/account\/methods\?/, path);
      }
    });
  });
});
