import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, sql } from "../../src/database/index.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { startTestProviders, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { startServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { provenAttempt } from "./attempts.ts";
import {
  type HostileAnswer,
  hostileBodies,
  hostileClaimsOf,
  hostileDiscovery,
  hostileEndpoints,
  hostileReturns,
  hostileSignatures,
} from "./hostile-answers.ts";

interface KeptAttempt {
  readonly id: string;
  readonly state: string;
  readonly kept: number;
}

const most = 50;
const good: HostileAnswer = { name: "as it should be", change: () => {}, why: "", title: "failed" };
const titles = {
  failed: /Sign-in failed/,
  "does not answer": /is not responding/,
  cancelled: /canceled/,
};

test("an invalid answer of a provider signs no user in, and leaves nothing behind", async (t) => {
  const server = await startServer(t);
  const { database } = server.app.domain;
  const providers = await startTestProviders(t, () => server.clock.now);
  const now = Math.floor(server.clock.now / 1000);
  const rows = [
    ...hostileClaimsOf(now),
    ...hostileSignatures,
    ...hostileBodies,
    ...hostileReturns,
    ...hostileDiscovery,
    ...hostileEndpoints,
    good,
  ];
  // Each is a provider of its own, so that nothing kept of one helps or hinders another.
  const made: { row: HostileAnswer; provider: TestProvider; id: string }[] = [];
  for (const [index, row] of rows.entries()) {
    const provider = providers.add(`/${index}`);
    row.change(provider);
    const id = await putProvider(server, {
      configuration: oidcAt(provider.issuer),
      secret: provider.clientSecret,
      options: { isAutoCreation: true },
    });
    made.push({ row, provider, id });
  }
  const offer = (part: typeof made) =>
    changeSettings(server, "login", { identityProviderIds: part.map(({ id }) => id) });
  await offer(made.slice(0, 1));
  const browser = new TestBrowser(server);
  const start = await browser.open("/ui/login");

  /** Walks the whole attempt as a user does. */
  const go = async ({ row, provider, id }: (typeof made)[number]) => {
    const away = await browser.submit(start, { provider: id }, { action: "/ui/login/provider" });
    if (!away.address.startsWith(provider.issuer)) return away;
    const back = provider.signIn(away.address);
    row.bring?.(back, provider);
    return browser.open(back.pathname + back.search);
  };

  const before = await countOf(server);
  // Asked for at once: the oldest of many attempts of a browser end.
  const attempts = new Map<string, readonly KeptAttempt[]>();
  for (const [index, each] of made.slice(0, -1).entries()) {
    // As many as settings can name.
    if (index % most === 0) await offer(made.slice(index, index + most));
    await t.test(each.row.name, async () => {
      const page = await go(each);
      assert.match(page.title, titles[each.row.title], page.html);
      assert.ok(page.alert, "it says why");
      assert.match(page.address, /^\/ui\/login\/external\?/);
      assert.doesNotMatch(page.html, /attacker|<script>alert/);
      // The attempt is over, and no user is remembered.
      assert.ok(![...browser.cookies.keys()].some((name) => name.includes("provider")), "no mark in the browser");
      attempts.set(each.id, await listAttempts(database, each.id));
    });
  }

  await t.test("the event says which rule it was, and no row holds anything that was said", async () => {
    const failed = (await recordedEvents(server)).filter(({ type }) => type === "idpintent.failed");
    const found = made.slice(0, -1).map(({ row: { name }, id }) => {
      const mine = attempts.get(id) ?? [];
      const { reason, detail } = failed.find(({ aggregateId }) => aggregateId === mine[0]?.id)?.payload ?? {};
      const why = [reason, detail].filter((part) => part !== undefined).join(" ");
      return { name, why, left: mine.map(({ state, kept }) => `${state} ${kept}`) };
    });
    const expected = rows.slice(0, -1).map(({ name, why }) => ({ name, why, left: ["failed 0"] }));
    assert.deepEqual(found, expected);
    assert.doesNotMatch(JSON.stringify(failed), /attacker|provider-access|script/);
  });

  await t.test(
    "a provider of signed JWTs is held to the same (CVE-2026-55669, CVE-2026-56664, CVE-2026-56665)",
    async () => {
      const { issuer, sign } = providers.add("/jwt");
      const id = await putProvider(server, { configuration: jwtAt(issuer), options: { isAutoCreation: true } });
      const last = made.at(-1);
      assert.ok(last);
      await changeSettings(server, "login", { identityProviderIds: [id, last.id] });
      const stateFor = async (providerId: string): Promise<string> => {
        const { address } = await browser.submit(start, { provider: providerId }, { action: "/ui/login/provider" });
        const { searchParams } = new URL(address);
        return searchParams.get("authRequestID") ?? searchParams.get("state") ?? "";
      };
      const claims = { iss: issuer, sub: "p-1", aud: "doorward", iat: now, exp: now + 300, email: "p@jwt.example" };
      const tokens: Readonly<Record<string, string>> = {
        nothing: "",
        "another audience": sign({ ...claims, aud: "somebody" }),
        "no audience": sign({ ...claims, aud: undefined }),
        "others besides us": sign({ ...claims, aud: ["doorward", "somebody"] }),
        "no time of issue": sign({ ...claims, iat: undefined }),
        "issued in the future": sign({ ...claims, iat: now + 100 }),
        "issued long ago": sign({ ...claims, iat: now - 700 }),
        "no expiry": sign({ ...claims, exp: undefined }),
        "expiry as text": sign({ ...claims, exp: `${now + 300}` }),
        "expiry beyond dates": sign({ ...claims, exp: 1e300 }),
        "another issuer": sign({ ...claims, iss: "https://attacker.example" }),
        "no subject": sign({ ...claims, sub: undefined }),
        "two at once": `${sign(claims)}, ${sign(claims)}`,
        "no signature": `${sign(claims).split(".").slice(0, 2).join(".")}.`,
      };
      for (const [name, token] of Object.entries(tokens)) {
        const page = await browser.open(`/idps/jwt?authRequestID=${await stateFor(id)}`, { "x-person": token });
        assert.match(page.title, titles.failed, `${name}: ${page.html}`);
      }
      // CVE-2026-73419: an attempt begun for one purpose is not finished for another.
      const crossed = [
        await browser.open(`/idps/jwt?authRequestID=${await stateFor(last.id)}`, { "x-person": sign(claims) }),
        await browser.open(`/idps/callback?code=x&state=${await stateFor(id)}`),
      ];
      for (const page of crossed) assert.match(page.title, titles.failed, page.html);
    },
  );

  // CVE-2026-105215, CVE-2026-16442: no browser was sent there, whatever the answer says of the user.
  await t.test("an unsolicited or invalid answer is of no use", async () => {
    const last = made.at(-1);
    assert.ok(last);
    const { address } = await browser.submit(start, { provider: last.id }, { action: "/ui/login/provider" });
    const real = last.provider.signIn(address).searchParams;
    const [code, state] = [real.get("code") ?? "", real.get("state") ?? ""];
    const self = "user=1&sub=p-1&email=victim%40mail.example&email_verified=true&id_token=x.y.z";
    const none = [
      "",
      self,
      `code=x&${self}`,
      `state=made-up&code=x&${self}`,
      `code=${code}`,
      `state=${state}&${self}`,
      `state=${state}&code=`,
      `state=${state}&code=a&code=${code}`,
      `state=${state}&state=x&code=${code}`,
      `state=${state}&code=${code}&error=x`,
      `state=${state}&code=${code}&iss=a&iss=b`,
      `state=${state}&error=a&error=b`,
      `state=${state}&code=${"x".repeat(8193)}`,
    ];
    for (const query of none) {
      const got = await browser.send(`/idps/callback?${query}`);
      assert.equal(got.status, 400, `GET ${query.slice(0, 80)}`);
      const posted = await browser.send("/idps/callback", {
        method: "POST",
        body: query,
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" },
      });
      // An answer that could be valid is only kept, and forwarded to where the cookie counts.
      const isLed = posted.status === 303 && query.startsWith("state=made-up");
      assert.ok(isLed || posted.status === 400, `POST ${query.slice(0, 80)}: ${posted.status}`);
    }
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ state, code });
    assert.equal((await browser.send("/idps/callback", { method: "POST", headers, body })).status, 400);
    // CVE-2026-49448: the page behind, without the proof.
    const rows = await database.read.all<KeptAttempt>(sql`select intent_id as "id" from identity_intents`);
    const form = start.forms.find(({ action }) => action.includes("/ui/login/provider"));
    const token = form?.values.find(([name]) => name === "csrf_token")?.[1] ?? "";
    const fields = { csrf_token: token, given_name: "A", family_name: "B", email: "a@b.example", decision: "link" };
    for (const { id } of rows.slice(0, 3)) {
      for (const path of ["", "/existing", "/link"]) {
        const answer = await browser.send(`/ui/login/external${path}?intent=${id}`, {
          method: "POST",
          body: new URLSearchParams(fields),
          headers: { origin: server.origin, "sec-fetch-site": "same-origin" },
        });
        assert.equal(answer.status, 303, path);
        assert.match(answer.headers.get("location") ?? "", /^\/ui\/login(\/external)?\?/);
      }
    }
  });

  await t.test("no user, no link, no session", async () => {
    assert.deepEqual(await countOf(server), before);
    assert.match((await browser.open("/ui/account")).address, /^\/ui\/login/);
  });

  // CVE-2025-41115: ids of providers are texts, and not our ids.
  await t.test("claims that are made to look like another user, or something else, are words", async () => {
    const provider = providers.add("/words");
    const ada = await addPerson(server, { username: "ada" });
    const before = await countOf(server);
    const id = await putProvider(server, {
      configuration: oidcAt(provider.issuer),
      secret: provider.clientSecret,
      options: { autoLinking: "username" },
    });
    await changeSettings(server, "login", { identityProviderIds: [id] });
    const names = {
      given_name: "<script>alert(1)</script>",
      family_name: "\u202eevil",
      preferred_username: ada.loginName,
      name: { toString: "x" },
      nickname: "a\r\nset-cookie: x=1",
      locale: "../../etc/passwd",
      groups: ["\ud800"],
    };
    for (const sub of [ada.userId, "admin", "1", ada.loginName, "<b>", "' or 1=1 --", "__proto__", "null"]) {
      provider.user = { sub, ...names, email: "ada@mail.example", email_verified: "true" };
      const text = JSON.stringify(provider.user).replace(/}$/, ',"big":1e999}');
      provider.answers.set("/userinfo", (response) => void response.end(text));
      const page = await go({ row: good, provider, id });
      assert.equal(page.status, 200, page.html);
      assert.match(page.html, /This account is not known here/, sub);
      assert.doesNotMatch(page.html, /<script>alert|<b>/);
      assert.ok(![...page.headers.values()].some((value) => value.includes("x=1")));
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, id);
      const read = await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } });
      assert.equal(read.status, 200, JSON.stringify(read.body));
      assert.deepEqual([read.body.userId, read.body.idpInformation.userId], ["", sub]);
    }
    assert.deepEqual(await countOf(server), before);
  });

  await t.test("the same provider, telling the truth, signs the user in", async () => {
    const last = made.at(-1);
    assert.ok(last);
    await changeSettings(server, "login", { identityProviderIds: [last.id] });
    assert.equal((await go(last)).address, "/ui/login/signed-in");
    assert.notDeepEqual(await countOf(server), before);
  });

  await t.test("so does a signed JWT, once", async () => {
    const { issuer, sign } = providers.add("/true-jwt");
    const id = await putProvider(server, { configuration: jwtAt(issuer), options: { isAutoCreation: true } });
    await changeSettings(server, "login", { identityProviderIds: [id] });
    const person = new TestBrowser(server);
    const away = await person.submit(
      await person.open("/ui/login"),
      { provider: id },
      { action: "/ui/login/provider" },
    );
    assert.ok(away.address.startsWith(`${issuer}/jwt?`), away.address);
    const state = new URL(away.address).searchParams.get("authRequestID");
    const claims = { iss: issuer, sub: "p-2", aud: "doorward", iat: now, exp: now + 300, email: "p2@jwt.example" };
    const names = { given_name: "Pat", family_name: "Jay", email_verified: true };
    const headers = { "x-person": sign({ ...claims, ...names }) };
    const counted = await countOf(server);
    assert.equal((await new TestBrowser(server).open(`/idps/jwt?authRequestID=${state}`, headers)).status, 400);
    const end = await person.open(`/idps/jwt?authRequestID=${state}`, headers);
    assert.equal(end.address, "/ui/login/signed-in", end.html);
    assert.match(end.html, /p2@jwt\.example|Pat/);
    await person.open(`/idps/jwt?authRequestID=${state}`, headers);
    const { users, links, sessions } = counted;
    assert.deepEqual(await countOf(server), { users: users + 1, links: links + 1, sessions: sessions + 1 });
  });
});

/** A provider that sends signed JWTs by a header. */
const jwtAt = (issuer: string) => ({
  kind: "jwt" as const,
  issuer,
  jwtEndpoint: `${issuer}/jwt`,
  keysEndpoint: `${issuer}/keys`,
  headerName: "x-person",
  audience: "doorward",
  styling: "none" as const,
});

interface Counted {
  readonly users: number;
  readonly links: number;
  readonly sessions: number;
}

const listAttempts = ({ read }: Database, providerId: string): Promise<KeptAttempt[]> =>
  read.all<KeptAttempt>(sql`select intent_id as "id", state,
    case when sealed_identity is null and token_hash is null and external_user_id is null
      and external_username is null and sealed_answer is null and retriever_id is null then 0 else 1 end as "kept"
    from identity_intents where identity_provider_id = ${providerId}`);

async function countOf({ app }: Awaited<ReturnType<typeof startServer>>): Promise<Counted> {
  const { read } = app.domain.database;
  const count = async (query: ReturnType<typeof sql>) => (await read.all<{ found: number }>(query))[0]?.found ?? 0;
  return {
    users: await count(sql`select count(*) as "found" from users`),
    links: await count(sql`select count(*) as "found" from identity_links`),
    sessions: await count(sql`select count(*) as "found" from sessions`),
  };
}
