import assert from "node:assert/strict";
import { test } from "node:test";
import { keysAt } from "../factor/key-support.ts";
import { callUser } from "../factor/support.ts";
import { addPerson, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { cpuMilliseconds } from "../support/servers/cpu-time.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { visit } from "./support/sign-in.ts";
import { grace } from "./support/sign-up.ts";

/** Makes users, and returns names of the same length: of existing users in various states and of unknown ones. */
async function makeNames(server: TestServer): Promise<Readonly<Record<string, string>>> {
  const users = "service.user.v2.UserService";
  const organizationId = await defaultOrganization(server);
  const add = async (username: string): Promise<string> => (await addPerson(server, { username })).userId;
  const human = (username: string, isVerified: boolean) => ({
    organizationId,
    username,
    human: {
      profile: { givenName: "P", familyName: "P" },
      email: { email: `${username.slice(0, 8)}@mail.example`, isVerified },
    },
  });
  await add("person-0");
  await server.connect(`${users}/DeactivateUser`, { userId: await add("person-1") });
  await server.connect(`${users}/LockUser`, { userId: await add("person-2") });
  await callUser(server, "CreateUser", human("person-3", true));
  await callUser(server, "CreateUser", human("person-4", false));
  await callUser(server, "CreateUser", human("person-7@mail.example", false));
  await callUser(server, "CreateUser", { organizationId, username: "person-5", machine: { name: "M" } });
  const device = createAuthenticator({ origin: "http://localhost" });
  await keysAt(server).register(await add("person-6"), device, "Passkey");
  return {
    nobody: "person-9",
    somebody: "person-0",
    deactivated: "person-1",
    locked: "person-2",
    "without a password": "person-3",
    "with an address that nobody confirmed": "person-4",
    "a service account": "person-5",
    "with a passkey": "person-6",
    "named by an address that nobody confirmed": "person-7",
  };
}

/** A form that a stranger can send with a name; prepared outside of what is timed. */
type Step = (server: TestServer, client: SignInClient, name: string) => Promise<() => Promise<Response>>;

const formHeaders = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };

async function named(server: TestServer, client: SignInClient, name: string) {
  const { browser, page } = await visit(server, client);
  return { browser, page: await browser.submit(page, { login_name: name }) };
}

const csrfOf = ({ forms }: ShownPage): string =>
  forms.flatMap(({ values }) => values).find(([name]) => name === "csrf_token")?.[1] ?? "";

const send = (browser: TestBrowser, page: ShownPage, address: string) => (): Promise<Response> =>
  browser.send(address, {
    method: "POST",
    headers: formHeaders,
    body: new URLSearchParams({ csrf_token: csrfOf(page) }),
  });

/** What a user enters to make an account with an address of a name. */
const entered = (name: string) => ({ ...grace, email: `${name}@mail.example` });

async function registering(server: TestServer, client: SignInClient, name: string) {
  const { browser, page } = await visit(server, client, { prompt: "create" });
  return { browser, page, asked: await browser.submit(page, entered(name)) };
}

/** Sends a form of a page. */
const post = (browser: TestBrowser, page: ShownPage, fields: Readonly<Record<string, string>>, form = 0) => {
  const { action = "", values = [] } = page.forms[form] ?? {};
  const body = new URLSearchParams({ ...Object.fromEntries(values), ...fields });
  return (): Promise<Response> => browser.send(action, { method: "POST", headers: formHeaders, body });
};

const combined = "name and password on one page";

/** Forms that the suite of names and passwords (`enumeration.test.ts`) does not send. */
const steps: Readonly<Record<string, Step>> = {
  "a name": async (server, client, name) => {
    const { browser, page } = await visit(server, client);
    return post(browser, page, { login_name: name });
  },
  "the page that asks about a forgotten password": async (server, client, name) => {
    const { browser, page } = await named(server, client, name);
    return () => browser.send(page.address.replace("/password?", "/forgotten?"));
  },
  "a message for a new password": async (server, client, name) => {
    const { browser, page } = await named(server, client, name);
    const asked = await browser.open(page.address.replace("/password?", "/forgotten?"));
    return send(browser, asked, asked.forms[0]?.action ?? "");
  },
  "the page after it": async (server, client, name) => {
    const { browser, page } = await named(server, client, name);
    const sent = await browser.submit(await browser.open(page.address.replace("/password?", "/forgotten?")));
    return () => browser.send(sent.address);
  },
  "a wrong code for a new password": async (server, client, name) => {
    const { browser, page } = await named(server, client, name);
    const sent = await browser.submit(await browser.open(page.address.replace("/password?", "/forgotten?")));
    return post(browser, sent, { code: "AAAAAA" });
  },
  "the page after it, with a sixth code": async (server, client, name) => {
    const { browser, page } = await named(server, client, name);
    const sent = await browser.submit(await browser.open(page.address.replace("/password?", "/forgotten?")));
    for (let guess = 0; guess < 5; guess++) await browser.submit(sent, { code: "AAAAAA" }, { action: "/sent" });
    return post(browser, sent, { code: "AAAAAA" });
  },
  "what passkeys are asked for": async (server, client, name) => {
    const { browser, page } = await named(server, client, name);
    const address = /data-passkey-request="([^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    assert.ok(address, page.html);
    return send(browser, page, address);
  },
  "an account": async (server, client, name) => {
    const { browser, page } = await visit(server, client, { prompt: "create" });
    return post(browser, page, entered(name));
  },
  "the page that asks for the code of an account": async (server, client, name) => {
    const { browser, asked } = await registering(server, client, name);
    return () => browser.send(asked.address);
  },
  "a wrong code for an account": async (server, client, name) => {
    const { browser, asked } = await registering(server, client, name);
    return post(browser, asked, { code: "AAAAAA" });
  },
  "the page after it, with an account": async (server, client, name) => {
    const { browser, asked } = await registering(server, client, name);
    const wrong = await browser.submit(asked, { code: "AAAAAA" });
    return () => browser.send(wrong.address);
  },
  "another code for an account": async (server, client, name) => {
    const { browser, asked } = await registering(server, client, name);
    server.clock.now += 31_000;
    return post(browser, asked, {}, 1);
  },
  "a passkey for an account": async (server, client, name) => {
    const { browser, page } = await visit(server, client, { prompt: "create" });
    return post(browser, page, { ...entered(name), with: "passkey", passkeys: "1" });
  },
  "an account with a passkey": async (server, client, name) => {
    const { browser, page } = await visit(server, client, { prompt: "create" });
    const asked = await browser.submit(page, { ...entered(name), with: "passkey", passkeys: "1" });
    const options = /data-passkey-options="([^"]*)"/.exec(asked.html)?.[1]?.replaceAll("&quot;", '"') ?? "";
    const device = createAuthenticator({ origin: "http://localhost" });
    return post(browser, asked, { credential: JSON.stringify(device.create(JSON.parse(options))) });
  },
  "other ways to sign in": async (server, client, name) => {
    const { browser, page } = await named(server, client, name);
    return () => browser.send(page.address.replace("/password?", "/methods?"));
  },
  // The last one: the layout stays as it is.
  [combined]: async (server, client, name) => {
    const { browser, page } = await visit(server, client);
    return post(browser, page, { login_name: name, password: "not the password of anybody" });
  },
};

/** Where a value is looked up, checked, written or sent. The others only show what is known already. */
const timed = [
  "a name",
  "a message for a new password",
  "a wrong code for a new password",
  "what passkeys are asked for",
  combined,
  "an account",
  "a wrong code for an account",
  "another code for an account",
];

/**
 * What one answer costs, in milliseconds: elapsed time, and processor time of all threads of this process together,
 * client and server.
 */
interface Cost {
  readonly wall: number;
  readonly processors: number;
}

const rounds = 15;

/**
 * Whether two medians are about the same. An answer takes a few milliseconds, and a shared machine changes that by more
 * than a tenth from one moment to the next, so that a difference of a tenth cannot be told from none. What would tell a
 * known user from an unknown one is larger: the hash of a password, a message that is written, a signature. Processor
 * time hardly depends on others, so half as much again and one millisecond are tolerated; of elapsed time, which may
 * include waiting, twice as much and three milliseconds.
 */
const isAlike = (a: Cost, b: Cost): boolean => a.processors <= b.processors * 1.5 + 1 && a.wall <= b.wall * 2 + 3;

const varying = new Set(["date", "x-request-id", "keep-alive"]);

/** Returns everything that a stranger sees of an answer, except the name they typed and what is new in every answer. */
async function seen(answer: Response, name: string): Promise<string> {
  const body = await answer.text();
  const plain = (text: string): string =>
    text
      .replaceAll(name, "NAME")
      .replaceAll(/authRequest=\d+/g, "authRequest=ID")
      .replaceAll(/again=\d+/g, "again=NOW")
      .replaceAll(/name="csrf_token" value="[^"]*"/g, "")
      .replaceAll(/("|&quot;)challenge\1:\1[\w-]*\1/g, "")
      .replaceAll(/&quot;id&quot;:&quot;[\w-]*&quot;/g, "")
      .replaceAll(/name="ticket" value="[^"]*"/g, "")
      .replaceAll(/dwb_[\w-]+/g, "SECRET");
  const headers = [...answer.headers]
    .filter(([header]) => !varying.has(header))
    .map(([header, value]) => [header, plain(value)]);
  return JSON.stringify([answer.status, body.length, headers, plain(body)]);
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

const middle = (costs: readonly Cost[]): Cost => ({
  wall: median(costs.map(({ wall }) => wall)),
  processors: median(costs.map(({ processors }) => processors)),
});

const inWords = ({ wall, processors }: Cost): string =>
  `${wall.toFixed(2)} ms (${processors.toFixed(2)} of the processors)`;

test("steps that begin with a name do not tell which users exist (G5)", async (t) => {
  const server = await startServer(t, { passwordCost: "usual" });
  const client = await addClient(server);
  const names = await makeNames(server);
  for (const [what, step] of Object.entries(steps)) {
    if (what === combined) await changeSettings(server, "login", { layout: "combined" });
    await t.test(`${what}: the same words, size and headers for known and unknown users`, async () => {
      const answers = new Map<string, string[]>();
      for (const [kind, name] of Object.entries(names)) {
        const answer = await seen(await (await step(server, client, name))(), name);
        answers.set(answer, [...(answers.get(answer) ?? []), kind]);
      }
      assert.deepEqual([...answers.values()], [Object.keys(names)], [...answers.keys()].join("\n"));
    });

    if (!timed.includes(what)) continue;
    await t.test(`${what}: about the same time`, async (inner) => {
      const measure = async (name: string): Promise<Cost> => {
        // So much later that a message would be sent again.
        server.clock.now += 3_600_000;
        const take = await step(server, client, name);
        const started = performance.now();
        const processors = await cpuMilliseconds(async () => (await take()).arrayBuffer());
        return { wall: performance.now() - started, processors };
      };
      // In turns, either first, and the median of all: other load on the machine meets both alike.
      const attempt = async (): Promise<boolean> => {
        const costs: Record<"person-0" | "person-9", Cost[]> = { "person-0": [], "person-9": [] };
        for (let round = 0; round < rounds; round++) {
          const pair = ["person-0", "person-9"] as const;
          for (const name of round % 2 === 0 ? pair : pair.toReversed()) costs[name].push(await measure(name));
        }
        const [of, none] = [middle(costs["person-0"]), middle(costs["person-9"])];
        inner.diagnostic(`${what}: somebody ${inWords(of)}, nobody ${inWords(none)}`);
        return isAlike(of, none) && isAlike(none, of);
      };
      let isSame = false;
      for (let tries = 0; tries < 5 && !isSame; tries++) isSame = await attempt();
      assert.ok(isSame, "one is slower than the other, again and again");
    });
  }
});
