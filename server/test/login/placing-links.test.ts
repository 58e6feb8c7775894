import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { knowProvider } from "../identity-provider/attempts.ts";
import { addStaff, createTrust, isIn } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addServiceAccount } from "../support/people/owners.ts";
import { addOrganization, appoint, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { visit } from "./support/sign-in.ts";
import { grace } from "./support/sign-up.ts";

const domain = "acme.example";

/** An instance where people register themselves, with a provider that creates users without asking. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
  await changeSettings(server, "login", {
    identityProviderIds: [idp],
    allowRegister: true,
    allowDomainDiscovery: true,
    ignoreUnknownUsernames: false,
  });
  const [home, acme, evil] = [
    await defaultOrganization(server),
    await addOrganization(server, "Acme"),
    await addOrganization(server, "Evil"),
  ];
  // An administrator of the instance vouches for the domain.
  await changeSettings(server, "domain", { requireOrganizationDomainProof: false });
  const claim = await server.rest("POST", "/management/v1/orgs/me/domains", {
    body: { domain },
    headers: { "x-service-orgid": acme },
  });
  assert.equal(claim.status, 200, JSON.stringify(claim.body));
  const client = await addClient(server);
  const organizationOf = async (emailAddress: string): Promise<string | undefined> =>
    (await server.rest("POST", "/v2/users", { body: { queries: [{ emailQuery: { emailAddress } }] } })).body.result?.[0]
      ?.details.resourceOwner;
  let count = 0;
  /** Goes on from a page by the provider, as a user whom it has not sent before; returns where they have an account. */
  const through = async (browser: TestBrowser, page: ShownPage, at = "mail.example") => {
    const sub = `new-${++count}`;
    const email = `${sub}@${at}`;
    provider.user = { sub, given_name: "Nina", family_name: "New", email_verified: true, email };
    const isAway = page.address.startsWith(provider.issuer);
    const away = isAway ? page : await browser.submit(page, { provider: idp }, { action: "/ui/login/provider" });
    const back = provider.signIn(away.address);
    await browser.open(back.pathname + back.search);
    return organizationOf(email);
  };
  return { server, client, home, acme, evil, through };
}

serversInTurn((start, test) => {
  test("a link cannot place new users from a provider in an unrelated organization", async (t) => {
    const { server, client, home, acme, evil, through } = await setUp(start, t);
    const linked = async (organization: string) => {
      const { browser, page } = await visit(server, client);
      return { browser, page: await browser.open(`${page.address}&organization=${organization}`) };
    };
    const bare = async (organization: string) => {
      const browser = new TestBrowser(server);
      return { browser, page: await browser.open(`/ui/login?account=other&organization=${organization}`) };
    };
    for (const [kind, open] of Object.entries({ linked, bare })) {
      const stranger = await open(evil);
      assert.equal(await through(stranger.browser, stranger.page), home, kind);
      const foreign = await open(acme);
      assert.equal(await through(foreign.browser, foreign.page), home, `${kind}, not of its domain`);
      const ofDomain = await open(acme);
      assert.equal(await through(ofDomain.browser, ofDomain.page, domain), acme, `${kind}, of its proven domain`);
      const lying = await open(evil);
      assert.equal(await through(lying.browser, lying.page, domain), undefined, `${kind}, of the domain of another`);
    }

    const scoped = await visit(server, client, { scope: `openid urn:service:iam:org:id:${evil}` });
    assert.equal(await through(scoped.browser, scoped.page), undefined, "only the scope says so: the user is asked");
    const typed = await visit(server, client);
    const led = await typed.browser.submit(typed.page, { login_name: `anybody@${domain}` }, { action: "/ui/login" });
    assert.equal(await through(typed.browser, led), acme, "the entered name led there");
    const granted = await server.connect("service.project.v2.ProjectService/CreateProjectGrant", {
      projectId: client.projectId,
      grantedOrganizationId: evil,
    });
    assert.equal(granted.status, 200, JSON.stringify(granted.body));
    const served = await linked(evil);
    assert.equal(await through(served.browser, served.page), evil, "the application serves that organization");
  });

  test("a stranger who grants a project to an organization places no user in it", async (t) => {
    const { server, home, acme, evil, through } = await setUp(start, t);
    const owner = await addServiceAccount(server, evil, "owner");
    await appoint(server, owner, { organizationId: evil }, ["ORG_OWNER"]);
    const client = await addClient(server, {}, "Lure", evil);
    const grant = { projectId: client.projectId, grantedOrganizationId: acme };
    const service = "service.project.v2.ProjectService";
    const granted = await server.connect(`${service}/CreateProjectGrant`, grant, { token: owner.token });
    assert.equal(granted.status, 200, JSON.stringify(granted.body));
    const placed = async () => {
      const { browser, page } = await visit(server, client);
      return through(browser, await browser.open(`${page.address}&organization=${acme}`));
    };
    assert.equal(await placed(), home);
    // Acme's own administrators, or those of the instance, agree by activating it.
    for (const change of ["DeactivateProjectGrant", "ActivateProjectGrant"]) {
      assert.equal((await server.connect(`${service}/${change}`, grant)).status, 200);
    }
    assert.equal(await placed(), acme);
  });

  test("a link cannot register users in an unrelated organization", async (t) => {
    const { server, client, home, evil } = await setUp(start, t);
    const register = async (parameters: Record<string, string>, organization: string | undefined, email: string) => {
      const { browser, page } = await visit(server, client, parameters);
      const at = page.address.replace("/ui/login?", "/ui/login/register?");
      const form = await browser.open(organization === undefined ? at : `${at}&organization=${organization}`);
      assert.equal(/The organization <strong>/.test(form.html), "scope" in parameters);
      await browser.submit(form, { ...grace, email });
      const found = await server.rest("POST", "/v2/users", {
        body: { queries: [{ emailQuery: { emailAddress: email } }] },
      });
      return found.body.result?.[0]?.details.resourceOwner;
    };
    assert.equal(await register({}, evil, "a@mail.example"), home);
    assert.equal(await register({}, undefined, "b@mail.example"), home);
    const scope = `openid urn:service:iam:org:id:${evil}`;
    assert.equal(await register({ scope }, undefined, "c@mail.example"), evil, "the form names the organization");
  });

  test("a link cannot sign in as a user of the organization that linked the account", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const evil = await addStaff(server, "evil");
    const idp = await knowProvider(server, provider);
    await changeSettings(server, "login", { identityProviderIds: [idp] });
    assert.equal(await trust.link(evil.plain.userId, idp, "42", evil.owner.token), "200");
    // Without a click: the organization offers only this.
    const only = { identityProviderIds: [idp], allowLocalAuthentication: false, allowExternalIdp: true };
    await changeSettings(server, "login", only, evil.organizationId);
    const client = await addClient(server);
    const through = async (browser: TestBrowser, page: ShownPage): Promise<ShownPage> => {
      provider.user = { sub: "42", email: "vera@mail.example", email_verified: true };
      const isAway = page.address.startsWith(provider.issuer);
      const away = isAway ? page : await browser.submit(page, { provider: idp }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      return browser.open(back.pathname + back.search);
    };
    const at = `organization=${evil.organizationId}`;
    for (const address of [`/ui/login?${at}`, `/ui/login?account=other&${at}`, `/ui/login?goal=account&${at}`]) {
      const browser = new TestBrowser(server);
      const end = await through(browser, await browser.open(address));
      assert.ok(end.address.startsWith("/ui/login/external"), `${address}: ${end.address}`);
      const account = await browser.open("/ui/account");
      assert.ok(!account.address.startsWith("/ui/account"), account.address);
    }
    const waiting = await visit(server, client);
    const behind = await through(waiting.browser, await waiting.browser.open(`${waiting.page.address}&${at}`));
    assert.ok(behind.address.startsWith("/ui/login/external"), behind.address);

    const scoped = await visit(server, client, { scope: `openid urn:service:iam:org:id:${evil.organizationId}` });
    const requested = await through(scoped.browser, scoped.page);
    assert.ok(requested.address.startsWith("/ui/login/external"), "only the scope says so: the user is asked");
    const typing = new TestBrowser(server);
    const begin = await typing.open("/ui/login?account=other");
    const named = await typing.submit(begin, { login_name: evil.plain.loginName }, { action: "/ui/login" });
    assert.ok(isIn(await through(typing, named)), "the entered name is of that organization");
    const { loginName } = evil.plain;
    assert.ok((await typing.open("/ui/account")).html.includes(loginName));
  });
});
