import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { hours, minutes, seconds } from "../../src/base/clock.ts";
import { half } from "../login/support/second-factors.ts";
import { fetch } from "../support/http/fetch.ts";
import { startMailServer } from "../support/http/mail-server.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addPerson, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { trustHost } from "../support/servers/trust-host.ts";
import {
  activate,
  addProvider,
  codeIn,
  createPerson,
  eventually,
  lastErrors,
  outcomes,
  pass,
  passUntil,
  useMailServer,
} from "./support.ts";

const users = "service.user.v2.UserService";

async function ok(server: TestServer, method: string, body: object): Promise<void> {
  const answer = await server.connect(`${users}/${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
}

eachServer((start) => {
  test("every message reaches the mail server, and its code does what it is for", async (t) => {
    const server = await start(t);
    const mail = await startMailServer(t);
    await useMailServer(server, mail);
    const next = async (cause: () => Promise<unknown>): Promise<string> => {
      const before = mail.received.length;
      await cause();
      await eventually(() => mail.received.length > before, "a mail arrives");
      assert.equal(mail.received.length, before + 1);
      return mail.received.at(-1)?.raw ?? "";
    };
    let userId = "";
    const first = await next(async () => {
      userId = await createPerson(server, "ada");
    });
    const [received] = mail.received;
    assert.deepEqual([received?.from, received?.to], ["login@mail.example", ["ada@mail.example"]]);
    assert.match(received?.header("from") ?? "", /^"?Doorward"? <login@mail\.example>$/);
    assert.match(received?.header("message-id") ?? "", /^<\d+@mail\.example>$/);
    assert.equal(received?.header("auto-submitted"), "auto-generated");
    assert.equal(Date.parse(received?.header("date") ?? ""), server.clock.now);
    await ok(server, "VerifyEmail", { userId, verificationCode: codeIn(first) });

    const again = await next(() => ok(server, "SetEmail", { userId, email: "ada@other.example", sendCode: {} }));
    assert.deepEqual(mail.received.at(-1)?.to, ["ada@other.example"]);
    await ok(server, "VerifyEmail", { userId, verificationCode: codeIn(again) });

    const invitation = await next(() => ok(server, "CreateInviteCode", { userId, sendCode: {} }));
    await ok(server, "VerifyInviteCode", { userId, verificationCode: codeIn(invitation) });

    await trustHost(server, "app.example");
    const urlTemplate = "https://app.example/reset?user={{.UserID}}&code={{.Code}}";
    const reset = await next(() => ok(server, "PasswordReset", { userId, sendLink: { urlTemplate } }));
    const link = /https:\/\/app\.example\/reset\?user=(\d+)&code=([A-Z0-9]{6})/.exec(unfold(reset));
    assert.equal(link?.[1], userId);
    await next(() =>
      ok(server, "SetPassword", {
        userId,
        newPassword: { password: goodPassword },
        verificationCode: link?.[2],
      }),
    );
    await ok(server, "AddOTPEmail", { userId });
    const sessionUrl = "https://app.example/otp?code={{.Code}}";
    let session: { readonly sessionId?: string } = {};
    const asked = await next(async () => {
      const body = {
        checks: { user: { userId } },
        challenges: { otpEmail: { sendCode: { urlTemplate: sessionUrl } } },
      };
      session = (await server.rest("POST", "/v2/sessions", { body })).body;
    });
    const code = /otp\?code=([A-Za-z0-9]+)/.exec(unfold(asked))?.[1];
    const checked = await server.rest("PATCH", `/v2/sessions/${session.sessionId}`, {
      body: { checks: { otpEmail: { code } } },
    });
    assert.equal(checked.status, 200, JSON.stringify(checked.body));
    await eventually(async () => (await outcomes(server)).length === 6, "every message has its outcome");
    assert.deepEqual(await outcomes(server), [
      "sent email_verification 1",
      "sent email_verification 1",
      "sent invitation 1",
      "sent password_reset 1",
      "sent password_changed 1",
      "sent otp_email 1",
    ]);
    // What was in a message is forgotten when it is out.
    for (const { state, code } of await listNewest(server)) assert.deepEqual([state, code], ["sent", null]);
  });

  test("a code that a page of the login sends goes at once, which no event tells of", async (t) => {
    const mail = await startMailServer(t);
    const server = await start(t, { config: { mode: "start", outboundAllow: [`127.0.0.1:${mail.port}`] } });
    await useMailServer(server, mail);
    await changeSettings(server, "login", { forceMfa: true, secondFactors: ["otp_email"] });
    const arrives = async (cause: () => Promise<unknown>): Promise<void> => {
      const before = mail.received.length;
      await cause();
      // The clock stands still, so no job comes by.
      await eventually(() => mail.received.length > before, "a mail arrives");
    };
    for (const username of ["ada", "bob"]) {
      const { browser, page } = await half(server, await addPerson(server, { username }));
      await arrives(() => browser.submit(page, { kind: "otp_email" }));
    }
    const carl = await addPerson(server, { username: "carl" });
    await ok(server, "AddOTPEmail", { userId: carl.userId });
    await arrives(() => half(server, carl));
  });

  test("what waits for a provider goes when there is one, unless it is too late or was superseded", async (t) => {
    const mail = await startMailServer(t);
    const operations = { host: "127.0.0.1", port: 0, isChosen: true };
    const outboundAllow = [`127.0.0.1:${mail.port}`];
    const server = await start(t, { config: { mode: "start", outboundAllow, operations } });
    const userId = await createPerson(server, "ada");
    await createPerson(server, "late");
    await pass(server, minutes(30));
    await ok(server, "ResendEmailCode", { userId, sendCode: {} });
    await pass(server, minutes(40));
    await useMailServer(server, mail);
    await eventually(async () => (await outcomes(server)).length === 2, "both have come to their end");
    assert.deepEqual((await outcomes(server)).toSorted(), [
      "failed email_verification 0 expired",
      "sent email_verification 1",
    ]);
    assert.deepEqual(
      mail.received.map(({ to }) => to[0]),
      ["ada@mail.example"],
    );
    await ok(server, "VerifyEmail", { userId, verificationCode: codeIn(mail.received[0]?.raw ?? "") });
    const metrics = await fetch(`http://127.0.0.1:${server.app.operationsPort}/debug/metrics`);
    const body = await metrics.text();
    assert.match(body, /doorward_job_records_total\{job="deliver_notifications",records="failed"\} 1/);
  });

  test("a mail that is refused for now is tried again with the same Message-ID; one refused for good is not", async (t) => {
    const server = await start(t);
    const mail = await startMailServer(t);
    await useMailServer(server, mail);
    mail.refusal = { status: 451, text: "4.3.0 inner secret 4711" };
    await createPerson(server, "ada");
    await eventually(async () => (await lastErrors(server)).length === 1, "it is tried at once");
    assert.deepEqual(await lastErrors(server), ["smtp.message_refused"]);
    await pass(server, seconds(20));
    assert.equal(mail.connections, 1, "not before its time");
    mail.refusal = undefined;
    await passUntil(server, seconds(20), () => mail.received.length === 1, "it is tried again");
    await createPerson(server, "refused");
    await eventually(async () => (await outcomes(server)).length === 2, "both have come to their end");
    assert.deepEqual(await outcomes(server), [
      "sent email_verification 2",
      "failed email_verification 1 smtp.recipient_refused",
    ]);
    await pass(server, minutes(10));
    assert.equal(mail.received.length, 1);
  });

  test("a provider that never takes anything is given up on, visibly and without a secret", async (t) => {
    const server = await start(t);
    const path = await addProvider(server, "/email/smtp", {
      senderAddress: "login@mail.example",
      senderName: "Doorward",
      host: "localhost:1",
      user: "login",
      plain: { password: "password-4711" },
    });
    await activate(server, `/email/${path}`);
    await createPerson(server, "ada", { email: { email: "ada@mail.example", isVerified: true } });
    const userId = await createPerson(server, "eve", {
      email: { email: "eve@mail.example", isVerified: true },
    });
    await ok(server, "CreateInviteCode", { userId, sendCode: {} });
    await passUntil(server, hours(12), async () => (await outcomes(server)).length === 1, "it is given up");
    assert.match((await outcomes(server))[0] ?? "", /^failed invitation \d+ smtp\.unreachable$/);
    const isGone = async (): Promise<boolean> => (await listNewest(server)).length === 0;
    await passUntil(server, hours(24), isGone, "its row goes in the end");
  });

  test("an HTTP endpoint gets each message once, signed, and text messages go by Twilio or an endpoint", async (t) => {
    const receiver = await startReceiver(t);
    const server = await start(t, { config: { twilioOrigin: receiver.origin } });
    const added = await server.rest("POST", "/admin/v1/email/http", { body: { endpoint: `${receiver.origin}/mail` } });
    const { id, signingKey } = added.body;
    await activate(server, `/email/${id}`);
    const twilio = { sid: "AC1", token: "token-4711", senderNumber: "+15005550006" };
    await activate(server, `/sms/${await addProvider(server, "/sms/twilio", twilio)}`);
    const phone = { phone: "+41791234567", sendCode: {} };
    const userId = await createPerson(server, "ada", { phone });
    await eventually(() => receiver.received.length === 2, "both are sent");
    const called = receiver.received.find(({ path }) => path === "/mail");
    const texted = receiver.received.find(({ path }) => path !== "/mail");
    assert.ok(called && texted);
    const { contextInfo, args, message } = JSON.parse(called.body);
    assert.deepEqual(contextInfo, {
      eventType: "user.email_verification_code.added",
      provider: { id, description: "" },
      recipientEmailAddress: "ada@mail.example",
    });
    assert.equal(called.headers["idempotency-key"], message.id);
    const [, time, hmac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(called.headers["service-signature"])) ?? [];
    assert.equal(Number(time), Math.floor(server.clock.now / 1000));
    assert.equal(hmac, createHmac("sha256", signingKey).update(`${time}.${called.body}`).digest("hex"));
    assert.equal(called.headers["zitadel-signature"], called.headers["service-signature"]);
    await ok(server, "VerifyEmail", { userId, verificationCode: args.code });

    assert.equal(texted.path, "/2010-04-01/Accounts/AC1/Messages.json");
    assert.equal(texted.headers.authorization, `Basic ${Buffer.from("AC1:token-4711").toString("base64")}`);
    const form = new URLSearchParams(texted.body);
    assert.deepEqual([form.get("To"), form.get("From")], ["+41791234567", "+15005550006"]);
    await ok(server, "VerifyPhone", { userId, verificationCode: codeIn(`\r\n\r\n${form.get("Body")}`) });

    const verify = { sid: "AC1", token: "token-4711", verifyServiceSid: "VA1" };
    await activate(server, `/sms/${await addProvider(server, "/sms/twilio", verify)}`);
    await ok(server, "SetPhone", { userId, phone: "+41791234568", sendCode: {} });
    await eventually(() => receiver.received.length === 3, "the next one is sent");
    const verification = receiver.received[2];
    assert.equal(verification?.path, "/v2/Services/VA1/Verifications");
    const code = new URLSearchParams(verification?.body).get("CustomCode");
    await ok(server, "VerifyPhone", { userId, verificationCode: code });

    await activate(server, `/sms/${await addProvider(server, "/sms/http", { endpoint: `${receiver.origin}/sms` })}`);
    receiver.answer = (_request, response) => response.writeHead(422).end("inner secret 4711");
    await ok(server, "SetPhone", { userId, phone: "+41791234569", sendCode: {} });
    await eventually(async () => (await outcomes(server)).length === 4, "it is refused for good");
    const refused = JSON.parse(receiver.received[3]?.body ?? "{}");
    assert.equal(refused.contextInfo.recipientPhoneNumber, "+41791234569");
    assert.equal((await outcomes(server)).at(-1), "failed phone_verification 1 http.status_422");
  });
});

/** The messages as the inbox of `dev` has them. */
async function listNewest(server: TestServer): Promise<{ readonly state: string; readonly code: string | null }[]> {
  return (await server.rest("GET", "/ui/dev/inbox", { headers: { accept: "application/json" } })).body.messages;
}

/** A mail's text without the soft line breaks of quoted-printable. */
const unfold = (raw: string): string => raw.replace(/=\r\n/g, "").replace(/=3D/g, "=");
