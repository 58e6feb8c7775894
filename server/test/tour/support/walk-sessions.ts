import assert from "node:assert/strict";
import { ownerOf } from "../../account/support/account.ts";
import { addApp, callUser, inboxOf } from "../../factor/support.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import type { ApiAnswer, ApiCall, RecordingApi } from "./api.ts";
import { callOtherHosts } from "./call-other-hosts.ts";
import { decodeText } from "./markup.ts";
import { proveElsewhere } from "./prove-elsewhere.ts";
import type { Tour } from "./tour.ts";

/** The methods of sessions, over one of the transports. */
interface Sessions {
  create(body: object, given?: ApiCall): Promise<ApiAnswer>;
  set(sessionId: string, body: object, given?: ApiCall): Promise<ApiAnswer>;
  get(sessionId: string, given?: ApiCall, sessionToken?: string): Promise<ApiAnswer>;
  list(body: object): Promise<ApiAnswer>;
  remove(sessionId: string, body: object, given?: ApiCall): Promise<ApiAnswer>;
}

const service = "service.session.v2.SessionService";

const over: Readonly<Record<string, (api: RecordingApi) => Sessions>> = {
  rest: (api) => {
    const at = (id: string): string => `/v2/sessions/${encodeURIComponent(id)}`;
    return {
      create: (body, given) => api.rest("POST", "/v2/sessions", { ...given, body }),
      set: (id, body, given) => api.rest("PATCH", at(id), { ...given, body }),
      get: (id, given, token) => {
        const query = token === undefined ? "" : `?sessionToken=${encodeURIComponent(token)}`;
        return api.rest("GET", at(id) + query, given);
      },
      list: (body) => api.rest("POST", "/v2/sessions/search", { body }),
      remove: (id, body, given) => api.rest("DELETE", at(id), { ...given, body }),
    };
  },
  connect: (api) => {
    const call = (method: string, body: object, given: ApiCall = {}) =>
      api.connect(`${service}/${method}`, { ...given, body });
    return {
      create: (body, given) => call("CreateSession", body, given),
      set: (sessionId, body, given) => call("SetSession", { sessionId, ...body }, given),
      get: (sessionId, given, sessionToken) =>
        call("GetSession", { sessionId, ...(sessionToken !== undefined && { sessionToken }) }, given),
      list: (body) => call("ListSessions", body),
      remove: (sessionId, body, given) => call("DeleteSession", { sessionId, ...body }, given),
    };
  },
};

interface Walker {
  readonly userId: string;
  readonly loginName: string;
  readonly password: string;
  /** Secret of the authenticator app. */
  readonly secret: string;
}

/** Returns an attacker's text as a member's name; names with quotes are refused (as one of the refusals below). */
const nameOf = (text: string): string => text.replaceAll(/["'\\]/g, "");

const phone = "+41791239876";

/** Uses the sessions of a custom login: made, proven in every way, read, listed and ended, over each transport. */
export async function walkSessions(tour: Tour): Promise<void> {
  const { server } = tour;
  const person = await tour.somebody("sessions");
  const { userId } = person;
  await callUser(server, "SetPhone", { userId, phone, isVerified: true });
  await callUser(server, "AddOTPEmail", { userId });
  await callUser(server, "AddOTPSMS", { userId });
  const secret = tour.plant(
    "secret of an app",
    await addApp(server, person, (made) => appCode(made, server.clock.now)),
  );
  for (const [transport, sessionsOf] of Object.entries(over)) {
    await walkTransport(tour, sessionsOf(tour.api), { ...person, secret });
    await beShown(tour, sessionsOf(tour.api), `viewer-${transport}`);
    await refuse(tour, sessionsOf(tour.api), person, transport);
  }
  await callOtherHosts(tour);
}

/** Remembers what an answer gives to its caller: it may be in this one answer, and nowhere else. */
function keep(tour: Tour, kind: string, value: unknown, { exchange, status }: ApiAnswer): string {
  assert.ok(typeof value === "string", `${kind}: ${status} ${exchange.body}`);
  return tour.plant(kind, value, exchange);
}

const agentOf = ({ say }: Tour) => ({
  fingerprintId: say("fingerprint"),
  ip: say("192.0.2.1"),
  description: say("Agent"),
  header: { [nameOf(say("header"))]: { values: [say("line")] } },
});

async function walkTransport(tour: Tour, sessions: Sessions, walker: Walker): Promise<void> {
  const { server, say } = tour;
  const { userId, loginName, password, secret } = walker;
  const made = await sessions.create({
    checks: { user: { loginName }, password: { password } },
    metadata: { [nameOf(say("key"))]: Buffer.from(say("value")).toString("base64") },
    userAgent: agentOf(tour),
    challenges: { otpEmail: { returnCode: {} }, otpSms: { returnCode: true } },
    lifetime: "3600s",
  });
  const { sessionId } = made.body;
  const first = keep(tour, "session token", made.body.sessionToken, made);
  const { otpEmail, otpSms } = made.body.challenges ?? {};
  const codes = {
    otpEmail: { code: keep(tour, "code of a challenge", otpEmail, made) },
    otpSms: { code: keep(tour, "code of a challenge", otpSms, made) },
  };

  const read = await sessions.get(sessionId, {}, first);
  assert.equal(read.body.session?.userAgent?.description, say("Agent"), read.exchange.body);
  assert.equal((await sessions.get(sessionId, { token: first })).status, 401, "a password alone is not all of it");

  server.clock.now += 60_000;
  const totp = { code: tour.plant("code of an app", appCode(secret, server.clock.now)) };
  const proven = await sessions.set(sessionId, { checks: { ...codes, totp } });
  const second = keep(tour, "session token", proven.body.sessionToken, proven);
  assert.equal((await sessions.get(sessionId, { token: second })).status, 200);
  const again = await sessions.set(sessionId, { checks: { totp } });
  assert.equal(again.status, 400, "a code works once");

  const urlTemplate = `${server.origin}/ui/login/otp?code={{.Code}}&session={{.SessionID}}`;
  const asked = await sessions.set(sessionId, {
    challenges: { otpEmail: { sendCode: { urlTemplate } }, otpSms: {} },
  });
  const third = keep(tour, "session token", asked.body.sessionToken, asked);
  const [mail] = await inboxOf(server, "sessions@mail.example");
  const [sms] = await inboxOf(server, phone);
  assert.equal(new URL(mail.link).searchParams.get("code"), mail.code, JSON.stringify(mail));
  tour.plant("code of a mail", mail.code);
  tour.plant("code of a text message", sms.code);
  const answered = await sessions.set(sessionId, {
    checks: { otpEmail: { code: mail.code }, otpSms: { code: sms.code } },
    metadata: { [nameOf(say("further"))]: Buffer.from(say("value")).toString("base64") },
  });
  const last = keep(tour, "session token", answered.body.sessionToken, answered);
  for (const stale of [first, second, third]) {
    const late = await sessions.get(sessionId, { token: stale });
    assert.equal(late.status, 401, late.exchange.body);
  }

  const { body } = await sessions.list({
    queries: [{ userAgentQuery: { fingerprintId: say("fingerprint") } }, { userIdQuery: { id: userId } }],
  });
  assert.deepEqual(
    body.sessions?.map(({ id }: { id: string }) => id),
    [sessionId],
  );
  const told = body.sessions[0];
  for (const factor of ["password", "totp", "otpEmail", "otpSms"]) assert.ok(told.factors[factor]?.verifiedAt, factor);
  assert.equal(Buffer.from(told.metadata[nameOf(say("further"))], "base64").toString(), say("value"));
  await comeFromElsewhere(tour, sessions, userId);
  const ended = await sessions.remove(sessionId, { sessionToken: last }, { token: last });
  assert.equal(ended.status, 200, ended.exchange.body);
}

/** Shows a user what a custom login wrote of the browser of their session. */
async function beShown(tour: Tour, sessions: Sessions, username: string): Promise<void> {
  const { server, say } = tour;
  const { loginName, password } = await tour.somebody(username);
  const made = await sessions.create({
    checks: { user: { loginName }, password: { password } },
    userAgent: agentOf(tour),
  });
  keep(tour, "session token", made.body.sessionToken, made);
  const owner = await ownerOf(server, { loginName, password }, tour.browser());
  const shown = await owner.open("/ui/account/sessions");
  assert.ok(decodeText(shown.html).includes(say("Agent")), shown.html);
  for (const path of ["/activity", "/data"]) await owner.open(`/ui/account${path}`);
  await owner.browser.submit(await owner.open("/ui/account/data"), {}, { action: "export" });
}

/** Makes a session by a provider's answer; its token was given to a custom login. */
async function comeFromElsewhere(tour: Tour, sessions: Sessions, userId: string): Promise<void> {
  const idpIntent = await proveElsewhere(tour, userId);
  const refused = await sessions.create({
    checks: { user: { userId: tour.server.user.userId }, idpIntent },
  });
  assert.equal(refused.status, 400, refused.exchange.body);
  const opened = await sessions.create({ checks: { user: { userId }, idpIntent } });
  keep(tour, "session token", opened.body.sessionToken, opened);
  const consumed = await sessions.create({ checks: { user: { userId }, idpIntent } });
  assert.equal(consumed.status, 400, consumed.exchange.body);
}

/** Makes invalid calls: the refusals must not repeat what the call said. */
async function refuse(
  tour: Tour,
  sessions: Sessions,
  { userId }: { readonly userId: string },
  transport: string,
): Promise<void> {
  const { say, plant } = tour;
  const secret = (kind: string): string => plant("refused secret", `canary ${kind} of ${transport} refused`);
  const user = { userId };
  const refused: Readonly<Record<string, Promise<ApiAnswer>>> = {
    "a wrong password": sessions.create({ checks: { user, password: { password: secret("password") } } }),
    "a name of nobody": sessions.create({
      checks: { user: { loginName: say("nobody") }, password: { password: secret("stranger") } },
    }),
    "a password that is no object": sessions.create({ checks: { user, password: secret("text for an object") } }),
    "a code that is no text": sessions.create({ checks: { user, otpEmail: { code: [secret("list for a text")] } } }),
    "metadata that is no base64": sessions.create({ metadata: { key: secret("! not base64 !") } }),
    "an unknown intent": sessions.create({
      checks: { user, idpIntent: { idpIntentId: say("intent"), idpIntentToken: secret("intent token") } },
    }),
    "a passkey that is none": sessions.create({
      checks: { user, webAuthN: { credentialAssertionData: { id: secret("passkey"), type: say("type") } } },
    }),
    "an app's code of another length": sessions.create({ checks: { user, totp: { code: secret("app") } } }),
    "a recovery code": sessions.create({ checks: { user, recoveryCode: { code: secret("recovery") } } }),
    "a template that is no address": sessions.create({
      checks: { user },
      challenges: { otpEmail: { sendCode: { urlTemplate: say("javascript:x") } } },
    }),
    "a session of nobody": sessions.set(say("1"), { metadata: {} }),
    "a token of nobody": sessions.get(say("1"), {}, secret("session token")),
    "a bearer of nobody": sessions.get(say("1"), { token: secret("bearer").replaceAll(" ", "-") }),
    "an end of nobody's": sessions.remove(say("1"), { sessionToken: secret("ending token") }),
    "a filter of none": sessions.list({ queries: [{ [say("query")]: secret("filter") }] }),
  };
  for (const [what, answer] of Object.entries(refused)) {
    const { status, exchange } = await answer;
    assert.ok(status >= 400 && status < 500, `${what}: ${status} ${exchange.body}`);
  }
}
