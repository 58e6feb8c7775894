import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { addStaff, createTrust } from "../identity-provider/trusted.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { addKeyedClient, pushRequest, requestOf } from "./support/keyed-client.ts";
import { asksAboutEvil, prepareAccount, questionAboutEvil } from "./support/prepared-account.ts";
import { enter, isBack, visit } from "./support/sign-in.ts";
import { grace } from "./support/sign-up.ts";

// An application of another organization asks for consent as well.
const isConsent = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/consent");

async function setUp(start: Start, t: TestContext) {
  const prepared = await prepareAccount(start, t, { allowRegister: true, ignoreUnknownUsernames: false });
  const { server, scope, pass } = prepared;
  const bank = await addStaff(server, "bank");
  const through = async (client: SignInClient, sub: string, parameters: Record<string, string> = { scope }) => {
    const { browser, page } = await visit(server, client, parameters);
    return { browser, page: await pass(browser, page, sub) };
  };
  return { ...prepared, bank, through };
}

serversInTurn((start, test) => {
  test("before a scope alone makes the word of an organization count, the user is asked", async (t) => {
    const { server, evil, bank, through, homeOf, accountOf } = await setUp(start, t);
    const only = { allowLocalAuthentication: false, allowExternalIdp: true };
    await changeSettings(server, "login", only, evil.organizationId);
    const clients = { home: await addClient(server), bank: await addClient(server, {}, "Bank", bank.organizationId) };
    for (const [owner, client] of Object.entries(clients)) {
      const known = await through(client, "42");
      assert.ok(asksAboutEvil(known.page), `${owner}: ${known.page.address}`);
      assert.match(known.page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      assert.equal(await accountOf(known.browser), "", "nobody is signed in");
      const agreed = await known.browser.submit(known.page, {}, { action: "/ui/login/external" });
      assert.ok(owner === "home" ? isBack(agreed) : isConsent(agreed), agreed.html);
      assert.ok((await accountOf(known.browser)).includes(evil.plain.loginName));

      const sub = `new-${owner}`;
      const unknown = await through(client, sub);
      assert.ok(asksAboutEvil(unknown.page), `${owner}: ${unknown.page.address}`);
      assert.equal(await homeOf(sub), undefined);
      await unknown.browser.submit(unknown.page, {}, { action: "/ui/login/external" });
      assert.equal(await homeOf(sub), evil.organizationId);
    }
    const without = await through(clients.home, "plain", {});
    assert.ok(isBack(without.page), without.page.html);
    assert.equal(await homeOf("plain"), await defaultOrganization(server));
  });

  test("users of an organization sign in with its scope by what is theirs", async (t) => {
    const { server, evil, scope, pass, through, accountOf } = await setUp(start, t);
    const client = await addClient(server);
    assert.ok(isBack(await enter(await visit(server, client, { scope }), evil.plain)), "by a password");
    const { browser, page } = await visit(server, client, { scope });
    await browser.submit(page, { login_name: evil.plain.loginName }, { action: "/ui/login" });
    assert.ok(isBack(await pass(browser, page, "42")), "the entered name is of that organization");
    // A user who was created by the provider has proven the account.
    const made = await through(client, "own");
    assert.ok(isBack(await made.browser.submit(made.page, {}, { action: "/ui/login/external" })));
    const again = await through(client, "own");
    assert.ok(isBack(again.page), again.page.html);
    assert.match(await accountOf(again.browser), /own@mail\.example/);
  });

  test("a name that the organization gave a user of its own is no answer to the question (A16)", async (t) => {
    const { server, idp, evil, bank, scope, pass, homeOf, accountOf } = await setUp(start, t);
    const client = await addClient(server, {}, "Bank", bank.organizationId);
    const owner = { token: evil.owner.token };
    const email = { email: "vera@mail.example", isVerified: true };
    const profile = { givenName: "Vera", familyName: "New" };
    const organization = { orgId: evil.organizationId };
    const decoy = { organization, username: "decoy", profile, email };
    const made = await server.rest("POST", "/v2/users/human", { ...owner, body: decoy });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal(await createTrust(server).link(made.body.userId, idp, "vera", evil.owner.token), "200");
    const links = { tosLink: "https://evil.example/tos", helpLink: "https://evil.example/help" };
    const headers = { "x-service-orgid": evil.organizationId };
    const said = await server.rest("POST", "/management/v1/policies/privacy", { ...owner, headers, body: links });
    assert.equal(said.status, 200, JSON.stringify(said.body));
    for (const name of ["vera@mail.example", "decoy"]) {
      const { browser, page } = await visit(server, client, { scope, login_hint: name });
      const next = await browser.submit(page, { login_name: name }, { action: "/ui/login" });
      assert.ok(next.address.startsWith("/ui/login/password"), next.address);
      assert.doesNotMatch(next.html, /evil\.example/, "words of the organization");
      const form = await browser.open(page.address.replace("/ui/login?", "/ui/login/register?"));
      assert.match(form.html, questionAboutEvil);
      assert.ok(asksAboutEvil(await pass(browser, page, "vera")), name);
      assert.equal(await accountOf(browser), "", "nobody is signed in");
      const newcomer = `new-${name.length}`;
      assert.ok(asksAboutEvil(await pass(browser, page, newcomer)), name);
      assert.equal(await homeOf(newcomer), undefined);
    }
    // A name in a domain that the organization has proven is its own.
    const { browser, page } = await visit(server, client, { scope });
    const next = await browser.submit(page, { login_name: evil.plain.loginName }, { action: "/ui/login" });
    assert.match(next.html, /evil\.example/);
    assert.ok(isConsent(await pass(browser, page, "42")));
  });

  test("an application that serves the organization asks nothing", async (t) => {
    const { server, evil, through, homeOf, scope } = await setUp(start, t);
    const own = await addClient(server, {}, "Own", evil.organizationId);
    const granted = await addClient(server);
    const grant = { projectId: granted.projectId, grantedOrganizationId: evil.organizationId };
    const made = await server.connect("service.project.v2.ProjectService/CreateProjectGrant", grant);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    for (const [name, client] of Object.entries({ own, granted })) {
      assert.ok(isBack((await through(client, "42")).page), name);
      assert.ok(isBack((await through(client, name)).page), name);
      assert.equal(await homeOf(name), evil.organizationId);
      const { browser, page } = await visit(server, client, { scope });
      const form = await browser.open(page.address.replace("/ui/login?", "/ui/login/register?"));
      assert.doesNotMatch(form.html, questionAboutEvil);
      await browser.submit(form, { ...grace, email: `form-${name}@mail.example` });
      assert.equal(await homeOf(`form-${name}`), evil.organizationId);
    }
  });

  test("a scope that the client pushed or signed is its own word", async (t) => {
    const { server, scope, pass } = await setUp(start, t);
    const { client: keyed, proof, sign } = await addKeyedClient(server);
    const bare = await addClient(server);
    const scoped = (client: SignInClient) => requestOf(server, client, { scope });
    const { scope: _, ...unscoped } = scoped(keyed);
    const cases = {
      pushed: [await pushRequest(server, scoped(keyed), proof), true],
      "pushed by a public client": [await pushRequest(server, scoped(bare)), false],
      signed: [{ client_id: keyed.clientId, request: sign(scoped(keyed)) }, true],
      "signed, with the scope beside it": [{ client_id: keyed.clientId, scope, request: sign(unscoped) }, false],
      "neither pushed nor signed": [scoped(keyed), false],
    } as const;
    for (const [name, [query, isItsWord]] of Object.entries(cases)) {
      const browser = new TestBrowser(server);
      const page = await browser.open(`/oauth/v2/authorize?${new URLSearchParams(query)}`);
      const end = await pass(browser, page, "42");
      assert.deepEqual([isBack(end), asksAboutEvil(end)], [isItsWord, !isItsWord], `${name}: ${end.address}`);
    }
  });
});
