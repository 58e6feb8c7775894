import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import { addMember, callUser, inboxOf } from "../factor/support.ts";
import { eachServer } from "../support/each-server.ts";
import type { TestServer } from "../support/server.ts";
import { appCode } from "../support/totp.ts";

const kindsAt = async (server: TestServer, recipient: string): Promise<string[]> =>
  (await inboxOf(server, recipient)).map(({ kind }) => kind).reverse();

eachServer((start) => {
  test("people are told at the address they had of every change to what they sign in with (A33)", async (t) => {
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
    assert.match(newest.text, /email address of your account was changed\. If it was not you/);
    assert.doesNotMatch(newest.text, /taken@mail/, "the former address does not learn the new one");

    await callUser(server, "SetEmail", { userId, email: "third@mail.example", sendCode: {} });
    assert.deepEqual(await kindsAt(server, "taken@mail.example"), ["email_changed"]);
    await callUser(server, "SetEmail", { userId, email: "fourth@mail.example", isVerified: true });
    assert.deepEqual(await kindsAt(server, "third@mail.example"), ["email_verification"], "it was never proven");
  });

  test("a notice of a change is written in the language of the person, all of them (A33)", async (t) => {
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
