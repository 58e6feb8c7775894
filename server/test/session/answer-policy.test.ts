import assert from "node:assert/strict";
import { test } from "node:test";
import { keysAt } from "../factor/key-support.ts";
import { callUser, createSession, setSession, slugOf } from "../factor/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { type OidcSetup, setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, type NewPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";

/** What a custom login can bring together, and the outcome. */
interface Stage {
  readonly server: TestServer;
  /** A person in an organization of its own, with settings of its own. */
  person(given?: Partial<NewPerson>): Promise<Person>;
  set: typeof changeSettings;
  totp(person: Person): Promise<() => string>;
  /** Opens a session with the checks; returns the slug of a refusal. */
  open(person: Person, checks?: object): Promise<Held | string>;
  add(held: Held | string, checks: object): Promise<Held | string>;
  /** Answers a new authorization request with the session: "answered", or the slug of the refusal. */
  answer(held: Held | string, request?: string | Readonly<Record<string, string>>): Promise<string>;
  request(parameters?: Readonly<Record<string, string>>): Promise<string>;
}

interface Held {
  readonly sessionId: string;
  readonly sessionToken: string;
}

const password = ({ password: typed }: Person) => ({ password: { password: typed } });
const insufficient = "auth_request.session_insufficient";
const minute = 60_000;
const day = 24 * 60 * minute;

const rows: readonly (readonly [name: string, expected: string, (stage: Stage) => Promise<string>])[] = [
  [
    "a password where nothing else is demanded",
    "answered",
    async ({ person, open, answer }) => {
      const ada = await person();
      return answer(await open(ada, password(ada)));
    },
  ],
  ["a name that nobody proved", insufficient, async ({ person, open, answer }) => answer(await open(await person()))],
  [
    "a wrong password",
    "user.password_wrong",
    async ({ person, open, answer }) => answer(await open(await person(), { password: { password: "not this one" } })),
  ],
  [
    "the right password after too many wrong ones",
    "user.password_blocked",
    async ({ person, open, answer, set, server }) => {
      const ada = await person();
      await set(server, "lockout", { maxPasswordAttempts: 1 }, ada.organizationId);
      await open(ada, { password: { password: "not this one" } });
      return answer(await open(ada, password(ada)));
    },
  ],
  ...(["LockUser", "DeactivateUser"] as const).flatMap((end): (typeof rows)[number][] => [
    [
      `a session from before ${end}`,
      insufficient,
      async ({ person, open, answer, server }) => {
        const ada = await person();
        const held = await open(ada, password(ada));
        await callUser(server, end, { userId: ada.userId });
        return answer(held);
      },
    ],
    [
      `a sign-in after ${end}`,
      "user.not_active",
      async ({ person, open, answer, server }) => {
        const ada = await person();
        await callUser(server, end, { userId: ada.userId });
        return answer(await open(ada, password(ada)));
      },
    ],
  ]),
  [
    "a password that somebody else set",
    insufficient,
    async ({ person, open, answer }) => {
      const ada = await person({ changeRequired: true });
      return answer(await open(ada, password(ada)));
    },
  ],
  [
    "the password that replaced it",
    "answered",
    async ({ person, open, answer, server }) => {
      const ada = await person({ changeRequired: true });
      await open(ada, password(ada));
      const chosen = "a sentence that was chosen for it";
      const newPassword = { password: chosen, changeRequired: false };
      await callUser(server, "SetPassword", { userId: ada.userId, newPassword, currentPassword: ada.password });
      return answer(await open(ada, { password: { password: chosen } }));
    },
  ],
  [
    "a password that is too old",
    insufficient,
    async ({ person, open, answer, set, server }) => {
      const ada = await person();
      await set(server, "password_expiry", { maxAgeDays: 1 }, ada.organizationId);
      server.clock.now += 2 * day;
      return answer(await open(ada, password(ada)));
    },
  ],
  [
    "a sign-in from before the password was too old",
    "answered",
    async ({ person, open, answer, set, server }) => {
      const ada = await person();
      await set(server, "password_expiry", { maxAgeDays: 1 }, ada.organizationId);
      await set(server, "login", { passwordCheckLifetimeSeconds: (3 * day) / 1000 }, ada.organizationId);
      const held = await open(ada, password(ada));
      server.clock.now += 2 * day;
      return answer(held);
    },
  ],
  [
    "a password where two factors are forced",
    insufficient,
    async ({ person, open, answer, set, server }) => {
      const ada = await person();
      await set(server, "login", { forceMfa: true }, ada.organizationId);
      return answer(await open(ada, password(ada)));
    },
  ],
  [
    "a password of who has a second factor",
    insufficient,
    async ({ person, open, answer, totp }) => {
      const ada = await person();
      await totp(ada);
      return answer(await open(ada, password(ada)));
    },
  ],
  [
    "a second factor without a first",
    insufficient,
    async ({ person, open, answer, totp }) => {
      const ada = await person();
      const code = await totp(ada);
      return answer(await open(ada, { totp: { code: code() } }));
    },
  ],
  [
    "a password and a code",
    "answered",
    async ({ person, open, add, answer, totp, set, server }) => {
      const ada = await person();
      const code = await totp(ada);
      await set(server, "login", { forceMfa: true }, ada.organizationId);
      return answer(await add(await open(ada, password(ada)), { totp: { code: code() } }));
    },
  ],
  [
    "a code of a kind that is not allowed any more",
    insufficient,
    async ({ person, open, answer, totp, set, server }) => {
      const ada = await person();
      const code = await totp(ada);
      await set(server, "login", { secondFactors: ["u2f"] }, ada.organizationId);
      return answer(await open(ada, { ...password(ada), totp: { code: code() } }));
    },
  ],
  [
    "a password where there are none",
    insufficient,
    async ({ person, open, answer, set, server }) => {
      const ada = await person();
      await set(server, "login", { allowLocalAuthentication: false }, ada.organizationId);
      return answer(await open(ada, password(ada)));
    },
  ],
  [
    "a password that was checked too long ago",
    insufficient,
    async ({ person, open, answer, set, server }) => {
      const ada = await person();
      await set(server, "login", { passwordCheckLifetimeSeconds: 3600 }, ada.organizationId);
      const held = await open(ada, password(ada));
      server.clock.now += 61 * minute;
      return answer(held);
    },
  ],
  [
    "a second factor that was checked too long ago",
    insufficient,
    async ({ person, open, answer, totp, set, server }) => {
      const ada = await person();
      const code = await totp(ada);
      await set(server, "login", { secondFactorCheckLifetimeSeconds: 3600 }, ada.organizationId);
      const held = await open(ada, { ...password(ada), totp: { code: code() } });
      server.clock.now += 61 * minute;
      return answer(held);
    },
  ],
  [
    "an older password, for max_age",
    insufficient,
    async ({ person, open, answer, server }) => {
      const ada = await person();
      const held = await open(ada, password(ada));
      server.clock.now += 10 * minute;
      return answer(held, { max_age: "300" });
    },
  ],
  [
    "half of it anew, for max_age",
    insufficient,
    async ({ person, open, add, answer, totp, server }) => {
      const ada = await person();
      const code = await totp(ada);
      const held = await open(ada, { ...password(ada), totp: { code: code() } });
      server.clock.now += 10 * minute;
      return answer(await add(held, { totp: { code: code() } }), { max_age: "300" });
    },
  ],
  [
    "half of it anew, for prompt=login",
    insufficient,
    async ({ person, open, add, answer, totp, request, server }) => {
      const ada = await person();
      const code = await totp(ada);
      const held = await open(ada, { ...password(ada), totp: { code: code() } });
      server.clock.now += minute;
      const asked = await request({ prompt: "login" });
      return answer(await add(held, password(ada)), asked);
    },
  ],
  [
    "all of it anew, for prompt=login, however long it takes",
    "answered",
    async ({ person, open, add, answer, totp, request, server }) => {
      const ada = await person();
      const code = await totp(ada);
      const held = await open(ada, { ...password(ada), totp: { code: code() } });
      server.clock.now += minute;
      const asked = await request({ prompt: "login", max_age: "60" });
      const first = await add(held, password(ada));
      server.clock.now += 5 * minute;
      return answer(await add(first, { totp: { code: code() } }), asked);
    },
  ],
  [
    "somebody of another organization",
    insufficient,
    async ({ person, open, answer, server }) => {
      const ada = await person();
      const other = await addOrganization(server, `Other ${ada.userId}`);
      return answer(await open(ada, password(ada)), { scope: `openid urn:service:iam:org:id:${other}` });
    },
  ],
  [
    "the session of one browser with the token of another",
    insufficient,
    async ({ person, open, answer }) => {
      const ada = await person();
      const [mine, theirs] = [await open(ada, password(ada)), await open(ada, password(ada))];
      assert.ok(typeof mine === "object" && typeof theirs === "object");
      return answer({ sessionId: mine.sessionId, sessionToken: theirs.sessionToken });
    },
  ],
  [
    "a session that ended",
    insufficient,
    async ({ person, open, answer, server }) => {
      const ada = await person();
      const held = await open(ada, password(ada));
      assert.ok(typeof held === "object");
      await server.rest("DELETE", `/v2/sessions/${held.sessionId}`, { body: {} });
      return answer(held);
    },
  ],
];

const keyRows: readonly (readonly [string, string, object, "Passkey" | "U2F", string, boolean])[] = [
  // name, expected, login settings, kind of key, user verification, with the password
  ["a passkey that verified the person", "answered", {}, "Passkey", "REQUIRED", false],
  ["a passkey where two factors are forced", "answered", { forceMfa: true }, "Passkey", "REQUIRED", false],
  ["a passkey where none are allowed", insufficient, { allowPasskeys: false }, "Passkey", "REQUIRED", false],
  ["a passkey that only saw somebody", insufficient, {}, "Passkey", "DISCOURAGED", false],
  ["a security key and the password", "answered", { forceMfa: true }, "U2F", "DISCOURAGED", true],
  ["a security key where none are allowed", insufficient, { secondFactors: ["totp"] }, "U2F", "DISCOURAGED", true],
];

function stageOf(server: TestServer, oidc: OidcSetup): Stage {
  let count = 0;
  const hold = ({ status, body }: Awaited<ReturnType<typeof createSession>>, sessionId?: string): Held | string =>
    status < 300
      ? { sessionId: sessionId ?? body.sessionId, sessionToken: body.sessionToken }
      : slugOf({ status, body, headers: new Headers() });
  const request: Stage["request"] = async (parameters = {}) => {
    const query = new URLSearchParams({
      client_id: oidc.client.clientId,
      redirect_uri: oidc.client.redirectUri,
      response_type: "code",
      scope: "openid",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      ...parameters,
    });
    const visited = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
    return new URL(visited.headers.get("location") ?? "", server.origin).searchParams.get("authRequest") ?? "";
  };
  return {
    server,
    set: changeSettings,
    request,
    person: async (given = {}) => {
      const username = `person${++count}`;
      return addPerson(server, { username, organizationId: await addOrganization(server, username), ...given });
    },
    totp: async ({ userId }) => {
      const { secret } = await callUser(server, "RegisterTOTP", { userId });
      await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) });
      server.clock.now += minute;
      return () => appCode(secret, server.clock.now);
    },
    open: async ({ userId }, checks = {}) =>
      hold(await createSession(server, { checks: { user: { userId }, ...checks } })),
    add: async (held, checks) => {
      assert.ok(typeof held === "object", String(held));
      return hold(await setSession(server, held.sessionId, { checks }), held.sessionId);
    },
    answer: async (held, asked = {}) => {
      if (typeof held === "string") return held;
      const id = typeof asked === "string" ? asked : await request(asked);
      const body = { session: held };
      const answer = await server.rest("POST", `/v2/oidc/auth_requests/${id}`, { token: oidc.loginToken, body });
      return answer.status === 200 ? "answered" : slugOf(answer);
    },
  };
}

async function play(server: TestServer, isChosen: (name: string) => boolean): Promise<void> {
  const oidc = await setUpOidc(server);
  const stage = stageOf(server, oidc);
  for (const [name, expected, act] of rows) if (isChosen(name)) assert.equal(await act(stage), expected, name);
  const keys = keysAt(server);
  for (const [name, expected, settings, kind, verification, withPassword] of keyRows) {
    if (!isChosen(name)) continue;
    const person = await stage.person();
    const device = createAuthenticator({ origin: server.origin });
    await keys.register(person.userId, device, kind);
    server.clock.now += minute;
    await changeSettings(server, "login", settings, person.organizationId);
    const held = await stage.open(person, withPassword ? password(person) : {});
    assert.ok(typeof held === "object", name);
    const options = await keys.challenge(held.sessionId, verification);
    const proven = await stage.add(held, { webAuthN: { credentialAssertionData: device.get(options) } });
    assert.equal(await stage.answer(proven), expected, name);
  }
}

// Each row costs two password hashes; what the engines could differ in is in few of them.
const onBothEngines = new Set([
  "a password that somebody else set",
  "a password and a code",
  "half of it anew, for prompt=login",
  "a passkey that verified the person",
]);

eachServer((start) => {
  test("a session from a custom login is judged like a sign-in on the hosted pages", async (t) => {
    const server = await start(t);
    await play(server, (name) => server.location.url === undefined || onBothEngines.has(name));
  });
});
