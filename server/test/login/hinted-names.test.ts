import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { bodyAt, openOptions } from "../identity-provider/trusted.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { addKeyedClient, pushRequest, requestOf } from "./support/keyed-client.ts";
import { asksAboutEvil, prepareAccount } from "./support/prepared-account.ts";
import { enter, isBack, visit } from "./support/sign-in.ts";
import { grace } from "./support/sign-up.ts";

async function setUp(start: Start, t: TestContext, settings: object = { ignoreUnknownUsernames: false }) {
  const prepared = await prepareAccount(start, t, settings);
  const { server } = prepared;
  const named = async (client: SignInClient, name: string, parameters: Record<string, string>) => {
    const { browser, page } = await visit(server, client, parameters);
    return { browser, page, next: await browser.submit(page, { login_name: name }, { action: "/ui/login" }) };
  };
  return { ...prepared, named };
}

/** The domain of an organization's login names. */
const domainOf = ({ plain }: { plain: { loginName: string } }): string => plain.loginName.split("@")[1] ?? "";

serversInTurn((start, test) => {
  for (const ignoreUnknownUsernames of [true, false]) {
    test(`a name that a link filled in lets the word of no organization count (A16, names hidden: ${ignoreUnknownUsernames})`, async (t) => {
      const { server, evil, pass, homeOf, accountOf, named } = await setUp(start, t, { ignoreUnknownUsernames });
      const only = { allowLocalAuthentication: false, allowExternalIdp: true };
      await changeSettings(server, "login", only, evil.organizationId);
      const [client, home] = [await addClient(server), await defaultOrganization(server)];
      const { loginName } = evil.plain;
      const dressed = `vera@mail.example@${domainOf(evil)}`;
      // As browsers send what a link wrote: without line breaks.
      const hints = [
        loginName,
        ` ${loginName.toUpperCase()} `,
        dressed,
        `${loginName.slice(0, -3)}\r\n${loginName.slice(-3)}`,
      ];
      for (const [index, login_hint] of hints.entries()) {
        const sent = login_hint.replaceAll(/[\r\n]/g, "").trim();
        const known = await named(client, sent, { login_hint });
        await pass(known.browser, known.next, "42");
        assert.doesNotMatch(await accountOf(known.browser), /evil/i, sent);
        const unknown = await named(client, sent, { login_hint });
        assert.ok(isBack(await pass(unknown.browser, unknown.next, `new-${index}`)), sent);
        assert.equal(await homeOf(`new-${index}`), home, sent);
      }

      for (const login_hint of [undefined, "vera@mail.example"]) {
        const hint = login_hint === undefined ? {} : { login_hint };
        const typed = await named(client, loginName, hint);
        const sub = `typed-${login_hint?.length}`;
        assert.ok(isBack(await pass(typed.browser, typed.next, sub)));
        assert.equal(await homeOf(sub), evil.organizationId, "a name that the user typed");
      }
    });
  }

  test("beside a scope, a name that a link filled in is no answer to the question (A16)", async (t) => {
    const { server, trust, provider, evil, scope, pass, homeOf, accountOf, named } = await setUp(start, t);
    const client = await addClient(server);
    const login_hint = evil.plain.loginName;
    const compare = async (sub: string, at?: string) => {
      const hinted = await named(client, login_hint, { scope, login_hint });
      const page = await hinted.browser.open(hinted.page.address);
      if (at !== undefined) assert.doesNotMatch(page.html, /Your password is not valid/);
      assert.ok(asksAboutEvil(await pass(hinted.browser, page, sub, at)), sub);
      assert.equal(await accountOf(hinted.browser), "", "nobody is signed in");
      assert.equal(await homeOf(sub), undefined);

      const typed = await named(client, login_hint, { scope });
      const said = await typed.browser.open(typed.page.address);
      if (at !== undefined) assert.match(said.html, /Your password is not valid/);
      assert.ok(isBack(await pass(typed.browser, said, `${sub}-typed`, at)), "a name that the user typed");
    };
    await compare("42");
    await compare("new");
    const words = { ...bodyAt(provider, { ...openOptions, isAutoCreation: true }), name: "Your password is not valid" };
    await compare("own", await trust.addTo(evil.organizationId, evil.owner.token, words));
    const { browser, page } = await visit(server, client, { scope, login_hint });
    assert.ok(isBack(await enter({ browser, page }, evil.plain)), "a password proves the name");
    assert.match(await accountOf(browser), /evil/i);
  });

  test("a name that a link filled in neither registers users in its organization nor brings its words (A16)", async (t) => {
    const settings = { ignoreUnknownUsernames: false, allowRegister: true };
    const { server, evil, homeOf, named } = await setUp(start, t, settings);
    await changeSettings(server, "login", { ...settings, identityProviderIds: [] }, evil.organizationId);
    const links = { tosLink: "https://evil.example/tos", helpLink: "https://evil.example/help" };
    const headers = { "x-service-orgid": evil.organizationId };
    const by = { token: evil.owner.token, headers, body: links };
    assert.equal((await server.rest("POST", "/management/v1/policies/privacy", by)).status, 200);
    const client = await addClient(server);
    const register = async (sub: string, name: string, parameters: Record<string, string>) => {
      const { browser, next } = await named(client, name, parameters);
      const at = next.address.replace(/\/ui\/login(\/password)?\?/, "/ui/login/register?");
      const form = await browser.open(at);
      await browser.submit(form, { ...grace, email: `${sub}@mail.example` });
      return { home: await homeOf(sub), hasWords: /evil\.example/.test(next.html) };
    };
    const [known, unknown] = [evil.plain.loginName, `vera@mail.example@${domainOf(evil)}`];
    const home = await defaultOrganization(server);
    assert.deepEqual(await register("a", unknown, { login_hint: unknown }), { home, hasWords: false });
    assert.deepEqual(await register("b", known, { login_hint: known }), { home, hasWords: false });
    assert.deepEqual(await register("c", unknown, {}), { home: evil.organizationId, hasWords: false });
    assert.deepEqual(await register("d", known, {}), { home, hasWords: true }, "an address that does not register");
  });

  test("a hint counts at an application of the organization, and as the word of an authenticated client", async (t) => {
    const { server, evil, pass, homeOf } = await setUp(start, t);
    await changeSettings(server, "login", { allowLocalAuthentication: false }, evil.organizationId);
    const login_hint = `continue@${domainOf(evil)}`;
    const granted = await addClient(server);
    const grant = { projectId: granted.projectId, grantedOrganizationId: evil.organizationId };
    assert.equal((await server.connect("service.project.v2.ProjectService/CreateProjectGrant", grant)).status, 200);
    const { client: keyed, proof, sign } = await addKeyedClient(server);
    const bare = await addClient(server);
    const hinted = (client: SignInClient) => requestOf(server, client, { login_hint });
    const push = async (client: SignInClient, by = {}) => ({
      ...(await pushRequest(server, hinted(client), by)),
      login_hint,
    });
    const ofEvil = await addClient(server, {}, "Own", evil.organizationId);
    const cases = {
      own: [hinted(ofEvil), true],
      granted: [hinted(granted), true],
      pushed: [await push(keyed, proof), true],
      pushedbypublic: [await push(bare), false],
      signed: [{ client_id: keyed.clientId, request: sign(hinted(keyed)) }, true],
      neither: [hinted(keyed), false],
    } as const;
    const home = await defaultOrganization(server);
    for (const [name, [query, counts]] of Object.entries(cases)) {
      const browser = new TestBrowser(server);
      const page = await browser.open(`/oauth/v2/authorize?${new URLSearchParams(query)}`);
      const next = await browser.submit(page, { login_name: login_hint }, { action: "/ui/login" });
      await pass(browser, next, name);
      assert.equal(await homeOf(name), counts ? evil.organizationId : home, name);
    }
  });
});
