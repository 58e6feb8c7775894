import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { addStaff, bodyAt, createTrust, linkingOptions, openOptions } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, isBack, visit } from "./support/sign-in.ts";

const question = /The organization <strong><bdi>evil<\/bdi><\/strong> manages your account/;
const isAsked = ({ address, html }: ShownPage): boolean =>
  address.startsWith("/ui/login/external") && question.test(html);

const words = "the new sign-in of Bank. Your password is not valid any more";

const username = "call +41 79 111 22 33 first";

/** An organization with a provider of its own, where account 42 is its user's. */
async function setUp(start: Start, t: TestContext, options: object = { ...openOptions, isAutoCreation: true }) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const trust = createTrust(server);
  const evil = await addStaff(server, "evil");
  const body = { ...bodyAt(provider, options), name: words };
  const idp = await trust.addTo(evil.organizationId, evil.owner.token, body);
  assert.equal(await trust.link(evil.plain.userId, idp, "42", evil.owner.token), "200");
  const scope = `openid urn:service:iam:org:id:${evil.organizationId}`;
  const pass = async (browser: TestBrowser, page: ShownPage, sub = "42", email = `${sub}@mail.example`) => {
    const profile = { given_name: "Vera", family_name: "New", preferred_username: username };
    provider.user = { sub, ...profile, email, email_verified: true };
    const away = await browser.submit(page, { provider: idp }, { action: "/ui/login/provider" });
    assert.ok(away.address.startsWith(provider.issuer), away.address);
    const back = provider.signIn(away.address);
    return browser.open(back.pathname + back.search);
  };
  const accountOf = async (browser: TestBrowser): Promise<string> => {
    const { address, html } = await browser.open("/ui/account");
    return address.startsWith("/ui/account") ? html : "";
  };
  const at = async (client: SignInClient, parameters: Record<string, string>, name?: string) => {
    const { browser, page } = await visit(server, client, parameters);
    if (name !== undefined) await browser.submit(page, { login_name: name }, { action: "/ui/login" });
    return { browser, page };
  };
  const offerAnother = async () => {
    const other = await trust.addTo(evil.organizationId, evil.owner.token, body);
    await changeSettings(server, "login", { identityProviderIds: [idp, other] }, evil.organizationId);
  };
  return { server, evil, scope, pass, accountOf, at, offerAnother };
}

serversInTurn((start, test) => {
  test("a stranger's own provider signs in through a link only after the question (A16)", async (t) => {
    const { server, evil, scope, pass, accountOf, at } = await setUp(start, t);
    const client = await addClient(server);
    const led = async () => {
      const { browser, page } = await at(client, {});
      return { browser, page: await browser.open(`${page.address}&organization=${evil.organizationId}`) };
    };
    const pages = async () => {
      const browser = new TestBrowser(server);
      return { browser, page: await browser.open(`/ui/login?organization=${evil.organizationId}&goal=account`) };
    };
    const starts = { scope: () => at(client, { scope }), address: led, "no application": pages };
    for (const [start, go] of Object.entries(starts)) {
      const known = await go();
      const asked = await pass(known.browser, known.page);
      assert.ok(isAsked(asked), `${start}: ${asked.address}`);
      assert.equal(await accountOf(known.browser), "", "nobody is signed in");
      await known.browser.submit(asked, {}, { action: "/ui/login/external" });
      assert.ok((await accountOf(known.browser)).includes(evil.plain.loginName), start);

      const unknown = await go();
      const newcomer = await pass(unknown.browser, unknown.page, `new-${start.length}`);
      assert.ok(isAsked(newcomer), `${start}: ${newcomer.address}`);
      assert.equal(await accountOf(unknown.browser), "");
    }
    const own = await at(await addClient(server, {}, "Own", evil.organizationId), { scope });
    assert.ok(isBack(await pass(own.browser, own.page)), "an application of the organization");
    const named = await at(client, { scope }, evil.plain.loginName);
    assert.ok(isBack(await pass(named.browser, named.page)), "a name in its domain");
  });

  test("a link puts no name of a stranger's provider on a page (A16)", async (t) => {
    const { server, evil, scope, pass, at, offerAnother } = await setUp(start, t);
    const client = await addClient(server);
    const isSaid = ({ html }: ShownPage): boolean => html.includes(words);
    const { browser, page } = await at(client, { scope });
    assert.match(page.html, /Continue with the identity provider</);
    assert.ok(!isSaid(page), "the first page");
    const asking = await pass(browser, page);
    assert.ok(!isSaid(asking), "the question");
    assert.match(asking.html, /You signed in at <bdi>the identity provider<\/bdi>\.</);
    const plain = await at(client, {});
    const led = await plain.browser.open(`${plain.page.address}&organization=${evil.organizationId}`);
    assert.ok(!isSaid(led), "the address");
    const twice = await at(client, { scope }, `${evil.plain.loginName.split("@")[0]}`);
    assert.ok(!isSaid(await twice.browser.open(twice.page.address)), "a name that its user has");
    const own = await at(await addClient(server, {}, "Own", evil.organizationId), { scope });
    assert.ok(isSaid(own.page), "an application of the organization");
    const named = await at(client, { scope }, evil.plain.loginName);
    assert.ok(isSaid(await named.browser.open(named.page.address)), "a name in its domain");
    await offerAnother();
    const several = await at(client, { scope });
    assert.match(several.page.html, /Continue with identity provider 1<.*Continue with identity provider 2</s);
  });

  test("a link puts no username at a stranger's provider on a page either (A16)", async (t) => {
    const { server, evil, scope, pass, at } = await setUp(start, t, openOptions);
    const ofEvil = await addPerson(server, { username: "vera", organizationId: evil.organizationId });
    const other = await addPerson(server, { username: "nina" });
    const isSaid = ({ html }: ShownPage): boolean => html.includes(words) || html.includes(username);
    const client = await addClient(server);
    const own = await addClient(server, {}, "Own", evil.organizationId);
    /** Signs in at the provider and then here; returns on which pages the names are. */
    const link = async ({ browser, page }: { browser: TestBrowser; page: ShownPage }, person: Person) => {
      const asking = await pass(browser, page, "43");
      assert.ok(asking.address.startsWith("/ui/login/external"), asking.address);
      const linking = await browser.submit(asking, {}, { action: "/ui/login/external/existing" });
      assert.ok(linking.address.startsWith("/ui/login?"), linking.address);
      assert.match(linking.html, /Sign in with the account that you want to link to/);
      const deciding = await enter({ browser, page: linking }, person);
      assert.ok(deciding.address.startsWith("/ui/login/external/link"), deciding.address);
      return { asking: isSaid(asking), linking: isSaid(linking), deciding: isSaid(deciding) };
    };
    const nowhere = { asking: false, linking: false, deciding: false };
    const everywhere = { asking: true, linking: true, deciding: true };
    const plain = await at(client, {});
    const led = await plain.browser.open(`${plain.page.address}&organization=${evil.organizationId}`);
    assert.deepEqual(await link({ browser: plain.browser, page: led }, other), nowhere, "the address of a page");
    const scoped = await at(client, { scope });
    assert.deepEqual(await link(scoped, ofEvil), { ...nowhere, deciding: true }, "a user of the organization");
    assert.deepEqual(await link(await at(own, { scope }), ofEvil), everywhere, "an application of the organization");
  });

  test("an account that a stranger's provider would match by its address is asked about (A16)", async (t) => {
    const { server, evil, scope, pass, accountOf, at } = await setUp(start, t, {
      ...linkingOptions,
      isAutoCreation: true,
    });
    const email = { email: "vera@mail.example", isVerified: true };
    const organization = { orgId: evil.organizationId };
    const profile = { givenName: "Vera", familyName: "New" };
    const body = { organization, username: "decoy", profile, email };
    const made = await server.rest("POST", "/v2/users/human", { body, token: evil.owner.token });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { browser, page } = await at(await addClient(server), { scope });
    const asked = await pass(browser, page, "vera", email.email);
    assert.ok(isAsked(asked), asked.html);
    assert.equal(await accountOf(browser), "");
    const own = await at(await addClient(server, {}, "Own", evil.organizationId), { scope });
    assert.ok(isBack(await pass(own.browser, own.page, "vera", email.email)));
  });
});
