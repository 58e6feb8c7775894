import assert from "node:assert/strict";
import { minutes } from "../../src/base/clock.ts";
import { addOrganization, addPerson, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, isBack, requestIn, signedIn, visit } from "./support/sign-in.ts";

serversInTurn((start, test) => {
  test("a user signs in to an application: name, password, and back with a code that gives tokens", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page, codeVerifier } = await visit(server, client);
    assert.match(page.title, /^Sign in/);
    assert.match(page.html, /Shop/);
    const password = await browser.submit(page, { login_name: ada.loginName });
    assert.match(password.title, /^Enter your password/);
    assert.match(password.html, /autocomplete="current-password"/);
    const back = await browser.submit(password, { password: goodPassword });
    assert.ok(isBack(back), back.html);
    assert.equal(new URL(back.address).searchParams.get("state"), "s1");
    const { status, body } = await client.exchange(back.address, codeVerifier);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.id_token);
  });

  test("a second application takes the session of the browser without a question; prompt and max_age ask again", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    server.clock.now += 60_000;
    assert.ok(isBack((await visit(server, client, {}, browser)).page));
    assert.ok(isBack((await visit(server, client, { max_age: "60" }, browser)).page));
    for (const parameters of [{ prompt: "login" }, { max_age: "59" }]) {
      const again = await visit(server, client, parameters, browser);
      assert.match(again.page.title, /^Sign in/, JSON.stringify(parameters));
      assert.ok(isBack(await enter(again, ada)));
      server.clock.now += 60_000;
    }
    const none = await visit(server, client, { prompt: "none", max_age: "1" }, browser);
    assert.match(none.page.address, /error=login_required/);
  });

  test("prompt=login cannot be answered with a session from before, by whatever page", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    server.clock.now += 1000;
    const { page, authRequestId } = await visit(server, client, { prompt: "login" }, browser);
    const accounts = await browser.open(`/ui/login/accounts?authRequest=${authRequestId}`);
    assert.match(accounts.html, /Signed out/);
    const named = await browser.submit(accounts, {}, { action: "/ui/login/accounts" });
    assert.match(named.title, /^Enter your password/);
    const forced = await browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
    assert.match(forced.address, /^\/ui\/login\?/);
    assert.ok(page);
  });

  test("the name that the application hints at is filled in; it is kept from step to step", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const { browser, page } = await visit(server, client, { login_hint: "ada@doorward.localhost" });
    assert.match(page.html, /value="ada@doorward\.localhost"/);
    const password = await browser.submit(page, { login_name: "  AdA@doorward.localhost " });
    assert.match(password.html, />AdA@doorward\.localhost</, "as it was typed");
    const changed = await browser.open(
      /href="(\/ui\/login\?[^"]*)"/.exec(password.html)?.[1]?.replace("&amp;", "&") ?? "",
    );
    assert.match(changed.html, /value="AdA@doorward\.localhost"/);
    const empty = await browser.submit(changed, { login_name: "" });
    assert.equal(empty.alert, "Enter your email or username.");
    assert.match(empty.title, /^Error: Sign in/);
  });

  test("a request for one organization takes only its users", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob", organizationId });
    const client = await addClient(server);
    const scope = `openid urn:service:iam:org:id:${organizationId}`;
    const browser = await signedIn(server, ada);
    const visitor = await visit(server, client, { scope }, browser);
    assert.match(visitor.page.title, /^Sign in/, "the session of another organization does not do");
    const refused = await enter(visitor, ada);
    assert.match(refused.alert ?? "", /wrong/);
    assert.ok(isBack(await enter({ browser, page: await browser.open(visitor.page.address) }, bob)));

    // The same by its primary domain, however that is written.
    const organizations = "service.org.v2.OrganizationService";
    const domainOf = async (id: string): Promise<string> => {
      const { body } = await server.connect(`${organizations}/ListOrganizations`, {});
      return body.result.find((one: { id: string; primaryDomain: string }) => one.id === id).primaryDomain;
    };
    const [domain, own] = await Promise.all([organizationId, ada.organizationId].map(domainOf));
    assert.ok(domain && own);
    const byDomain = (name: string): string => `urn:service:iam:org:domain:primary:${name}`;
    const byId = (id: string): string => `urn:service:iam:org:id:${id}`;
    for (const scopes of [[byDomain(domain.toUpperCase())], [byDomain(domain), byId(organizationId)]]) {
      const restricted = await visit(server, client, { scope: `openid ${scopes.join(" ")}` });
      assert.match((await enter(restricted, ada)).alert ?? "", /wrong/, scopes.join());
      const page = await restricted.browser.open(restricted.page.address);
      assert.ok(isBack(await enter({ browser: restricted.browser, page }, bob)), scopes.join());
    }
    const second = { organizationId, domain: "second.example" };
    assert.equal((await server.connect(`${organizations}/AddOrganizationDomain`, second)).status, 200);
    const closedId = await addOrganization(server, "Closed");
    const closed = byDomain(await domainOf(closedId));
    await server.connect(`${organizations}/DeactivateOrganization`, { organizationId: closedId });
    const nobody: Readonly<Record<string, readonly string[]>> = {
      "no such domain": [byDomain("nowhere.example")],
      "no such id": [byId("404")],
      "no domain at all": [byDomain("")],
      "no id at all": [byId("")],
      "a domain that is not the primary one": [byDomain(second.domain)],
      "two by domain": [byDomain(domain), byDomain(own)],
      "two by id": [byId(organizationId), byId(ada.organizationId)],
      "one by id, another by domain": [byId(organizationId), byDomain(own)],
      "one, and none": [byId(organizationId), byDomain("nowhere.example")],
      "one that is switched off": [closed],
    };
    for (const [what, scopes] of Object.entries(nobody)) {
      const { page } = await visit(server, client, { scope: ["openid", ...scopes].join(" ") }, browser);
      assert.ok(page.address.startsWith(`${redirectUri}?`), `${what}: ${page.address}`);
      const { searchParams } = new URL(page.address);
      assert.deepEqual([searchParams.get("error"), searchParams.get("state")], ["invalid_scope", "s1"], what);
    }
  });

  test("without an application the user is told so, or sent where the settings say", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    const page = await browser.open("/ui/login");
    assert.equal(page.address, "/ui/login/signed-in");
    assert.match(page.html, /ada/);
    await changeSettings(server, "login", { defaultRedirectUri: "https://portal.example/home" });
    const other = new TestBrowser(server);
    const led = await enter({ browser: other, page: await other.open("/ui/login") }, ada);
    assert.equal(led.address, "https://portal.example/home");
  });

  test("a password check counts as long as the login settings say by now", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    server.clock.now += 3_600_000;
    assert.ok(isBack((await visit(server, client, {}, browser)).page));
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 1800 });
    const visitor = await visit(server, client, {}, browser);
    assert.match(visitor.page.title, /^Sign in/);
    await changeSettings(server, "login", { passwordCheckLifetimeSeconds: 0 });
    assert.ok(isBack(await enter(visitor, ada)), "even with no lifetime at all people get where they want");
    server.clock.now += 61_000;
    assert.match((await visit(server, client, {}, browser)).page.title, /^Sign in/);
  });

  test("back, reload, a second tab and an answered request are never a dead end", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page, authRequestId } = await visit(server, client);
    const second = await visit(server, client, {}, browser);
    const password = await browser.submit(page, { login_name: ada.loginName });
    assert.match((await browser.open(password.address)).title, /^Enter your password/, "reload");
    assert.match(
      (await browser.submit(page, { login_name: ada.loginName })).title,
      /^Enter your password/,
      "back, again",
    );
    assert.ok(isBack(await browser.submit(password, { password: ada.password })));
    const sentAgain = await browser.submit(password, { password: ada.password });
    assert.match(sentAgain.title, /This sign-in has expired/);
    assert.match(sentAgain.html, /href="\/"/, "with a way on");
    // The second tab still shows the form from before the sign-in.
    const continued = await browser.submit(second.page, { login_name: ada.loginName });
    assert.match(continued.title, /^Continue to Shop/);
    const third = await visit(server, client, { prompt: "login" });
    const asked = await third.browser.submit(third.page, { login_name: ada.loginName });
    await signedIn(server, ada, third.browser);
    const noticed = await third.browser.submit(asked, { password: "whatever is typed into the old form" });
    assert.match(noticed.title, /^Continue to Shop/);
    assert.ok(isBack(await third.browser.submit(noticed)));
    assert.ok(isBack(await browser.submit(continued)));
    assert.equal(requestIn(page.address), authRequestId);
    // An application that says where a sign-in begins is where it begins again, in the browser that came from it.
    const launched = await addClient(server, { initiateLoginUri: "https://shop.example/start?x=1" });
    const old = await visit(server, launched, { login_hint: "ada@x y" });
    const stranger = new TestBrowser(server);
    await stranger.open("/ui/login");
    server.clock.now += minutes(31);
    const gone = await old.browser.submit(old.page, { login_name: ada.loginName });
    const query = `x=1&amp;iss=${encodeURIComponent(server.origin)}&amp;login_hint=ada%40x+y`;
    assert.ok(gone.html.includes(`href="https://shop.example/start?${query}">Back to Shop`), gone.html);
    const told = await stranger.open(old.page.address);
    assert.match(told.title, /This sign-in has expired/);
    assert.doesNotMatch(told.html, /Shop/, "of another browser's request nothing is told");
  });
});
