import assert from "node:assert/strict";
import { test } from "node:test";
import { addPerson, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer } from "../support/servers/server.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { addApp, callUser, createSession, setSession, slugOf } from "./support.ts";

eachServer((start) => {
  test("an empty password or code is a missing field on every route of the API, and never counted (U1)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 2, maxOtpAttempts: 2 });
    await changeSettings(server, "login", { secondFactors: ["totp", "otp_email", "otp_sms", "recovery_codes"] });
    const ada = await addPerson(server, { username: "ada" });
    const { userId, password } = ada;
    const { token } = await sessionOf(server, ada);
    server.clock.now += 1000;
    const newPassword = { password: "another long sentence for it" };
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    await callUser(server, "SetPhone", { userId, phone: "+41791234567", isVerified: true });
    await callUser(server, "AddOTPEmail", { userId });
    await callUser(server, "AddOTPSMS", { userId });
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId, count: 3 });
    const user = { userId };
    const challenges = { otpEmail: { returnCode: {} }, otpSms: { returnCode: true } };
    const begun = await createSession(server, { checks: { user, password: { password } }, challenges });
    assert.equal(begun.status, 201, JSON.stringify(begun.body));
    const { sessionId } = begun.body;
    const rest = (method: string, path: string, body: object) => server.rest(method, path, { token, body });
    const check = (checks: object) => setSession(server, sessionId, { checks });
    const blank: Record<string, (text: string) => Promise<RestAnswer>> = {
      "session: password": (text) => createSession(server, { checks: { user, password: { password: text } } }),
      "SetPassword: current": (text) =>
        rest("POST", `/v2/users/${userId}/password`, { newPassword, currentPassword: text }),
      "UpdateUser: current": (text) =>
        rest("PATCH", `/v2/users/${userId}`, { human: { password: { password: newPassword, currentPassword: text } } }),
      "v1 UpdateMyPassword: old": (text) =>
        rest("PUT", "/auth/v1/users/me/password", { oldPassword: text, newPassword: newPassword.password }),
      "session: app": (code) => check({ totp: { code } }),
      "session: email": (code) => check({ otpEmail: { code } }),
      "session: SMS": (code) => check({ otpSms: { code } }),
      "session: recovery code": (code) => check({ recoveryCode: { code } }),
    };
    for (const [name, send] of Object.entries(blank)) {
      // Of a password white space is a part.
      const isPassword = /password|current|old/.test(name);
      for (const text of isPassword ? ["", "", ""] : ["", " ", "\t "]) {
        const answer = await send(text);
        assert.equal(answer.status, 400, `${name}: ${JSON.stringify(answer.body)}`);
        assert.doesNotMatch(slugOf(answer), /blocked|wrong/, name);
      }
    }
    assert.equal(slugOf(await createSession(server, { checks: { user, password: { password } } })), "done");
    const { otpEmail, otpSms } = begun.body.challenges;
    assert.equal(slugOf(await check({ otpEmail: { code: otpEmail } })), "done");
    assert.equal(slugOf(await check({ otpSms: { code: otpSms } })), "done");
    assert.equal(slugOf(await check({ recoveryCode: { code: recoveryCodes[0] } })), "done");
    assert.equal(slugOf(await check({ totp: { code: appCode(secret, server.clock.now) } })), "done");
    const wrong = await check({ recoveryCode: { code: "wrong-code" } });
    assert.match(slugOf(wrong), /wrong/, "what is entered counts");
  });
});
