import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import { addOrganization, addPerson, defaultOrganization, goodPassword } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import { startServer, type TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "../support/sign-in.ts";
import { codeTo, confirm, grace as entered, findPeople, isAsked, messagesTo } from "../support/sign-up.ts";

const create = { prompt: "create" };

const userinfo = async (server: TestServer, token: string) =>
  (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })).json();

const promptsOf = async (server: TestServer): Promise<string[]> =>
  (await server.rest("GET", "/.well-known/openid-configuration", { token: null })).body.prompt_values_supported;

serversInTurn((start, test, both) => {
  test("prompt=create shows the form; a user who fills it in has an account, and is back at the application", async (t) => {
    const server = await start(t);
    assert.ok((await promptsOf(server)).includes("create"));
    const client = await addClient(server);
    const given = { ...create, scope: "openid profile email", login_hint: "grace@mail.example" };
    const { browser, page, codeVerifier } = await visit(server, client, given);
    assert.match(page.address, /^\/ui\/login\/register\?authRequest=/);
    assert.match(page.title, /^Create your account/);
    assert.match(page.html, /Shop/);
    assert.match(page.html, /value="grace@mail\.example"/, "what is known is not asked again");
    assert.match(page.html, /at least 12 characters/);
    const asked = await browser.submit(page, entered);
    assert.ok(isAsked(asked), asked.html);
    assert.match(asked.title, /^Confirm your email address/);
    assert.match(asked.html, /grace@mail\.example/);
    assert.deepEqual(await findPeople(server, entered.email), [], "nobody is there before the address is proven");
    assert.equal((await browser.open("/ui/login/signed-in")).address, "/ui/login");
    const back = await confirm(server, browser, asked);
    assert.ok(isBack(back), back.html);
    assert.equal(new URL(back.address).searchParams.get("state"), "s1");
    const { body } = await client.exchange(back.address, codeVerifier);
    const claims = (await userinfo(server, body.access_token)) as Record<string, unknown>;
    assert.deepEqual(
      [claims["name"], claims["email"], claims["email_verified"], claims["locale"]],
      ["Grace Hopper", "grace@mail.example", true, "en"],
    );
    const events = await recordedEvents(server);
    const types = events.map(({ type }) => type);
    for (const type of ["sign_up.requested", "user.created", "session.created"]) {
      assert.ok(types.includes(type), type);
    }
    assert.doesNotMatch(JSON.stringify(events), new RegExp(goodPassword));
    assert.deepEqual(
      (await messagesTo(server, entered.email)).map(({ kind }) => kind),
      ["sign_up"],
    );
    await signedIn(server, { loginName: "grace@mail.example", password: goodPassword });
  });

  test("the message leads to where its code is entered; opening the link proves nothing, and only the right code does", async (t) => {
    const server = await start(t);
    const { browser, page } = await visit(server, await addClient(server), create);
    const asked = await browser.submit(page, entered);
    const [{ code = "", urlTemplate = "" } = {}] = await messagesTo(server, entered.email);
    const link = urlTemplate.replace("{{.Code}}", code);
    assert.ok(link.startsWith(`${server.origin}/ui/login/register/confirm?authRequest=`), link);
    const path = link.slice(server.origin.length);
    const shown = await browser.open(path);
    assert.match(shown.html, new RegExp(`value="${code}"`));
    assert.deepEqual(await findPeople(server, entered.email), [], "a scanner of mail opens links, too");
    const wrong = await browser.submit(asked, { code: "AAAAAA" });
    assert.match(wrong.alert ?? "", /not valid/);
    assert.match((await browser.submit(wrong, { code: "" })).alert ?? "", /not valid/);
    // Another user's browser, which did not sign up.
    const elsewhere = new TestBrowser(server);
    const stranger = await elsewhere.open(path);
    assert.match(stranger.title, /^Continue where you started/);
    assert.equal(stranger.forms.length, 0);
    const csrf = await elsewhere.open("/ui/login");
    const forms = [{ action: path, values: csrf.forms[0]?.values ?? [] }];
    assert.ok(!isBack(await elsewhere.submit({ ...csrf, forms }, { code })));
    assert.deepEqual(await findPeople(server, entered.email), [], "the code alone makes nobody's account");
    const back = await browser.submit(shown, { code: ` ${code.toLowerCase().slice(0, 3)}-${code.slice(3)}` });
    assert.ok(isBack(back), back.html);
    assert.match((await browser.open(path)).title, /^Continue where you started/, "once");
    assert.equal((await findPeople(server, entered.email)).length, 1);
  });

  test("some wrong codes end one, another can be asked for in a while, and an account does not wait forever", async (t) => {
    const server = await start(t);
    const { browser, page } = await visit(server, await addClient(server), create);
    let asked = await browser.submit(page, entered);
    const first = await codeTo(server, entered.email);
    for (let count = 0; count < 5; count++) asked = await browser.submit(asked, { code: "AAAAAA" });
    assert.match((await browser.submit(asked, { code: first })).alert ?? "", /not valid/, "guessed too often");
    const early = await browser.submit(asked, {}, { action: "/send" });
    assert.match(early.html, /Another code is on its way[\s\S]*data-wait="30"/, "and when the next one is sent");
    assert.match(early.html, /Another code is on its way/);
    assert.equal((await messagesTo(server, entered.email)).length, 1, "not so soon");
    server.clock.now += 31_000;
    const again = await browser.submit(early, {}, { action: "/send" });
    assert.equal((await messagesTo(server, entered.email)).length, 2);
    assert.match((await browser.submit(again, { code: first })).alert ?? "", /not valid/, "the former one is dead");
    server.clock.now += 61 * 60_000;
    const late = await browser.submit(again, { code: await codeTo(server, entered.email) });
    assert.ok(!isBack(late), late.html);
    assert.deepEqual(await findPeople(server, entered.email), []);
  });

  test("going back changes what was entered: the former code makes no user with another password", async (t) => {
    const server = await start(t);
    const { browser, page } = await visit(server, await addClient(server), create);
    await browser.submit(page, entered);
    const first = await codeTo(server, entered.email);
    const changed = await browser.open(page.address);
    assert.match(changed.html, /value="Hopper"/, "what was entered is still there");
    const other = "an entirely different sentence";
    const asked = await browser.submit(changed, { ...entered, password: other, new_password_repeated: other });
    assert.match((await browser.submit(asked, { code: first })).alert ?? "", /not valid/);
    server.clock.now += 31_000;
    const again = await browser.submit(asked, {}, { action: "/send" });
    assert.ok(isBack(await confirm(server, browser, again)));
    await signedIn(server, { loginName: entered.email, password: other });
  });

  test("the name page leads to it; without an application the account is signed in all the same", async (t) => {
    const server = await start(t);
    const browser = new TestBrowser(server);
    const first = await browser.open("/ui/login");
    const [, href = ""] = /href="(\/ui\/login\/register[^"]*)"/.exec(first.html) ?? [];
    const done = await confirm(server, browser, await browser.submit(await browser.open(href), entered));
    assert.equal(done.address, "/ui/login/signed-in", done.html);
    assert.match(done.html, /Grace Hopper/);
    const client = await addClient(server);
    assert.ok(isBack((await visit(server, client, {}, browser)).page));
    const again = await visit(server, client, create, browser);
    assert.match(again.page.title, /^Create your account/, "also for somebody who is signed in");
    const asked = await browser.submit(again.page, { ...entered, email: "other@mail.example" });
    const other = await confirm(server, browser, asked, "other@mail.example");
    assert.ok(isBack(other), other.html);
    assert.notEqual((await findPeople(server, "other@mail.example")).length, 0);
  });

  test("what is wrong is said at its field, and what was entered stays, but for the password", async (t) => {
    const server = await start(t);
    const { browser, page } = await visit(server, await addClient(server), create);
    const tries: [Record<string, string>, RegExp][] = [
      [{ given_name: " " }, /first name/],
      [{ family_name: "\u202Eevil" }, /visible characters/],
      [{ email: "grace@" }, /not an email address/],
      [{ password: "short", new_password_repeated: "short" }, /at least 12/],
      [{ password: "grace@mail.example", new_password_repeated: "grace@mail.example" }, /easy to guess/],
      [{ new_password_repeated: "other" }, /do not match/],
    ];
    for (const [change, sentence] of tries) {
      const answer = await browser.submit(page, { ...entered, ...change });
      assert.match(answer.alert ?? "", sentence, JSON.stringify(change));
      assert.match(answer.title, /^Error: Create your account/);
      assert.match(answer.html, /aria-invalid="true"/);
      if (change["family_name"] === undefined) assert.match(answer.html, /value="Hopper"/);
      assert.doesNotMatch(answer.html, new RegExp(goodPassword));
    }
    const weak = { password: "short", new_password_repeated: "short" };
    const several = await browser.submit(page, { ...entered, ...weak, given_name: "", email: "grace@" });
    for (const sentence of [/first name/, /not an email address/, /at least 12/]) {
      assert.match(several.alert ?? "", sentence, "all at once");
    }
    const nothing = await browser.submit(page, Object.fromEntries(Object.keys(entered).map((name) => [name, ""])));
    assert.equal(nothing.html.match(/aria-invalid="true"/g)?.length, 4);
    assert.deepEqual(await messagesTo(server, entered.email), []);
    assert.ok(isBack(await confirm(server, browser, await browser.submit(page, entered))));
  });

  both("where names are revealed the browser is signed in at once, and no taken name is accepted", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    const acme = await addOrganization(server, "Acme");
    await addPerson(server, { username: "ada" });
    for (const [organizationId, username, email] of [
      [await defaultOrganization(server), "bob@mail.example", "bob@mail.example"],
      [acme, "eve", "eve@home.example"],
      [acme, "fay@mail.example", "fay@mail.example"],
    ] as const) {
      const added = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId,
        username,
        human: { profile: { givenName: "Some", familyName: "Body" }, email: { email } },
      });
      assert.equal(added.status, 200, username);
    }
    const { browser, page } = await visit(server, await addClient(server), create);
    for (const email of [
      "ada@mail.example",
      "ADA@Mail.example",
      "bob@mail.example",
      "ada@doorward.localhost",
      "new@acme.localhost",
    ]) {
      const answer = await browser.submit(page, { ...entered, email });
      assert.match(answer.alert ?? "", /cannot be used for a new account/, email);
      assert.equal(answer.status, 200);
    }
    const back = await browser.submit(page, entered);
    assert.ok(isBack(back), back.html);
    const [message] = await messagesTo(server, entered.email);
    assert.equal(message?.kind, "email_verification");
    const own = await browser.open("/ui/login/verify-email");
    const done = await browser.submit(own, { code: message?.code ?? "" });
    assert.equal(done.address, "/ui/login/verify-email/done", done.html);
    for (const email of ["eve@home.example", "fay@mail.example"]) {
      const fresh = await visit(server, await addClient(server), create);
      const made = await fresh.browser.submit(fresh.page, { ...entered, email });
      assert.ok(isBack(made), `${email}: what others merely entered, or took as a name elsewhere, is no claim (A12)`);
    }
  });

  test("where it is not open the form is not there, and the application is told", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const open = await visit(server, client, create);
    for (const change of [{ allowRegister: false }, { allowRegister: true, allowLocalAuthentication: false }]) {
      await changeSettings(server, "login", change);
      const refused = await visit(server, client, create);
      assert.match(refused.page.address, /[?&]error=invalid_request&/);
      assert.match(refused.page.address, /[?&]state=s1&/);
      assert.ok(!(await promptsOf(server)).includes("create"));
      const { html } = await new TestBrowser(server).open("/ui/login");
      assert.doesNotMatch(html, /\/ui\/login\/register/);
      assert.match((await open.browser.open("/ui/login/register")).address, /^\/ui\/login\?/);
      const late = await open.browser.submit(open.page, entered);
      assert.match(late.title, /^Sign in/, "the form was open already");
      await changeSettings(server, "login", { allowRegister: true, allowLocalAuthentication: true });
      const { browser, page } = await visit(server, client, create);
      const email = `late-${Object.keys(change).length}@mail.example`;
      const asked = await browser.submit(page, { ...entered, email });
      await changeSettings(server, "login", change);
      assert.match((await confirm(server, browser, asked, email)).title, /^Sign in/, "the account was waiting already");
      assert.deepEqual(await findPeople(server, email), []);
    }
    assert.deepEqual(await findPeople(server, entered.email), []);
  });

  test("an organization that the request names has its own say, and gets the account", async (t) => {
    const server = await start(t);
    const acme = await addOrganization(server, "Acme");
    const client = await addClient(server);
    const scope = `openid urn:service:iam:org:id:${acme}`;
    await changeSettings(server, "login", { allowRegister: false }, acme);
    assert.match((await visit(server, client, { ...create, scope })).page.address, /error=invalid_request/);
    // Names belong to the whole instance: an organization tells no more of them than the instance does.
    await changeSettings(server, "login", { allowRegister: true, ignoreUnknownUsernames: false }, acme);
    await changeSettings(server, "login", { allowRegister: false });
    await changeSettings(server, "password_complexity", { minLength: 20 }, acme);
    const { browser, page } = await visit(server, client, { ...create, scope });
    assert.match(page.html, /at least 20 characters/);
    const back = await confirm(server, browser, await browser.submit(page, entered));
    assert.ok(isBack(back), back.html);
    assert.deepEqual(
      (await findPeople(server, entered.email)).map(({ organizationId }) => organizationId),
      [acme],
    );
    assert.notEqual(acme, await defaultOrganization(server));
  });

  both("a form that is sent twice makes one account, and leads back", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const { browser, page, authRequestId } = await visit(server, client, create);
    const tab = browser.copy();
    const [asked, same] = await Promise.all([browser.submit(page, entered), tab.submit(page, entered)]);
    assert.ok(isAsked(asked) && isAsked(same));
    const code = await codeTo(server, entered.email);
    const ends = await Promise.all([browser.submit(asked, { code }), tab.submit(same, { code })]);
    // The browser belongs to the last answer; the other one was overtaken.
    assert.ok(ends.some(isBack), ends.map(({ title }) => title).join("\n"));
    assert.equal((await findPeople(server, entered.email)).length, 1);
    assert.ok(!isBack(await tab.open(`/oauth/v2/authorize/callback?id=${authRequestId}`)), "answered once");
  });

  test("an expected user has an account; a request of another browser is ignored", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const first = await visit(server, client);
    const { body } = await client.exchange((await enter(first, ada)).address, first.codeVerifier);
    const expected = await visit(server, client, { ...create, id_token_hint: body.id_token });
    assert.match(expected.page.title, /^Sign in/);
    assert.doesNotMatch(expected.page.html, /\/ui\/login\/register/);
    const { page } = await visit(server, client, create);
    const stranger = new TestBrowser(server);
    await stranger.open("/ui/login");
    const stolen: ShownPage = await stranger.open(page.address);
    assert.match(stolen.title, /This sign-in has expired/);
    await stranger.submit(await stranger.open("/ui/login/register"), entered, {
      headers: { origin: "https://evil.example" },
    });
    assert.deepEqual(await findPeople(server, entered.email), []);
  });
});

test("names can be tried out only so often from one source", async (t) => {
  const rateLimits = { authorization: 0, token: 0, introspection: 0, login: 0, signUp: 3, registration: 0, keys: 0 };
  const server = await startServer(t, { config: { rateLimits } });
  await changeSettings(server, "login", { ignoreUnknownUsernames: false });
  await addPerson(server, { username: "ada" });
  const { browser, page } = await visit(server, await addClient(server), create);
  const guess = () => browser.submit(page, { ...entered, email: "ada@mail.example" });
  for (let count = 0; count < 3; count++) assert.match((await guess()).alert ?? "", /cannot be used/);
  const refused = await guess();
  assert.equal(refused.status, 429);
  assert.match(refused.title, /Too many attempts/);
  server.clock.now += 20_000;
  assert.equal((await guess()).status, 200);
});
