import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { bodyAt, createTrust, isIn, linkingOptions } from "../../identity-provider/trusted.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import {
  addOrganization,
  addPerson,
  appoint,
  defaultOrganization,
  goodPassword,
  sessionOf,
} from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer, type Start } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { enter, isBack, visit } from "../support/sign-in.ts";
import { grace } from "../support/sign-up.ts";

const ascii = "xn--bcher-kva.example";
const unicode = "bücher.example";
const spellings = [ascii, unicode, "BÜCHER.Example", "bu\u0308cher.example"];

async function create(server: TestServer, given: object, email: string, token = server.ownerToken) {
  const { status, body } = await server.connect(
    "service.user.v2.UserService/CreateUser",
    {
      ...given,
      human: {
        profile: { givenName: "Given", familyName: "Family" },
        email: { email, isVerified: true },
        password: { password: goodPassword },
      },
    },
    { token },
  );
  return status === 200
    ? { userId: String(body.id), refusal: undefined }
    : { userId: undefined, refusal: String(body.details?.[0]?.debug?.id) };
}

async function made(server: TestServer, given: object, email: string, token?: string): Promise<string> {
  const { userId, refusal } = await create(server, given, email, token);
  return userId ?? assert.fail(refusal);
}

/** An instance with bare login names, in which Acme has proven a domain and Evil has an administrator. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  await changeSettings(server, "domain", { loginNameIncludesDomain: false, requireOrganizationDomainProof: false });
  await changeSettings(server, "login", { ignoreUnknownUsernames: false, allowRegister: true });
  const [acme, evil] = [await addOrganization(server, "Acme"), await addOrganization(server, "Evil")];
  const headers = { "x-service-orgid": acme };
  const added = await server.rest("POST", "/management/v1/orgs/me/domains", { body: { domain: unicode }, headers });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  const eve = await addPerson(server, { username: "eve", organizationId: evil });
  await appoint(server, eve, { organizationId: evil }, ["ORG_OWNER"]);
  const { token } = await sessionOf(server, eve);
  return { server, acme, evil, token };
}

async function signUp(server: TestServer, client: SignInClient, email: string) {
  const { browser, page } = await visit(server, client, { prompt: "create" });
  return browser.submit(page, { ...grace, email });
}

eachServer((start) => {
  test("a proven domain is proven in each of its spellings (A11, A12)", async (t) => {
    const { server, acme, evil, token } = await setUp(start, t);
    const client = await addClient(server);
    const find = (name: string) =>
      server.rest("GET", `/management/v1/global/users/_by_login_name?loginName=${encodeURIComponent(name)}`);

    await t.test("an administrator of another organization gives no user a name in it", async () => {
      const names = spellings.flatMap((domain, index) => [`ceo${index}@${domain}`, `cfo${index}\uff20${domain}`]);
      for (const username of names) {
        const own = username.replace("\uff20", "@");
        const userId = await made(server, { organizationId: evil, username }, own, token);
        const { body } = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
        assert.equal(body.user.preferredLoginName, `${username.normalize("NFC")}@evil.localhost`);
        assert.equal((await find(username)).status, 404, username);
        const { refusal: foreign } = await create(
          server,
          { organizationId: evil, username: `x${username}` },
          "x@evil.example",
          token,
        );
        assert.equal(foreign, "user.username_is_address", username);
      }
    });

    await t.test("the organization gives its users such names, and none a second time", async () => {
      for (const [index, domain] of spellings.entries()) {
        const [username, email] = [`boss${index}@${domain}`, `mail${index}@acme.example`];
        const userId = await made(server, { organizationId: acme, username }, email);
        for (const other of spellings) {
          assert.equal((await find(`boss${index}@${other}`)).body.user?.id, userId, `${username}, ${other}`);
          const again = await create(server, { organizationId: acme, username: `boss${index}@${other}` }, email);
          assert.equal(again.refusal, "user.username_taken", `${username}, ${other}`);
        }
      }
    });

    await t.test("a stranger's sign-up elsewhere is refused", async () => {
      for (const domain of spellings) {
        const page = await signUp(server, client, `stranger@${domain}`);
        assert.match(page.address, /^\/ui\/login\/register(\?|$)/, `${domain}: ${page.address}`);
        assert.match(page.html, /This email address cannot be used for a new account/, domain);
      }
    });

    await t.test("its users sign in by each spelling of name and address", async () => {
      await made(server, { organizationId: acme, username: "chef" }, `office@${unicode}`);
      const full = "chef\uff20bücher\uff0eexample";
      for (const name of [...spellings.flatMap((domain) => [`chef@${domain}`, `office@${domain}`]), full]) {
        const there = await enter(await visit(server, client), { loginName: name, password: goodPassword });
        assert.ok(isBack(there), `${name}: ${there.address}`);
      }
      for (const domain of spellings) {
        const checks = { user: { loginName: `chef@${domain}` }, password: { password: goodPassword } };
        const session = await server.rest("POST", "/v2/sessions", { body: { checks } });
        assert.equal(session.status, 201, JSON.stringify(session.body));
        const query = {
          loginNameQuery: { loginName: `chef@${domain}`, method: "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE" },
        };
        const { body } = await server.rest("POST", "/v2/users", { body: { queries: [query] } });
        assert.equal(body.result?.length, 1, `a sign-in application asks for chef@${domain}`);
      }
    });

    await t.test("names that are unknown lead to the organization", async () => {
      for (const domain of spellings) {
        const { browser, page } = await visit(server, client);
        const led = await browser.submit(page, { login_name: `new@${domain}` });
        assert.match(led.address, new RegExp(`organization=${acme}`), `${domain}: ${led.address}`);
      }
    });

    await t.test("the organization is found by it", async () => {
      for (const [index, orgDomain] of spellings.entries()) {
        const given = { organization: { orgDomain }, username: `by-${index}` };
        const { status, body } = await server.rest("POST", "/v2/users/human", {
          body: {
            ...given,
            profile: { givenName: "Given", familyName: "Family" },
            email: { email: "by@acme.example", isVerified: true },
          },
        });
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body.details.resourceOwner, acme);
      }
    });

    await t.test("an account at a provider is linked by the address in another spelling", async () => {
      const provider = await startTestProvider(t, () => server.clock.now);
      const trust = createTrust(server);
      const idpId = await trust.addTo("", undefined, bodyAt(provider, linkingOptions));
      for (const [index, domain] of spellings.entries()) {
        const other = spellings[(index + 1) % spellings.length];
        const userId = await made(server, { organizationId: acme, username: `link${index}` }, `link${index}@${domain}`);
        const email = `link${index}@${other}`;
        provider.user = { ...provider.user, sub: `sub${index}`, email, email_verified: true };
        const page = await trust.throughPages("", idpId, provider);
        assert.ok(isIn(page), page.html);
        assert.equal((await trust.links(userId)).length, 1, email);
      }
    });
  });

  test("addresses in internationalized domains of no organization are addresses like others, and each is one", async (t) => {
    const { server } = await setUp(start, t);
    const client = await addClient(server);
    const [typed, other] = ["Kaese@käse.example", "kaese@xn--kse-qla.example"];
    assert.ok(isBack(await signUp(server, client, typed)));
    for (const name of [typed, other, "kaese@KÄSE.example"]) {
      const there = await enter(await visit(server, client), { loginName: name, password: goodPassword });
      assert.ok(isBack(there), name);
    }
    const { browser, page } = await visit(server, client);
    const unknown = await browser.submit(page, { login_name: "kaese@kase.example" });
    assert.match(unknown.address, /^\/ui\/login\?/, "another domain");
    for (const email of [typed, other]) {
      const again = await signUp(server, client, email);
      assert.ok(!isBack(again), email);
      const organizationId = await defaultOrganization(server);
      assert.equal((await create(server, { organizationId, username: email }, email)).refusal, "user.username_taken");
    }
    const { body } = await server.rest("POST", "/v2/users", {
      body: { queries: [{ inUserEmailsQuery: { userEmails: [other] } }] },
    });
    assert.deepEqual(
      body.result.map(({ human, preferredLoginName }: { human: { email: object }; preferredLoginName: string }) => [
        (human.email as { email: string }).email,
        preferredLoginName,
      ]),
      [[typed, typed]],
      "shown as it was typed",
    );
    assert.ok(isBack(await signUp(server, client, "plain@kase.example")), "control");
    for (const email of ["a@xn--\u00fc.example", "a@ca\ufe0ff\u00e9.example", "a@\u0300b.example", "a@é.1"]) {
      const organizationId = await defaultOrganization(server);
      assert.ok((await create(server, { organizationId, username: "odd" }, email)).refusal, email);
    }
  });
});
