import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { callUser } from "../factor/support.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addServiceAccount } from "../support/people/owners.ts";
import { appoint, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { arrive, knowProvider } from "./attempts.ts";
import { addStaff, createTrust } from "./trusted.ts";

const account = "4711";
const email = "vera@mail.example";

/** A bank, evil, a provider of the instance, and a sign-in application, which may manage the bank's users. */
async function setUp(start: Start, t: TestContext, managesBank = false) {
  const server = await start(t);
  const home = await defaultOrganization(server);
  const [bank, evil] = [await addStaff(server, "bank"), await addStaff(server, "evil")];
  const trust = createTrust(server);
  const login = await addServiceAccount(server, home, "custom-login");
  await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
  const { organizationId } = bank;
  if (managesBank) await appoint(server, login, { organizationId }, ["ORG_USER_MANAGER"]);
  const provider = await startTestProvider(t, () => server.clock.now);
  const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
  await changeSettings(server, "login", { identityProviderIds: [idp] });
  const clients = {
    shop: await addClient(server),
    bank: await addClient(server, {}, "Bank", bank.organizationId),
    evil: await addClient(server, {}, "Lure", evil.organizationId),
  };
  const say = async () => {
    assert.equal(await trust.link(evil.plain.userId, idp, account, evil.owner.token), "200");
    server.clock.now += 60_000;
  };
  const comes = () => {
    server.clock.now += 60_000;
    provider.user = { sub: account, given_name: "Vera", family_name: "R", email, email_verified: true };
  };
  const urls = { successUrl: "https://login.example/good", failureUrl: "https://login.example/bad" };
  /** An attempt of the sign-in application, and what it is told. */
  const attempt = async () => {
    comes();
    const begun = await callUser(server, "StartIdentityProviderIntent", { idpId: idp, urls }, login.token);
    const { parameters } = await arrive(provider.signIn(begun.authUrl));
    const idpIntent = { idpIntentId: parameters["id"] ?? "", idpIntentToken: parameters["token"] ?? "" };
    const read = await callUser(server, "RetrieveIdentityProviderIntent", idpIntent, login.token);
    return { idpIntent, userId: read.userId ?? "", inAddress: parameters["user"] ?? "", createUser: read.createUser };
  };
  /** Lets the sign-in application create the user whom the provider describes. */
  const register = async (organizationId: string): Promise<string> => {
    const { createUser } = await attempt();
    return (await callUser(server, "CreateUser", { ...createUser, organizationId }, login.token)).id;
  };
  /** Comes to an application on the hosted pages. */
  const go = async (client: SignInClient, organizationId = "") => {
    comes();
    const org = organizationId === "" ? "" : ` urn:service:iam:org:id:${organizationId}`;
    const scope = `openid urn:service:iam:org:idp:id:${idp}${org}`;
    const { browser, page, codeVerifier } = await visit(server, client, { scope });
    const back = provider.signIn(page.address);
    return { client, browser, codeVerifier, page: await browser.open(back.pathname + back.search) };
  };
  type Gone = Awaited<ReturnType<typeof go>>;
  const userOf = async ({ client, codeVerifier }: Gone, page: ShownPage): Promise<string> => {
    if (!isBack(page)) return page.alert ?? page.title;
    const { body } = await client.exchange(page.address, codeVerifier);
    return JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString()).sub;
  };
  const agree = async (gone: Gone): Promise<string> =>
    userOf(gone, await gone.browser.submit(gone.page, {}, { action: "/ui/login/external" }));
  const userAt = async (client: SignInClient, organizationId = ""): Promise<string> => {
    const gone = await go(client, organizationId);
    return userOf(gone, gone.page);
  };
  /** Links the account on the account pages of a user; returns what the last page warns of. */
  const prove = async ({ loginName, password }: { readonly loginName: string; readonly password: string }) => {
    comes();
    const browser = new TestBrowser(server);
    const begin = await browser.open("/ui/login?goal=account-methods-list");
    const named = await browser.submit(begin, { login_name: loginName });
    const inside = await browser.submit(named, { password });
    const session = new URL(inside.address, server.origin).searchParams.get("session") ?? "";
    const asks = await browser.open(`/ui/account/methods/link?provider=${idp}&session=${session}`);
    const away = await browser.submit(asks, {}, { action: "/ui/account/methods/link" });
    const back = provider.signIn(away.address);
    const question = await browser.open(back.pathname + back.search);
    if (question.alert !== undefined) return question.alert;
    return (await browser.submit(question, {}, { action: "/ui/account/methods/link/answer" })).alert;
  };
  const linksOf = async (userId: string) => (await trust.links(userId)).filter(({ idpId }) => idpId === idp).length;
  const base = { server, home, bank, evil, trust, idp, login, clients };
  return { ...base, say, attempt, register, go, agree, userAt, prove, linksOf };
}

serversInTurn((start, test, both) => {
  for (const managesBank of [false, true]) {
    for (const isSaid of [false, true]) {
      const said = isSaid ? "evil said before whose it is" : "no organization said whose";
      const by = `a sign-in application${managesBank ? " that manages users" : ""}`;
      test(`a user whom ${by} creates is known again; ${said} (A13)`, async (t) => {
        const { server, bank, evil, login, clients, say, attempt, register, userAt, linksOf } = await setUp(
          start,
          t,
          managesBank,
        );
        if (isSaid) await say();
        assert.equal((await attempt()).userId, "", "evil's word alone tells the application nothing");
        const vera = await register(bank.organizationId);
        const { idpIntent, userId, inAddress } = await attempt();
        assert.deepEqual([userId, inAddress], [vera, vera]);
        const checks = { user: { userId: vera }, idpIntent };
        const made = await server.rest("POST", "/v2/sessions", { body: { checks }, token: login.token });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        assert.equal(await userAt(clients.shop), vera);
        assert.equal(await userAt(clients.bank), vera);
        if (isSaid) assert.equal(await linksOf(evil.plain.userId), 1, "what evil said stays");
      });
    }
  }

  test("a user who agreed to an organization is known elsewhere, whatever another one said", async (t) => {
    const { bank, evil, clients, say, go, agree, userAt } = await setUp(start, t);
    await say();
    const asked = await go(clients.bank, bank.organizationId);
    assert.match(asked.page.html, /<bdi>bank<\/bdi><\/strong> manages your account/);
    const vera = await agree(asked);
    assert.match(vera, /^\d+$/);
    assert.deepEqual([await userAt(clients.bank), await userAt(clients.shop)], [vera, vera]);
    assert.equal(await userAt(clients.evil), evil.plain.userId, "evil's word decides in its own sign-ins");
  });

  both("a user who was not asked agrees later, whatever another organization said meanwhile", async (t) => {
    const { bank, clients, attempt, say, go, agree, userAt } = await setUp(start, t);
    const vera = await userAt(clients.bank, bank.organizationId);
    assert.match(vera, /^\d+$/, "nothing was pressed");
    await say();
    assert.equal((await attempt()).userId, "", "so far the account is theirs in the bank alone");
    assert.match((await go(clients.shop)).page.html, /manages your account/);
    assert.equal(await agree(await go(clients.shop, bank.organizationId)), vera);
    assert.equal(await userAt(clients.shop), vera);
    assert.equal((await attempt()).userId, vera);
  });

  test("a user who signs in otherwise and proves the account ends the link of one who came later", async (t) => {
    const { server, home, bank, evil, trust, idp, clients, say, attempt, register, userAt, prove, linksOf } =
      await setUp(start, t);
    await say();
    const lured = await register(bank.organizationId);
    assert.equal(await trust.link(bank.plain.userId, idp, account, bank.owner.token), "409 identity_link.taken");
    assert.equal(await prove(evil.plain), undefined);
    assert.deepEqual([await linksOf(lured), await linksOf(evil.plain.userId)], [0, 1]);
    assert.equal((await attempt()).userId, evil.plain.userId);
    assert.equal(await userAt(clients.shop), evil.plain.userId);
    const { createUser } = await attempt();
    const again = { ...createUser, organizationId: home, username: "again" };
    assert.notEqual((await server.connect("service.user.v2.UserService/CreateUser", again)).status, 200);
    assert.match((await prove(bank.plain)) ?? "", /already linked/, "a proof of a user who exists ends no other one");
    assert.equal(await linksOf(evil.plain.userId), 1);
  });
});
