import assert from "node:assert/strict";
import { languages } from "../../src/base/language.ts";
import { keysAt } from "../factor/key-support.ts";
import { addApp, addMember, callUser, inboxOf } from "../factor/support.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";

const kindsAt = async (server: TestServer, recipient: string): Promise<string[]> =>
  (await inboxOf(server, recipient)).map(({ kind }) => kind).reverse();

serversInTurn((start, test) => {
  test("users are told at the address they had of every change to what they sign in with (A33)", async (t) => {
    const server = await start(t);
    const { userId, token } = await addMember(server, { username: "grace" });
    const old = "grace@mail.example";
    assert.deepEqual(await kindsAt(server, old), [], "an account that is made says nothing");

    // By an administrator, by the person, and by the first generation of the API alike.
    await callUser(server, "AddOTPEmail", { userId });
    await callUser(server, "RemoveOTPEmail", { userId }, token);
    const { secret } = await callUser(server, "RegisterTOTP", { userId }, token);
    assert.deepEqual(await kindsAt(server, old), ["factor_added", "factor_removed"], "nothing for what is unconfirmed");
    await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) }, token);
    await callUser(server, "SetPhone", { userId, phone: "+41791234567", isVerified: true });
    await server.rest("DELETE", `/management/v1/users/${userId}/phone`);
    await callUser(server, "UpdateUser", { userId, username: "hopper" });
    // What is not sent yet tells of a further change of its kind as well.
    const told = ["factor_added", "factor_removed", "phone_changed", "username_changed"];
    assert.deepEqual(await kindsAt(server, old), told);

    await callUser(server, "SetEmail", { userId, email: "taken@mail.example", isVerified: true });
    assert.deepEqual(await kindsAt(server, old), [...told, "email_changed"], "at the former address");
    assert.deepEqual(await kindsAt(server, "taken@mail.example"), []);
    await callUser(server, "SetEmail", { userId, email: "taken@mail.example", isVerified: true });
    assert.deepEqual(await kindsAt(server, old), [...told, "email_changed"], "once for each change");

    const [newest] = await inboxOf(server, old);
    assert.match(newest.subject, /account was changed/);
    assert.match(newest.text, /email address of your account was changed\. If this was not you/);
    assert.doesNotMatch(newest.text, /taken@mail/, "the former address does not learn the new one");

    await callUser(server, "SetEmail", { userId, email: "third@mail.example", sendCode: {} });
    assert.deepEqual(await kindsAt(server, "taken@mail.example"), ["email_changed"]);
    await callUser(server, "SetEmail", { userId, email: "fourth@mail.example", isVerified: true });
    assert.deepEqual(await kindsAt(server, "third@mail.example"), ["email_verification"], "it was never proven");
  });

  test("every kind of change to a sign-in method is told, each by a message of its own kind (A33)", async (t) => {
    const server = await start(t);
    const keys = keysAt(server);
    const { origin } = server;
    const idpId = await putProvider(server, { configuration: oidcAt("https://one.example") });
    const app = (userId: string) => addApp(server, { userId }, (secret) => appCode(secret, server.clock.now));
    const call = (method: string, body: object) => (userId: string) => callUser(server, method, { userId, ...body });
    const link = call("AddIDPLink", { idpLink: { idpId, userId: "account", userName: "account" } });
    const unlink = async (userId: string) => {
      const path = `/v2/users/${userId}/links/${idpId}/account`;
      assert.equal((await server.rest("DELETE", path)).status, 200);
    };
    const phone = call("SetPhone", { phone: "+41791234567", isVerified: true });
    type Step = (userId: string) => Promise<unknown>;
    const key = (kind: "Passkey" | "U2F") => (userId: string) =>
      keys.register(userId, createAuthenticator({ origin }), kind);
    const removeKey = (kind: "Passkey" | "U2F") => {
      const name = kind === "Passkey" ? "passkeyId" : "u2fId";
      return async (userId: string) => {
        const id = await key(kind)(userId);
        server.clock.now += 60_000;
        return () => callUser(server, `Remove${kind}`, { userId, [name]: id });
      };
    };
    const none: Step = async () => undefined;
    // What is told, what a user has before, and the change.
    const rows: Record<string, readonly [string, Step, Step | undefined]> = {
      "an app": ["factor_added", none, app],
      "no app": ["factor_removed", app, call("RemoveTOTP", {})],
      "codes by email": ["factor_added", none, call("AddOTPEmail", {})],
      "no codes by email": ["factor_removed", call("AddOTPEmail", {}), call("RemoveOTPEmail", {})],
      "codes by SMS": ["factor_added", phone, call("AddOTPSMS", {})],
      "recovery codes": ["factor_added", none, call("GenerateRecoveryCodes", { count: 5 })],
      "no recovery codes": [
        "factor_removed",
        call("GenerateRecoveryCodes", { count: 5 }),
        call("RemoveRecoveryCodes", {}),
      ],
      "a passkey": ["factor_added", none, key("Passkey")],
      "no passkey": ["factor_removed", removeKey("Passkey"), undefined],
      "a security key": ["factor_added", none, key("U2F")],
      "no security key": ["factor_removed", removeKey("U2F"), undefined],
      "no account elsewhere": ["link_removed", link, unlink],
      "an account elsewhere": ["link_added", none, link],
      "a number": ["phone_changed", none, phone],
      "no number": ["phone_changed", phone, call("RemovePhone", {})],
      "a username": ["username_changed", none, call("UpdateUser", { username: "renamed" })],
      "an address": ["email_changed", none, call("SetEmail", { email: "other@mail.example", isVerified: true })],
      "a password": [
        "password_changed",
        none,
        call("SetPassword", { newPassword: { password: "another long one 7" } }),
      ],
    };
    for (const [index, [what, [notice, prepare, change]]] of Object.entries(rows).entries()) {
      const username = `user-${index}`;
      const { userId } = await addMember(server, { username });
      const prepared = await prepare(userId);
      const before = (await kindsAt(server, `${username}@mail.example`)).filter((kind) => kind !== notice);
      await (change ?? (prepared as Step))(userId);
      const told = await kindsAt(server, `${username}@mail.example`);
      assert.deepEqual(told, [...before, notice], what);
    }
  });

  test("a notice of a change is written in the language of the user, for every language (A33)", async (t) => {
    const server = await start(t);
    const texts = new Set<string>();
    for (const language of languages) {
      const { userId } = await addMember(server, { username: `user-${language}` });
      await callUser(server, "UpdateUser", {
        userId,
        human: { profile: { givenName: "G", familyName: "F", preferredLanguage: language } },
      });
      await callUser(server, "SetEmail", { userId, email: `next-${language}@mail.example`, isVerified: true });
      const [message] = await inboxOf(server, `user-${language}@mail.example`);
      assert.equal(message?.kind, "email_changed", language);
      texts.add(message.subject);
    }
    assert.equal(texts.size, languages.length);
  });
});
