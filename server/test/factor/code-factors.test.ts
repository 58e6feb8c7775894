import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { addPerson, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { trustHost } from "../support/servers/trust-host.ts";
import { appCode } from "../support/sign-in/totp.ts";
import {
  addApp,
  addFace,
  callUser,
  createSession,
  eventsOf,
  inboxOf,
  readSession,
  refusalOf,
  setSession,
  slugOf,
} from "./support.ts";

eachServer((start) => {
  test("factors whose codes are typed", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxOtpAttempts: 5 });
    const code = (secret: string, steps = 0) => appCode(secret, server.clock.now, steps);
    const methods = async (userId: string) =>
      ((await callUser(server, "ListAuthenticationMethodTypes", { userId })).authMethodTypes ?? []).map(
        (type: string) => type.replace("AUTHENTICATION_METHOD_TYPE_", ""),
      );
    const check = (userId: string, checks: object) =>
      createSession(server, { checks: { user: { userId }, ...checks } });

    await t.test(
      "an authenticator app cannot be used before one of its codes has been entered, and each code works once",
      async () => {
        const { userId, loginName } = await addPerson(server, { username: "app" });
        const { secret, uri } = await callUser(server, "RegisterTOTP", { userId });
        assert.match(secret, /^[A-Z2-7]{32}$/);
        const label = `Doorward:${encodeURIComponent(loginName)}`;
        const query = `secret=${secret}&issuer=Doorward&algorithm=SHA1&digits=6&period=30`;
        assert.equal(uri, `otpauth://totp/${label}?${query}`);
        assert.deepEqual(await methods(userId), ["PASSWORD"]);
        assert.equal(slugOf(await check(userId, { totp: { code: code(secret) } })), "factor.absent");
        const second = (await callUser(server, "RegisterTOTP", { userId })).secret;
        assert.notEqual(second, secret, "a start that was not completed is replaced");
        const wrong = await refusalOf(server, "VerifyTOTPRegistration", { userId, code: code(secret) });
        assert.equal(wrong, "factor.code_wrong");
        await callUser(server, "VerifyTOTPRegistration", { userId, code: code(second) });
        assert.equal(
          await refusalOf(server, "VerifyTOTPRegistration", { userId, code: code(second, 1) }),
          "factor.registration_absent",
        );
        assert.deepEqual(await methods(userId), ["PASSWORD", "TOTP"]);
        assert.equal(await refusalOf(server, "RegisterTOTP", { userId }), "factor.exists");

        assert.equal(
          slugOf(await check(userId, { totp: { code: code(second) } })),
          "factor.code_wrong",
          "used already",
        );
        const made = await check(userId, { totp: { code: code(second, 1) } });
        assert.equal(slugOf(made), "done");
        const { factors } = await readSession(server, made.body.sessionId);
        assert.equal(Date.parse(factors.totp.verifiedAt), server.clock.now);
        assert.equal(
          slugOf(await check(userId, { totp: { code: code(second) } })),
          "factor.code_wrong",
          "one before it",
        );
        server.clock.now += 60_000;
        const once = await Promise.all(
          Array.from({ length: 4 }, () => check(userId, { totp: { code: code(second) } })),
        );
        assert.deepEqual(once.map(slugOf).toSorted(), [
          "done",
          "factor.code_wrong",
          "factor.code_wrong",
          "factor.code_wrong",
        ]);

        const { read } = server.app.domain.database;
        const rows = await read.all(sql`select * from user_factors where user_id = ${userId}`);
        const events = await read.all(sql`select * from events where aggregate_id = ${userId}`);
        const key = Buffer.from(second).toString("hex");
        for (const text of [second, secret, key]) assert.ok(!JSON.stringify([rows, events]).includes(text));

        await callUser(server, "RemoveTOTP", { userId });
        await callUser(server, "RemoveTOTP", { userId });
        assert.deepEqual(await methods(userId), ["PASSWORD"]);
        server.clock.now += 60_000;
        assert.equal(slugOf(await check(userId, { totp: { code: code(second) } })), "factor.absent");
        assert.deepEqual(
          await eventsOf(server, userId, "user.totp"),
          [
            "user.totp.added",
            "user.totp.added",
            "user.totp_check.failed",
            "user.totp_check.succeeded",
            "user.totp.verified",
            "user.totp_check.failed",
            "user.totp_check.succeeded",
            "user.totp_check.failed",
            "user.totp_check.succeeded",
            "user.totp_check.failed",
            "user.totp_check.failed",
            "user.totp_check.failed",
            "user.totp.removed",
          ].toSorted(),
        );
      },
    );

    await t.test(
      "too many wrong codes block the factor, however many come at once, and nothing but the factor",
      async () => {
        const person = await addPerson(server, { username: "guessed" });
        const { userId, password } = person;
        const secret = await addApp(server, person, code);
        const guesses = await Promise.all(
          Array.from({ length: 20 }, (_, index) => check(userId, { totp: { code: `00000${index % 10}` } })),
        );
        const evaluated = guesses.flatMap(({ body }) => body.details[0].failedAttempts ?? []);
        assert.deepEqual(evaluated.toSorted(), [1, 2, 3, 4, 5]);
        assert.equal(guesses.filter((answer) => slugOf(answer) === "factor.blocked").length, 15);
        assert.equal(slugOf(await check(userId, { totp: { code: code(secret) } })), "factor.blocked");
        assert.equal(slugOf(await check(userId, { password: { password } })), "done");
        assert.deepEqual((await eventsOf(server, userId, "user.totp.")).at(-1), "user.totp.verified");
        assert.equal((await eventsOf(server, userId, "user.totp.blocked")).length, 1);
        await callUser(server, "RemoveTOTP", { userId });
        const next = await addApp(server, person, code);
        for (let guess = 0; guess < 4; guess++) await check(userId, { totp: { code: "000000" } });
        assert.equal(slugOf(await check(userId, { totp: { code: code(next) } })), "done");
        for (let guess = 0; guess < 4; guess++) await check(userId, { totp: { code: "000000" } });
        server.clock.now += 60_000;
        assert.equal(
          slugOf(await check(userId, { totp: { code: code(next) } })),
          "done",
          "a right one sets the count back",
        );
      },
    );

    const kinds = [
      {
        name: "otpEmail",
        add: "AddOTPEmail",
        remove: "RemoveOTPEmail",
        type: "OTP_EMAIL",
        returned: { returnCode: {} },
      },
      { name: "otpSms", add: "AddOTPSMS", remove: "RemoveOTPSMS", type: "OTP_SMS", returned: { returnCode: true } },
    ] as const;
    for (const { name, add, remove, type, returned } of kinds) {
      await t.test(
        `${name}: a code is good for its session, once, for five minutes, and for the address that it went to`,
        async () => {
          const ada = await addFace(server, `ada-${name.toLowerCase()}`);
          const bob = await addFace(server, `bob-${name.toLowerCase()}`);
          const { userId } = ada;
          const begin = async (id: string) => (await check(id, {})).body.sessionId as string;
          const ask = async (id: string): Promise<string> =>
            (await setSession(server, id, { challenges: { [name]: returned } })).body.challenges[name];
          const answer = async (id: string, typed: string) =>
            slugOf(await setSession(server, id, { checks: { [name]: { code: typed } } }));
          const session = await begin(userId);
          const asked = (body: object) => setSession(server, session, { challenges: { [name]: body } });
          assert.equal(slugOf(await asked(returned)), "factor.absent");
          await callUser(server, add, { userId });
          await callUser(server, add, { userId: bob.userId });
          assert.deepEqual(await methods(userId), [type]);
          const nobody = await createSession(server, { challenges: { [name]: returned } });
          assert.equal(slugOf(nobody), "session.user_missing");
          assert.equal(slugOf(await check(userId, { [name]: { code: "12345678" } })), "factor.challenge_absent");
          assert.equal(await answer(session, "12345678"), "factor.challenge_absent");

          const first = await ask(session);
          assert.match(first, /^\d{8}$/);
          const other = await begin(userId);
          const [foreign, ofOther] = [await begin(bob.userId), await ask(other)];
          await ask(foreign);
          if (first !== ofOther) assert.equal(await answer(other, first), "factor.code_wrong", "of another session");
          assert.equal(await answer(foreign, first), "factor.code_wrong", "of another person");
          assert.equal(await answer(session, first.slice(1)), "factor.code_wrong");
          const both = await Promise.all([answer(session, first), answer(session, first), answer(session, first)]);
          assert.deepEqual(both.toSorted(), ["done", "factor.challenge_absent", "factor.challenge_absent"]);
          const { factors } = await readSession(server, session);
          assert.equal(Date.parse(factors[name].verifiedAt), server.clock.now);

          const [old, newer] = [await ask(session), await ask(session)];
          if (old !== newer) assert.equal(await answer(session, old), "factor.code_wrong", "a newer one kills it");
          server.clock.now += 300_000;
          assert.equal(await answer(session, newer), "factor.challenge_absent", "too old");

          const moved = await ask(session);
          const phone = { phone: "+41791111111", isVerified: true };
          const email = { email: `new-${userId}@mail.example`, isVerified: true };
          await callUser(server, name === "otpSms" ? "SetPhone" : "SetEmail", {
            userId,
            ...(name === "otpSms" ? phone : email),
          });
          assert.equal(await answer(session, moved), "factor.code_wrong", "sent to where the person is not any more");

          const left = await ask(session);
          await callUser(server, "DeactivateUser", { userId: bob.userId });
          assert.equal(await answer(foreign, "12345678"), "session.terminated");
          await callUser(server, remove, { userId });
          assert.equal(await answer(session, left), "factor.absent");
        },
      );
    }

    await t.test("codes that are not returned are sent, with the link that was asked for", async () => {
      const { userId } = await addFace(server, "reader");
      await callUser(server, "AddOTPEmail", { userId });
      await callUser(server, "AddOTPSMS", { userId });
      await trustHost(server, "login.example");
      const urlTemplate =
        "https://login.example/otp?c={{.Code}}&s={{.SessionID}}&n={{.LoginName}}&d={{.DisplayName}}&l={{.PreferredLanguage}}&u={{.UserID}}";
      const bad = { otpEmail: { sendCode: { urlTemplate: "https://login.example/{{.Password}}" } } };
      assert.equal(
        slugOf(await createSession(server, { checks: { user: { userId } }, challenges: bad })),
        "notification.url_template_invalid",
      );
      const challenges = { otpEmail: { sendCode: { urlTemplate } }, otpSms: {} };
      const { body } = await createSession(server, { checks: { user: { userId } }, challenges });
      assert.deepEqual(body.challenges, {});
      const [mail] = await inboxOf(server, "reader@mail.example");
      const [text] = await inboxOf(server, "+41791234567");
      assert.deepEqual([mail?.kind, text?.kind], ["otp_email", "otp_sms"]);
      const sentence = `${text?.code} is your one-time code for localhost. It is valid for 5 minutes.`;
      assert.equal(text?.text, `${sentence}\n@localhost #${text?.code}`);
      assert.ok(mail?.text.includes(`${mail.code} is your one-time code`), mail?.text);
      const expected = new URLSearchParams({
        c: mail?.code ?? "",
        s: body.sessionId,
        n: "reader@doorward.localhost",
        d: "reader Example",
        l: "en",
        u: userId,
      });
      assert.deepEqual([...new URL(mail?.link ?? "").searchParams], [...expected]);
      const codes = { otpEmail: { code: mail?.code }, otpSms: { code: text?.code } };
      assert.equal(slugOf(await setSession(server, body.sessionId, { checks: codes })), "done");
      const { factors } = await readSession(server, body.sessionId);
      assert.deepEqual(Object.keys(factors).toSorted(), ["otpEmail", "otpSms", "user"]);
    });

    await t.test("codes are sent to what is verified alone", async () => {
      const organizationId = await defaultOrganization(server);
      const human = {
        profile: { givenName: "Una", familyName: "Proven" },
        email: { email: "una@mail.example", returnCode: {} },
      };
      const { id: userId } = await callUser(server, "CreateUser", { organizationId, username: "una", human });
      assert.equal(await refusalOf(server, "AddOTPEmail", { userId }), "user.email_unverified");
      assert.equal(await refusalOf(server, "AddOTPSMS", { userId }), "user.phone_absent");
      const machine = await callUser(server, "CreateUser", { organizationId, machine: { name: "Robot" } });
      assert.equal(await refusalOf(server, "RegisterTOTP", { userId: machine.id }), "user.not_human");
    });

    await t.test("recovery codes work once each; new codes and removal invalidate the remaining ones", async () => {
      const { userId } = await addFace(server, "lost");
      const generate = async (count: number): Promise<string[]> =>
        (await callUser(server, "GenerateRecoveryCodes", { userId, count })).recoveryCodes;
      const recover = async (typed: string) => slugOf(await check(userId, { recoveryCode: { code: typed } }));
      for (const count of [0, 51]) {
        assert.equal(
          (await server.connect("service.user.v2.UserService/GenerateRecoveryCodes", { userId, count })).status,
          400,
        );
      }
      const codes = await generate(10);
      assert.equal(new Set(codes).size, 10);
      for (const each of codes) assert.match(each, /^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/);
      assert.deepEqual(await methods(userId), ["RECOVERY_CODE"]);
      const [first = "", second = "", third = ""] = codes;
      const both = await Promise.all([recover(first), recover(first), recover(first)]);
      assert.deepEqual(both.toSorted(), ["done", "factor.code_wrong", "factor.code_wrong"]);
      assert.equal(await recover(second.toLowerCase().replaceAll("-", " ")), "done", "as people type it");
      assert.equal(await recover(third.slice(1)), "factor.code_wrong");
      const [only = ""] = await generate(1);
      assert.equal(await recover(third), "factor.code_wrong", "replaced");
      assert.equal(await recover(only), "done");
      assert.deepEqual(await methods(userId), [], "that was the last");
      assert.equal(await recover(only), "factor.absent");
      const [kept = ""] = await generate(2);
      const { read } = server.app.domain.database;
      const rows = await read.all(sql`select code_hash as "codeHash" from recovery_codes where user_id = ${userId}`);
      assert.equal(rows.length, 2);
      assert.ok(!JSON.stringify(rows).includes(kept.replaceAll("-", "")));
      await callUser(server, "RemoveRecoveryCodes", { userId });
      assert.equal(await recover(kept), "factor.absent");
      assert.equal((await read.all(sql`select 1 from recovery_codes where user_id = ${userId}`)).length, 0);
    });

    await t.test("recovery codes go with the last factor that they stand in for, and not before (U4)", async () => {
      const { userId } = await addFace(server, "left-behind");
      await callUser(server, "AddOTPEmail", { userId });
      await callUser(server, "AddOTPSMS", { userId });
      const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId, count: 1 });
      await callUser(server, "RemoveOTPSMS", { userId });
      assert.deepEqual(await methods(userId), ["OTP_EMAIL", "RECOVERY_CODE"]);
      await callUser(server, "RemoveOTPEmail", { userId });
      assert.deepEqual(await methods(userId), []);
      assert.equal(slugOf(await check(userId, { recoveryCode: { code: recoveryCodes[0] } })), "factor.absent");
      assert.deepEqual((await eventsOf(server, userId, "user.recovery_codes.removed")).length, 1);
    });

    await t.test("second factors are listed by kind and state", async () => {
      const { userId } = await addFace(server, "listed");
      await callUser(server, "AddOTPEmail", { userId });
      await callUser(server, "AddOTPSMS", { userId });
      await callUser(server, "RegisterTOTP", { userId });
      const list = async (filter: object) =>
        ((await callUser(server, "ListAuthenticationFactors", { userId, ...filter })).result ?? []).map(
          ({ state, ...kind }: { state: string }) =>
            `${Object.keys(kind).join()} ${state.replace("AUTH_FACTOR_STATE_", "")}`,
        );
      assert.deepEqual(await list({}), ["otpEmail READY", "otpSms READY"]);
      const states = ["AUTH_FACTOR_STATE_NOT_READY", "AUTH_FACTOR_STATE_READY"];
      assert.deepEqual(await list({ states }), ["otpEmail READY", "otpSms READY", "otp NOT_READY"]);
      assert.deepEqual(await list({ states, authFactors: ["OTP", "U2F"] }), ["otp NOT_READY"]);
      assert.deepEqual(await list({ states: ["AUTH_FACTOR_STATE_REMOVED"] }), []);
      await callUser(server, "DeleteUser", { userId });
      const rows = await server.app.domain.database.read.all(sql`select 1 from user_factors where user_id = ${userId}`);
      assert.equal(rows.length, 0);
    });
  });
});
