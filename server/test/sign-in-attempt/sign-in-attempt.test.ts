import assert from "node:assert/strict";
import { test } from "node:test";
import { days } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { expire } from "../../src/jobs/expire.ts";
import { addApp } from "../factor/support.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

const firefox = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };

interface Step {
  readonly check: string;
  readonly outcome: string;
  readonly setting: string;
  readonly settingValue: number;
  readonly failedAttempts: number;
  readonly reference: string;
}

interface Attempt {
  readonly id: string;
  readonly result: string;
  readonly hasFailed?: boolean;
  readonly reference: string;
  readonly browser: string;
  readonly system: string;
  readonly source: string;
  readonly sessionId: string;
  readonly user?: { readonly id: string; readonly preferredLoginName: string };
  readonly application?: { readonly clientId: string; readonly name: string; readonly id: string };
  readonly steps: readonly Step[];
}

const path = "/v2/sign_in_attempts";

async function list(server: TestServer, filters: readonly object[] = [], token?: string): Promise<Attempt[]> {
  const options = token === undefined ? {} : { token };
  const { status, body } = await server.rest("POST", `${path}/search`, { body: { filters }, ...options });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(Number(body.pagination.totalResult ?? 0), (body.attempts ?? []).length);
  return body.attempts ?? [];
}

const of = (person: Person): object => ({ userIdFilter: { id: person.userId } });

const word = (text: string, prefix: string): string => text.replace(prefix, "").toLowerCase();

/** Returns the steps of an attempt in words: what, how it ended, the setting with its value, and the wrong guesses. */
const told = ({ steps }: Attempt): string[] =>
  steps.map(({ check, outcome, setting, settingValue, failedAttempts }) =>
    [
      word(check, "SIGN_IN_CHECK_"),
      word(outcome, "SIGN_IN_OUTCOME_"),
      ...(setting.endsWith("_UNSPECIFIED") ? [] : [word(setting, "SIGN_IN_SETTING_")]),
      ...(settingValue > 0 ? [`= ${settingValue}`] : []),
      ...(failedAttempts > 0 ? [`#${failedAttempts}`] : []),
    ].join(" "),
  );

const resultOf = ({ result }: Attempt): string => word(result, "SIGN_IN_RESULT_");

function only(attempts: readonly Attempt[]): Attempt {
  const [attempt, ...others] = attempts;
  assert.ok(attempt);
  assert.deepEqual(others, []);
  return attempt;
}

eachServer((start) => {
  test("each attempt is one record with its steps and what decided, for those who may read its user", async (t) => {
    const server = await start(t);
    const client = await addClient(server, {}, "Shop");
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const ada = await addPerson(server, { username: "ada", organizationId: acme.organizationId });

    await t.test("a sign-in at once, with application, device and session", async () => {
      const browser = new TestBrowser(server);
      const { path: address } = client.start();
      const page = await browser.open(address, firefox);
      const asked = await browser.submit(page, { login_name: ada.loginName }, { headers: firefox });
      const back = await browser.submit(asked, { password: ada.password }, { headers: firefox });
      assert.ok(isBack(back), back.html);
      const attempt = only(await list(server, [of(ada)]));
      assert.equal(resultOf(attempt), "signed_in");
      assert.deepEqual(told(attempt), ["name passed", "password passed"]);
      assert.deepEqual([attempt.browser, attempt.system], ["Firefox", "Linux"]);
      assert.equal(attempt.user?.preferredLoginName, ada.loginName);
      const { clientId, applicationId: id, projectId } = client;
      assert.deepEqual(attempt.application, { clientId, id, projectId, name: "Shop" });
      const { body } = await server.rest("GET", `/v2/sessions/${attempt.sessionId}`);
      assert.equal(body.session.factors.user.id, ada.userId);
    });

    await t.test("wrong passwords and codes, and the setting that locked", async () => {
      await changeSettings(server, "lockout", { maxPasswordAttempts: 2, maxOtpAttempts: 2 }, acme.organizationId);
      const bob = await addPerson(server, { username: "bob", organizationId: acme.organizationId });
      const visitor = await visit(server, client);
      let page = await enter(visitor, { ...bob, password: "wrong" });
      page = await visitor.browser.submit(page, { password: "wrong again" }, { action: "/ui/login/password" });
      await visitor.browser.submit(page, { password: bob.password }, { action: "/ui/login/password" });
      const locked = only(await list(server, [of(bob)]));
      assert.equal(resultOf(locked), "failed");
      assert.deepEqual(told(locked), [
        "name passed",
        "password wrong #1",
        "password wrong #2",
        "password blocked lockout_password_attempts = 2",
        "password blocked lockout_password_attempts = 2",
      ]);

      const eve = await addPerson(server, { username: "eve", organizationId: acme.organizationId });
      const secret = await addApp(server, eve, (made) => appCode(made, server.clock.now));
      const half = await visit(server, client);
      const asked = await enter(half, eve);
      assert.equal(resultOf(only((await list(server, [of(eve)])).slice(0, 1))), "unfinished");
      const wrong = await half.browser.submit(asked, { code: "000000" });
      const back = await half.browser.submit(wrong, { code: appCode(secret, server.clock.now) });
      assert.ok(isBack(back), back.html);
      const [finished] = await list(server, [of(eve), { resultFilter: { result: "SIGN_IN_RESULT_SIGNED_IN" } }]);
      assert.ok(finished);
      assert.deepEqual(told(finished), [
        "name passed",
        "password passed",
        "second_factor asked user_second_factor",
        "totp wrong #1",
        "totp passed",
      ]);
    });

    await t.test("a later success hides neither a failure nor the reference of one", async () => {
      const gus = await addPerson(server, { username: "gus", organizationId: acme.organizationId });
      const visitor = await visit(server, client);
      const page = await enter(visitor, { ...gus, password: "wrong" });
      const failed = only(await list(server, [of(gus)]));
      const back = await visitor.browser.submit(page, { password: gus.password }, { action: "/ui/login/password" });
      assert.ok(isBack(back), back.html);
      const finished = only(await list(server, [of(gus), { hasFailedFilter: { hasFailed: true } }]));
      assert.deepEqual([finished.id, resultOf(finished), finished.hasFailed], [failed.id, "signed_in", true]);
      assert.notEqual(finished.reference, failed.reference);
      for (const { reference } of [failed, finished]) {
        assert.equal(only(await list(server, [{ referenceFilter: { reference } }])).id, failed.id);
        const { body } = await server.rest("POST", "/v2/search", { body: { text: reference } });
        const [hit] = body.results;
        assert.deepEqual([hit.id, hit.detail], [failed.id, reference]);
        assert.deepEqual(await list(server, [{ referenceFilter: { reference } }], other.token), []);
      }
      assert.deepEqual(await list(server, [of(ada), { hasFailedFilter: { hasFailed: true } }]), []);
      assert.equal((await list(server, [of(ada), { hasFailedFilter: {} }])).length, 1);
    });

    await t.test("settings that forbid a password, or demand a second factor", async () => {
      const { organizationId } = acme;
      const cleo = await addPerson(server, { username: "cleo", organizationId });
      await changeSettings(server, "login", { forceMfa: true }, organizationId);
      await enter(await visit(server, client), cleo);
      await changeSettings(server, "login", { forceMfa: false, allowLocalAuthentication: false }, organizationId);
      const visitor = await visit(server, client);
      await changeSettings(server, "login", { allowLocalAuthentication: true }, organizationId);
      const asked = await visitor.browser.submit(visitor.page, { login_name: cleo.loginName });
      await changeSettings(server, "login", { allowLocalAuthentication: false }, organizationId);
      await visitor.browser.submit(asked, { password: cleo.password }, { action: "/ui/login/password" });
      await changeSettings(server, "login", { allowLocalAuthentication: true }, organizationId);
      const [forbidden, demanded] = await list(server, [of(cleo)]);
      assert.ok(forbidden && demanded);
      assert.deepEqual(told(forbidden), ["name passed", "password not_allowed allow_username_password"]);
      assert.deepEqual(told(demanded), ["name passed", "password passed", "second_factor_setup asked force_mfa"]);
    });

    await t.test("names that no user has are the instance's, and are not kept", async () => {
      await enter(await visit(server, client), { loginName: "my secret password", password: "my other secret" });
      const all = await list(server);
      const unknown = only(all.filter(({ user }) => user === undefined));
      assert.deepEqual(told(unknown), ["name unknown"]);
      assert.equal(resultOf(unknown), "failed");
      const rows = await server.app.domain.database.read.all(sql`select * from sign_in_attempts
        where instance_id = ${"instance-1"} or instance_id <> ${"instance-1"}`);
      assert.ok(rows.length > 3);
      assert.doesNotMatch(JSON.stringify(rows), /secret/, "neither names nor passwords that were entered");

      // Told at once where the settings say so.
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
      const { browser, page } = await visit(server, client);
      await browser.submit(page, { login_name: "missing" });
      await changeSettings(server, "login", { ignoreUnknownUsernames: true });
      const [newest] = await list(server);
      assert.ok(newest);
      assert.deepEqual(told(newest), ["name unknown"]);
    });

    await t.test("a request that is refused is found by the reference on its page", async () => {
      const { path: address } = client.start({ redirect_uri: "https://shop.example/wrong" });
      const { html, status } = await new TestBrowser(server).open(address);
      assert.equal(status, 400);
      const [, reference = ""] = /id="reference"[\s\S]*?<code>([^<]+)<\/code>/.exec(html) ?? [];
      const attempt = only(await list(server, [{ referenceFilter: { reference } }]));
      assert.deepEqual(told(attempt), ["request not_allowed redirect_uris"]);
      assert.equal(attempt.application?.name, "Shop");
      const { body } = await server.rest("POST", "/v2/search", { body: { text: reference } });
      const hits = body.results.filter(({ kind }: { kind: string }) => kind === "SEARCH_RESULT_KIND_SIGN_IN_ATTEMPT");
      assert.deepEqual(
        hits.map(({ id, detail }: { id: string; detail: string }) => ({ id, detail })),
        [{ id: attempt.id, detail: reference }],
      );
    });

    await t.test("so is a page whose request is over, and an application that its user may not use", async () => {
      const { browser } = await visit(server, client);
      const { html } = await browser.open("/ui/login?authRequest=none");
      const [, reference = ""] = /id="reference"[\s\S]*?<code>([^<]+)<\/code>/.exec(html) ?? [];
      assert.deepEqual(told(only(await list(server, [{ referenceFilter: { reference } }]))), ["request expired"]);

      const guarded = await addClient(server, {}, "Guarded");
      const { projectId } = guarded;
      const required = { projectId, projectAccessRequired: true, authorizationRequired: true };
      const { status } = await server.connect("service.project.v2.ProjectService/UpdateProject", required);
      assert.equal(status, 200);
      const finn = await addPerson(server, { username: "finn", organizationId: acme.organizationId });
      const back = await enter(await visit(server, guarded), finn);
      assert.match(back.address, /error=access_denied/);
      const [denied, signedIn] = await list(server, [of(finn)]);
      assert.ok(denied && signedIn);
      assert.deepEqual(told(denied), ["name passed", "application not_allowed project_access"]);
      assert.deepEqual([denied.sessionId, resultOf(signedIn)], [signedIn.sessionId, "signed_in"]);
    });

    await t.test("checks of a custom login are one attempt for each session", async () => {
      const dan = await addPerson(server, { username: "dan", organizationId: acme.organizationId });
      const user = { userId: dan.userId };
      const { body } = await server.rest("POST", "/v2/sessions", { body: { checks: { user } } });
      assert.deepEqual(await list(server, [of(dan)]), [], "a name alone is no attempt");
      for (const password of ["wrong", dan.password]) {
        await server.rest("PATCH", `/v2/sessions/${body.sessionId}`, { body: { checks: { password: { password } } } });
      }
      const attempt = only(await list(server, [of(dan)]));
      assert.equal(attempt.id, body.sessionId);
      assert.equal(resultOf(attempt), "signed_in");
      assert.deepEqual(told(attempt), ["name passed", "password wrong #1", "password passed"]);
    });

    await t.test("administrators of an organization see those of its users, and no others", async () => {
      const all = await list(server);
      const theirs = await list(server, [], acme.token);
      const users = new Set(all.flatMap(({ user }) => user?.id ?? []));
      assert.ok(users.size >= 5);
      assert.deepEqual(
        theirs.map(({ id }) => id),
        all.filter(({ user }) => user !== undefined).map(({ id }) => id),
      );
      assert.deepEqual(await list(server, [], other.token), []);
      const one = theirs[0]?.id ?? "";
      const { body: own } = await server.rest("GET", `${path}/${one}`, { token: acme.token });
      assert.deepEqual(own.attempt, theirs[0]);
      const [hidden, absent] = await Promise.all(
        [one, "absent"].map((id) => server.rest("GET", `${path}/${id}`, { token: other.token })),
      );
      assert.equal(hidden?.status, 404);
      assert.deepEqual({ ...hidden?.body, details: [] }, { ...absent?.body, details: [] });
      for (const filter of [of(ada), { referenceFilter: { reference: theirs[0]?.reference } }]) {
        assert.deepEqual(await list(server, [filter], other.token), []);
      }
      // The application belongs to another organization: its name was on the page, where it lives is not told.
      const withClient = theirs.find(({ application }) => application?.clientId === client.clientId);
      assert.equal(withClient?.application?.name, "Shop");
      assert.equal(withClient?.application?.id ?? "", "");
      const unappointed = await addServiceAccount(server, acme.organizationId, "no-role");
      assert.equal((await server.rest("POST", `${path}/search`, { body: {}, token: unappointed.token })).status, 403);
      assert.equal((await server.rest("POST", `${path}/search`, { body: {}, token: "" })).status, 401);
    });

    await t.test("filters by client, time and organization", async () => {
      const all = await list(server);
      const since = { timestamp: new Date(server.clock.now).toISOString(), method: "TIMESTAMP_FILTER_METHOD_AFTER" };
      assert.deepEqual(await list(server, [{ startDateFilter: since }]), []);
      const byClient = await list(server, [{ clientIdFilter: { clientId: client.clientId } }]);
      assert.equal(byClient.length, all.filter(({ application }) => application?.clientId === client.clientId).length);
      const byOrganization = await list(server, [{ organizationIdFilter: { id: acme.organizationId } }]);
      assert.equal(byOrganization.length, (await list(server, [], acme.token)).length);
      const ids = all.slice(0, 2).map(({ id }) => id);
      assert.deepEqual((await list(server, [{ inIdsFilter: { ids } }])).map(({ id }) => id).sort(), ids.sort());
    });

    await t.test("they go with their user, and after 30 days", async () => {
      const before = await list(server, [], acme.token);
      await server.rest("DELETE", `/v2/users/${ada.userId}`);
      const after = await list(server, [], acme.token);
      assert.deepEqual(
        after.map(({ id }) => id),
        before.filter(({ user }) => user?.id !== ada.userId).map(({ id }) => id),
      );
      const { database } = server.app.domain;
      const run = (now: number) => expire({ database }).run({ now, signal: new AbortController().signal });
      assert.equal((await run(server.clock.now + days(29)))["sign_in_attempts"], 0);
      assert.ok(((await run(server.clock.now + days(30) + 60_000))["sign_in_attempts"] ?? 0) > 0);
      assert.deepEqual(await list(server), []);
      const left = await database.read.all(sql`select * from sign_in_references`);
      assert.deepEqual(left, []);
    });
  });

  test("the references of an attempt are bounded, and go with it", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const count = async (userId: string): Promise<number> => {
      const row = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from sign_in_references r
        join sign_in_attempts a on a.instance_id = r.instance_id and a.attempt_id = r.attempt_id
        where r.instance_id = a.instance_id and a.user_id = ${userId}`);
      return Number(row?.count);
    };
    await changeSettings(server, "lockout", { maxPasswordAttempts: 0 });
    const hal = await addPerson(server, { username: "hal" });
    const { body } = await server.rest("POST", "/v2/sessions", { body: { checks: { user: { userId: hal.userId } } } });
    const checks = { password: { password: "wrong" } };
    for (let tries = 0; tries < 150; tries++) {
      server.clock.now += 60_000;
      await server.rest("PATCH", `/v2/sessions/${body.sessionId}`, { body: { checks } });
    }
    const kept = await count(hal.userId);
    const attempt = only(await list(server, [of(hal)]));
    assert.ok(kept > 20 && kept <= 100, `${kept} references`);
    assert.equal(kept, new Set(attempt.steps.slice(1).map(({ reference }) => reference)).size);
    await server.rest("DELETE", `/v2/users/${hal.userId}`);
    const left = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from sign_in_references
      where attempt_id = ${attempt.id}`);
    assert.equal(Number(left?.count), 0);
  });

  test("a flood of failures is recorded up to a limit, and sign-ins still are", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    for (let count = 0; count < 130; count++) {
      const { path: address } = { path: `/oauth/v2/authorize?client_id=missing&redirect_uri=x&n=${count}` };
      assert.equal((await new TestBrowser(server).open(address)).status, 400);
    }
    assert.equal((await list(server)).length, 100);
    const browser = new TestBrowser(server);
    const page = await enter({ browser, page: await browser.open("/ui/login") }, ada);
    assert.equal(page.address, "/ui/login/signed-in");
    assert.equal((await list(server, [of(ada)])).length, 1);
  });
});
