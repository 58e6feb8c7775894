import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { basicOf } from "../support/oidc/oidc.ts";
import { addPerson, sessionOf } from "../support/people/people.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { type Estate, endingsOf, makeEstate } from "./support/estate.ts";

/** Makes users in various states; returns their ids, and an unknown id, of the same length. */
async function makeUsers(estate: Estate): Promise<Readonly<Record<string, string>>> {
  const ended = async (ending: keyof ReturnType<typeof endingsOf>): Promise<string> => {
    const person = await estate.somebody("member");
    await endingsOf(estate, person)[ending]();
    return person.userId;
  };
  const { organizationId, userId: normal } = await estate.somebody("member");
  const { id: machine } = await estate.must("user.v2.UserService/CreateUser", {
    organizationId,
    username: "robot",
    machine: { name: "Robot" },
  });
  const waiting = await estate.somebody("member");
  await estate.must(`/v2/users/${waiting.userId}/password_reset`, { returnCode: {} });
  await estate.must(`/v2/users/${waiting.userId}/email`, { email: "next@mail.example", returnCode: {} });
  await estate.must("user.v2.UserService/CreatePasskeyRegistrationLink", { userId: waiting.userId, returnCode: {} });
  return {
    nobody: `${BigInt(normal) + 1n}`,
    somebody: normal,
    "somebody who waits for codes": waiting.userId,
    "somebody without a password": (await estate.somebody("face")).userId,
    "somebody who has yet to begin": (await estate.somebody("newcomer")).userId,
    "a service account": machine,
    "somebody deactivated": await ended("its user is deactivated"),
    "somebody locked": await ended("its user is locked"),
    "somebody deleted": await ended("its user is deleted"),
    "somebody whose organization is deactivated": await ended("its organization is deactivated"),
  };
}

interface Seen {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

type Verifier = (estate: Estate, userId: string) => Promise<Response>;

const varying = new Set(["date", "x-request-id", "etag", "set-cookie", "content-length"]);

/** Returns what a stranger sees of an answer: all but the name they gave, and what differs with every request. */
async function seenOf(answer: Response, ids: readonly string[]): Promise<Seen> {
  let body = (await answer.text())
    .replaceAll(/name="csrf_token" value="[^"]*"/g, "")
    .replaceAll(/"requestId":"[^"]*"/g, "");
  for (const id of ids) body = body.replaceAll(id, "ID");
  const headers = [...answer.headers]
    .filter(([name]) => !varying.has(name))
    .map(([name, value]) => `${name}: ${value}`);
  return { status: answer.status, headers, body };
}

const send = (estate: Estate, method: string, path: string, body: object | undefined, token: string | undefined) =>
  fetch(estate.server.origin + path, {
    method,
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const code = "ABCDEF";
const password = "another long passphrase";

/** Verifiers of the API, where a code is the permission; called by a signed-in user without a role. */
const byCode: Readonly<Record<string, readonly [path: (id: string) => string, body: object]>> = {
  "email address": [(id) => `/v2/users/${id}/email/verify`, { verificationCode: code }],
  "phone number": [(id) => `/v2/users/${id}/phone/verify`, { verificationCode: code }],
  invitation: [(id) => `/v2/users/${id}/invite_code/verify`, { verificationCode: code }],
  "password by code": [(id) => `/v2/users/${id}/password`, { newPassword: { password }, verificationCode: code }],
  "password by the current one": [
    (id) => `/v2/users/${id}/password`,
    { newPassword: { password }, currentPassword: "a wrong password" },
  ],
  "passkey by code": [(id) => `/v2/users/${id}/passkeys`, { code: { id: "1", code: "ABCDEFGHJKLM" } }],
};

/** Methods for callers who may see the user: a stranger finds no user there. */
const byPermission: Readonly<Record<string, readonly [method: string, path: (id: string) => string, body?: object]>> = {
  "reading him": ["GET", (id) => `/v2/users/${id}`],
  "asking for a reset": ["POST", (id) => `/v2/users/${id}/password_reset`, { returnCode: {} }],
  "another address": ["POST", (id) => `/v2/users/${id}/email`, { email: "x@mail.example" }],
  "an authenticator app": ["POST", (id) => `/v2/users/${id}/totp`, {}],
  "ways to sign in": ["GET", (id) => `/v2/users/${id}/authentication_methods`],
  "deleting him": ["DELETE", (id) => `/v2/users/${id}`],
};

/** Pages that messages lead to: opened, and sent with a wrong code. */
const pages = ["password-reset", "invitation", "initialization", "verify-email", "passkey"];

function verifiersOf(token: string): Readonly<Record<string, Verifier>> {
  const verifiers: Record<string, Verifier> = {};
  for (const [what, [path, body]] of Object.entries(byCode)) {
    verifiers[`${what}, signed in`] = (estate, id) => send(estate, "POST", path(id), body, token);
    verifiers[`${what}, anonymous`] = (estate, id) => send(estate, "POST", path(id), body, undefined);
  }
  for (const [what, [method, path, body]] of Object.entries(byPermission)) {
    verifiers[`${what}, signed in`] = (estate, id) => send(estate, method, path(id), body, token);
  }
  for (const page of pages) {
    const path = (id: string): string => `/ui/login/${page}?${new URLSearchParams({ user: id, id: "1", code })}`;
    verifiers[`page ${page}`] = (estate, id) => fetch(estate.server.origin + path(id), { redirect: "manual" });
    verifiers[`page ${page}, sent`] = async ({ server }, id) => {
      const browser = new TestBrowser(server);
      const shown = await browser.open(path(id));
      const form = shown.forms.find(({ action }) => action.includes(page));
      // A page without a form asks nothing; it was compared above.
      if (form === undefined) return new Response(shown.title);
      const csrf = form.values.find(([name]) => name === "csrf_token")?.[1] ?? "";
      const fields = { csrf_token: csrf, code, new_password: password, new_password_repeated: password };
      return browser.send(form.action, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          origin: server.origin,
          "sec-fetch-site": "same-origin",
        },
        body: new URLSearchParams(fields),
      });
    };
  }
  return verifiers;
}

/** Endpoints that authenticate clients. */
const atEndpoints: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/oauth/v2/token": { grant_type: "authorization_code", code: "x", redirect_uri: "https://app.example/callback" },
  "/oauth/v2/introspect": { token: "x" },
  "/oauth/v2/revoke": { token: "x" },
  "/oauth/v2/par": { redirect_uri: "https://app.example/callback", response_type: "code", scope: "openid" },
  "/oauth/v2/device_authorization": { scope: "openid" },
};

eachEngine((_open, engine) => {
  test("no response reveals to an anonymous caller which users exist", async (t) => {
    const estate = await makeEstate(t, engine, { passwordCost: "usual" });
    const { server } = estate;
    const users = await makeUsers(estate);
    const { token } = await sessionOf(server, await addPerson(server, { username: "stranger" }));
    const ids = Object.values(users);

    await t.test("of users, at whatever takes the id of one", async () => {
      const complaints: string[] = [];
      for (const [what, verify] of Object.entries(verifiersOf(token))) {
        const expected = await seenOf(await verify(estate, users["nobody"] ?? ""), ids);
        assert.ok(expected.status < 500, what);
        for (const [kind, userId] of Object.entries(users)) {
          const seen = await seenOf(await verify(estate, userId), ids);
          if (JSON.stringify(seen) === JSON.stringify(expected)) continue;
          complaints.push(`${what}: ${kind}: ${difference(seen, expected)}`);
        }
      }
      assert.deepEqual(complaints, []);
    });

    await t.test("of clients and service accounts, wherever they prove themselves", async () => {
      const { client } = server;
      const gone = await server.createClient();
      await estate.must("application.v2.ApplicationService/DeactivateApplication", {
        projectId: server.projectId,
        applicationId: gone.applicationId,
      });
      const wrong = "a".repeat(client.clientSecret.length);
      const names = [`${BigInt(client.clientId) + 7n}`, client.clientId, gone.clientId, "robot", "somebody-1"];
      for (const [path, form] of Object.entries(atEndpoints)) {
        const answers = new Set<string>();
        for (const name of names) {
          const body = new URLSearchParams(form);
          const answer = await fetch(server.origin + path, { method: "POST", headers: basicOf(name, wrong), body });
          answers.add(JSON.stringify(await seenOf(answer, names)));
        }
        assert.deepEqual([...answers].slice(1), [], path);
      }
    });

    await t.test("nor does the time that a password check takes", async () => {
      const { user } = await estate.must("user.v2.UserService/GetUserByID", { userId: users["somebody"] });
      const login = async (name: string): Promise<number> => {
        const browser = new TestBrowser(server);
        const asked = await browser.submit(await browser.open("/ui/login"), { login_name: name });
        // Of the processor: a clock also counts what other processes take, which can be more in all of some rounds.
        const started = process.cpuUsage();
        await browser.submit(asked, { password: "a wrong password" });
        const { user: own, system } = process.cpuUsage(started);
        return (own + system) / 1000;
      };
      await login(user.preferredLoginName);
      // The least of some measurements, taken by turns: what else the process does can only add to each.
      let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let round = 0; round < 7; round++) {
        known = Math.min(known, await login(user.preferredLoginName));
        unknown = Math.min(unknown, await login("nobody@example.com"));
      }
      // Without the hash of a password it takes a fifth. Client ids are not secret (RFC 6749 §2.2).
      assert.ok(known < unknown * 2 + 2 && unknown < known * 2 + 2, `somebody: ${known} ms, nobody: ${unknown} ms`);
    });
  });
});

function difference(seen: Seen, expected: Seen): string {
  if (seen.status !== expected.status) return `${seen.status} and not ${expected.status}: ${seen.body.slice(0, 160)}`;
  const at = [...seen.body].findIndex((character, index) => character !== expected.body[index]);
  if (at >= 0)
    return `"${seen.body.slice(Math.max(0, at - 40), at + 60)}" and not "${expected.body.slice(Math.max(0, at - 40), at + 60)}"`;
  return seen.headers.filter((header) => !expected.headers.includes(header)).join() || "shorter";
}
