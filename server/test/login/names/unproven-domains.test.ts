import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { inboxOf } from "../../factor/support.ts";
import { oidcAt, putProvider } from "../../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { makeServiceAccount } from "../../support/oidc/registration.ts";
import { addOrganization, appoint, defaultOrganization, goodPassword } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer, type Start } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { isBack, visit } from "../support/sign-in.ts";
import { grace } from "../support/sign-up.ts";

const domain = "acme.example";

async function addUser(server: TestServer, organizationId: string, username: string, email: string) {
  const { status, body } = await server.connect("service.user.v2.UserService/CreateUser", {
    organizationId,
    username,
    human: {
      profile: { givenName: username, familyName: "Example" },
      email: { email, isVerified: true },
      password: { password: goodPassword },
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return { userId: body.id, organizationId, loginName: email, password: goodPassword };
}

/**
 * An instance that requires no proof of domains, in which Evil has claimed the domain of Acme's users. Evil's users
 * sign in at a provider only.
 */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  await changeSettings(server, "domain", { requireOrganizationDomainProof: false });
  await changeSettings(server, "login", { ignoreUnknownUsernames: false, allowRegister: true });
  const [acme, evil] = [await addOrganization(server, "Acme"), await addOrganization(server, "Evil")];
  const ada = await addUser(server, acme, "ada", `ada@${domain}`);
  const eve = await addUser(server, evil, "eve", "eve@evil.example");
  // Eve's organization has no passwords, so its owner is a service account.
  const owner = await makeServiceAccount(server, evil, "owner");
  await appoint(server, owner, { organizationId: evil }, ["ORG_OWNER"]);
  const { token } = owner;
  const provider = await startTestProvider(t, () => server.clock.now);
  const configuration = oidcAt(provider.issuer);
  const idp = await putProvider(server, { configuration, secret: provider.clientSecret, organizationId: evil });
  const settings = { allowLocalAuthentication: false, ignoreUnknownUsernames: false, identityProviderIds: [idp] };
  await changeSettings(server, "login", settings, evil);
  const claim = (organizationId: string, bearer?: string) =>
    server.rest("POST", "/management/v1/orgs/me/domains", {
      body: { domain },
      headers: { "x-service-orgid": organizationId },
      ...(bearer !== undefined && { token: bearer }),
    });
  assert.equal((await claim(evil, token)).status, 200);
  const isAway = ({ address }: { address: string }): boolean => address.startsWith(provider.issuer);
  return { server, acme, evil, ada, eve, token, claim, isAway };
}

eachServer((start) => {
  test("a claimed domain leads no user to the organization that claimed it (A11)", async (t) => {
    const { server, acme, evil, ada, eve, token, isAway } = await setUp(start, t);
    const client = await addClient(server);

    const { browser, page } = await visit(server, client);
    const asked = await browser.submit(page, { login_name: ada.loginName });
    assert.match(asked.address, /^\/ui\/login\/password/, asked.html);
    assert.ok(isBack(await browser.submit(asked, { password: goodPassword })));
    const unknown = await visit(server, client);
    const told = await unknown.browser.submit(unknown.page, { login_name: `new@${domain}` });
    assert.ok(!isAway(told), told.address);
    assert.doesNotMatch(told.address, new RegExp(evil));

    const shadow = await addUser(server, evil, "ada", "shadow@evil.example");
    const find = (name: string) =>
      server.rest("GET", `/management/v1/global/users/_by_login_name?loginName=${name}`, { token });
    assert.equal((await find(`ada@${domain}`)).body.user.id, ada.userId);
    assert.equal((await find("ada@evil.localhost")).body.user.id, shadow.userId);
    const byName = await server.rest("POST", "/v2/users", {
      body: { queries: [{ loginNameQuery: { loginName: `eve@${domain}` } }] },
    });
    assert.deepEqual(byName.body.result ?? [], [], "sign-in applications find nobody by it either");
    const primary = await server.rest("POST", `/management/v1/orgs/me/domains/${domain}/_set_primary`, {
      token,
      body: {},
    });
    assert.equal(primary.status, 400, JSON.stringify(primary.body));

    const newcomer = await visit(server, client, { prompt: "create" });
    const link = /href="(\/ui\/login\/register[^"]*)"/.exec(newcomer.page.html)?.[1]?.replaceAll("&amp;", "&");
    const form = link === undefined ? newcomer.page : await newcomer.browser.open(link);
    const home = await newcomer.browser.submit(form, { ...grace, email: `new@${domain}` });
    assert.ok(isBack(home), home.html);

    // Inside of Evil the claim still counts, as long as the settings do not demand a proof.
    const scope = { scope: `openid urn:service:iam:org:id:${evil}` };
    await changeSettings(server, "login", { allowLocalAuthentication: true }, evil);
    const inside = await visit(server, client, scope);
    const named = await inside.browser.submit(inside.page, { login_name: `eve@${domain}` });
    assert.ok(isBack(await inside.browser.submit(named, { password: eve.password })), named.html);
    assert.notEqual(acme, evil);
  });

  test("the owner of a domain has its users led there, and takes it from organizations that claimed it (A11)", async (t) => {
    const { server, acme, evil, ada, claim, isAway } = await setUp(start, t);
    const client = await addClient(server);
    assert.equal((await claim(acme)).status, 200, "an administrator of the instance vouches for it");
    const domainsOf = async (organizationId: string) =>
      (
        await server.rest("POST", "/management/v1/orgs/me/domains/_search", {
          body: {},
          headers: { "x-service-orgid": organizationId },
        })
      ).body.result.find((each: { domainName: string }) => each.domainName === domain);
    assert.equal((await domainsOf(acme)).isVerified, true);
    assert.ok(!(await domainsOf(evil)).isVerified);
    const { browser, page } = await visit(server, client);
    const led = await browser.submit(page, { login_name: `new@${domain}` });
    assert.match(led.address, new RegExp(`organization=${acme}`));

    // The word of another organization leads no user away from there; a user who read a message at the address is not
    // led away from their own organization.
    await addUser(server, evil, "free", `free@${domain}`);
    const free = await visit(server, client);
    const still = await free.browser.submit(free.page, { login_name: `free@${domain}` });
    assert.match(still.address, new RegExp(`organization=${acme}`));
    const guest = await server.connect("service.user.v2.UserService/CreateUser", {
      organizationId: await defaultOrganization(server),
      username: "guest",
      human: {
        profile: { givenName: "Guest", familyName: "Example" },
        email: { email: `guest@${domain}` },
        password: { password: goodPassword },
      },
    });
    const [message] = await inboxOf(server, `guest@${domain}`);
    const code = /\b[A-Z0-9]{6}\b/.exec(message?.text ?? "")?.[0] ?? "";
    const proof = { userId: guest.body.id, verificationCode: code };
    assert.equal((await server.connect("service.user.v2.UserService/VerifyEmail", proof)).status, 200);
    const visitor = await visit(server, client);
    const greeted = await visitor.browser.submit(visitor.page, { login_name: `guest@${domain}` });
    assert.doesNotMatch(greeted.address, new RegExp(acme));
    assert.ok(isBack(await visitor.browser.submit(greeted, { password: goodPassword })), greeted.address);
    const known = await visit(server, client);
    const asked = await known.browser.submit(known.page, { login_name: ada.loginName });
    assert.match(asked.address, /^\/ui\/login\/password/);
    assert.ok(!isAway(asked));
  });

  test("no user is sent straight to the provider of an organization foreign to the application (A11)", async (t) => {
    const { server, evil, eve, isAway } = await setUp(start, t);
    const client = await addClient(server);
    const scope = { scope: `openid urn:service:iam:org:id:${evil}` };
    const paths = {
      "a request that names the organization": async () => (await visit(server, client, scope)).page,
      "a name of the organization": async () => {
        const { browser, page } = await visit(server, client);
        return browser.submit(page, { login_name: eve.loginName });
      },
      "an address that names the organization": async () => {
        const { browser, page } = await visit(server, client);
        return browser.open(`${page.address}&organization=${evil}`);
      },
    };
    for (const [path, go] of Object.entries(paths)) {
      const shown = await go();
      assert.ok(!isAway(shown), path);
      assert.match(shown.html, /action="\/ui\/login\/provider/, `${path}: it is offered`);
    }
    const { browser } = await visit(server, client);
    assert.ok(!isAway(await browser.open(`/ui/login?organization=${evil}`)), "without an application");

    const granted = await server.connect("service.project.v2.ProjectService/CreateProjectGrant", {
      projectId: client.projectId,
      grantedOrganizationId: evil,
    });
    assert.equal(granted.status, 200, JSON.stringify(granted.body));
    for (const [path, go] of Object.entries(paths)) assert.ok(isAway(await go()), `${path}, with a grant`);
  });

  test("a stranger's application sends no user straight to a provider of the organization that it is registered in", async (t) => {
    const { server, evil: organization, eve, isAway } = await setUp(start, t);
    const goesStraight = async (isConsentRequired: boolean) => {
      const client = await addClient(server, { isConsentRequired }, `Application ${isConsentRequired}`, organization);
      const scope = { scope: `openid urn:service:iam:org:id:${organization}` };
      const { page } = await visit(server, client, scope);
      const named = await visit(server, client);
      const led = await named.browser.submit(named.page, { login_name: eve.loginName });
      assert.ok(isAway(led) || led.html.includes('action="/ui/login/provider'), "it is offered");
      return [isAway(page), isAway(led)];
    };
    assert.deepEqual(await goesStraight(true), [false, false]);
    assert.deepEqual(await goesStraight(false), [true, true], "one that an administrator vouches for");
  });
});
