import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { messagesTo } from "../login/support/sign-up.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { knowProvider, provenAttempt } from "./attempts.ts";
import { addStaff, bodyAt, createTrust, linkingOptions } from "./trusted.ts";

const address = "vera@mail.example";
const password = "a long sentence of vera's own";
const hour = 60 * 60_000;

/** A provider of the instance that creates users without a question, a bank, and an organization of an attacker. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const trust = createTrust(server);
  const [home, bank, evil] = [
    await defaultOrganization(server),
    await addStaff(server, "bank"),
    await addStaff(server, "evil"),
  ];
  const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
  await changeSettings(server, "login", { identityProviderIds: [idp] });
  const clients = {
    shop: await addClient(server),
    bank: await addClient(server, {}, "Bank", bank.organizationId),
    evil: await addClient(server, {}, "Lure", evil.organizationId),
  };
  /** Follows a link that goes straight to the provider, where Vera is signed in; returns where that ended. */
  const go = async (client: SignInClient, organizationId = "", user: object = {}) => {
    server.clock.now += 10_000;
    const named = { sub: "vera", given_name: "Vera", family_name: "R", email: address, email_verified: true };
    provider.user = { ...named, ...user };
    const org = organizationId === "" ? "" : ` urn:service:iam:org:id:${organizationId}`;
    const {
      browser,
      page: away,
      codeVerifier,
    } = await visit(server, client, {
      scope: `openid urn:service:iam:org:idp:id:${idp}${org}`,
    });
    assert.ok(away.address.startsWith(provider.issuer), "nothing is pressed");
    const back = provider.signIn(away.address);
    return { client, browser, codeVerifier, page: await browser.open(back.pathname + back.search) };
  };
  type Gone = Awaited<ReturnType<typeof go>>;
  /** The organization of the user whom the application is told of; empty where it is told nothing. */
  const homeOf = async ({ client, codeVerifier }: Gone, page: ShownPage): Promise<string> => {
    if (!isBack(page)) return "";
    const { body } = await client.exchange(page.address, codeVerifier);
    const { sub } = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    return (await server.rest("GET", `/v2/users/${sub}`)).body.user.details.resourceOwner;
  };
  /** Presses the button of the question; returns what `homeOf` does. */
  const agree = async (gone: Gone): Promise<string> =>
    homeOf(gone, await gone.browser.submit(gone.page, {}, { action: "/ui/login/external" }));
  const whoAt = async (client: SignInClient, organizationId = "") => {
    const gone = await go(client, organizationId);
    return homeOf(gone, gone.page);
  };
  const findUsers = async (): Promise<{ userId: string; details: { resourceOwner: string } }[]> =>
    (await server.rest("POST", "/v2/users", { body: { queries: [{ emailQuery: { emailAddress: address } }] } })).body
      .result ?? [];
  const linkAtBank = () => trust.link(bank.plain.userId, idp, "vera", bank.owner.token);
  /** Makes the bank's own user with the address, verified by its word. */
  const addAtBank = async (): Promise<string> => {
    const profile = { givenName: "Vera", familyName: "Real" };
    const human = { profile, email: { email: address, isVerified: true }, password: { password } };
    const body = { organizationId: bank.organizationId, username: "vera", human };
    const made = await server.connect("service.user.v2.UserService/CreateUser", body, { token: bank.owner.token });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.id;
  };
  const byPassword = async () => {
    server.clock.now += 2 * hour;
    return isBack(await enter(await visit(server, clients.shop), { loginName: address, password }));
  };
  const base = { server, provider, trust, home, bank, evil, idp, clients };
  return { ...base, go, agree, whoAt, findUsers, linkAtBank, addAtBank, byPassword };
}

const isAsked = ({ address: at, html }: ShownPage, organization: RegExp): boolean =>
  at.startsWith("/ui/login/external") && organization.test(html) && !/bank/i.test(html);

const [named, evils] = [/manages your account/, /<bdi>evil<\/bdi><\/strong> manages your account/];

serversInTurn((start, test) => {
  test("a link that is only opened ends no link that another organization made (A13)", async (t) => {
    const { trust, bank, evil, idp, clients, go, agree, whoAt, findUsers, linkAtBank } = await setUp(start, t);
    assert.equal(await linkAtBank(), "200");
    const atBank = async () => [await whoAt(clients.bank, bank.organizationId), await whoAt(clients.bank)];
    const banks = [bank.organizationId, bank.organizationId];
    assert.deepEqual(await atBank(), banks, "its application says whom a sign-in is for, with a scope and without one");

    const lured = [
      await go(clients.shop),
      await go(clients.evil, evil.organizationId),
      await go(clients.evil),
    ] as const;
    assert.ok(isAsked(lured[0].page, named), lured[0].page.html);
    assert.ok(isAsked(lured[1].page, evils), lured[1].page.html);
    assert.ok(isAsked(lured[2].page, named), lured[2].page.html);
    assert.deepEqual(await findUsers(), [], "no user is made by a link");
    assert.deepEqual(await atBank(), banks);

    await t.test("nor does a user who is created after the question", async () => {
      assert.equal(await agree(lured[1]), evil.organizationId);
      assert.deepEqual(await atBank(), banks);
      assert.equal(await whoAt(clients.evil, evil.organizationId), evil.organizationId, "and is known there");
      assert.equal(await whoAt(clients.shop), evil.organizationId, "and elsewhere, as they agreed");
      assert.equal(await agree(lured[0]), evil.organizationId);
      assert.deepEqual(await atBank(), banks);
      assert.equal((await findUsers()).length, 1);
      const own = (await trust.links(bank.plain.userId)).filter(({ idpId }) => idpId === idp);
      assert.equal(own.length, 1);
    });
  });

  test("a user who was created without a question belongs to that organization alone so far", async (t) => {
    const { server, home, bank, evil, clients, go, agree, whoAt, findUsers, linkAtBank } = await setUp(start, t);
    assert.equal(await whoAt(clients.evil, evil.organizationId), evil.organizationId, "created as before");
    assert.equal(await whoAt(clients.evil, evil.organizationId), evil.organizationId, "and known from then on");
    const [user] = await findUsers();
    assert.ok(user);
    const read = async () => (await server.rest("GET", `/v2/users/${user.userId}`)).body.user.human.email;
    assert.equal((await read()).isVerified, true);
    assert.equal((await read()).proof.organizationId, evil.organizationId, "on the word of that organization");
    assert.ok(isAsked((await go(clients.shop)).page, named), "elsewhere the account is not theirs yet");

    const scoped = await go(clients.shop, evil.organizationId);
    assert.ok(isAsked(scoped.page, evils), scoped.page.html);
    assert.ok(isAsked((await go(clients.shop)).page, named), "a question alone changes nothing");
    assert.equal(await agree(scoped), evil.organizationId);
    assert.equal(await whoAt(clients.shop), evil.organizationId, "once they agreed, it is");
    assert.equal((await read()).proof.organizationId, undefined);
    assert.equal(await linkAtBank(), "200", "the bank's word stands beside it");
    assert.notEqual(await whoAt(clients.bank), bank.organizationId, "and is asked about");
    assert.equal(await whoAt(clients.shop), evil.organizationId);
    assert.equal(bank.organizationId === home, false);
  });

  test("what an organization got by a link hinders no other afterwards", async (t) => {
    const { server, home, bank, evil, clients, go, agree, whoAt, findUsers, linkAtBank } = await setUp(start, t);
    assert.equal(await whoAt(clients.evil, evil.organizationId), evil.organizationId);
    const [user] = await findUsers();
    const off = { body: {}, token: evil.owner.token };
    assert.equal((await server.rest("POST", `/v2/users/${user?.userId}/deactivate`, off)).status, 200);
    assert.equal(await linkAtBank(), "200");
    assert.equal(await whoAt(clients.bank), bank.organizationId);
    const asked = await go(clients.shop);
    assert.ok(isAsked(asked.page, named), asked.page.html);
    assert.equal(await agree(asked), home);
    assert.equal(await whoAt(clients.shop), home);
    assert.equal(await whoAt(clients.bank), bank.organizationId);
  });

  test("a link takes no address from a user who has it on the word of an organization (A12)", async (t) => {
    const { server, evil, home, clients, go, whoAt, findUsers, addAtBank, byPassword } = await setUp(start, t);
    const vera = await addAtBank();
    assert.ok(await byPassword(), "control");
    assert.ok(isAsked((await go(clients.evil, evil.organizationId)).page, evils));
    assert.ok(isAsked((await go(clients.shop)).page, named));
    assert.deepEqual(
      (await findUsers()).map(({ userId }) => userId),
      [vera],
    );
    assert.ok(await byPassword());
    const { browser, page } = await visit(server, clients.shop);
    const entered = await browser.submit(page, { login_name: address }, { action: "/ui/login" });
    await browser.submit(await browser.open(entered.address.replace("/password?", "/forgotten?")), {});
    assert.equal((await messagesTo(server, address))[0]?.userId, vera);

    await t.test("the provider has to vouch for the address, and the user to be active", async () => {
      const unproven = await go(clients.shop, "", { sub: "other", email_verified: false });
      assert.doesNotMatch(unproven.page.html, named, "a visitor who does not own it learns nothing");
      const deactivated = await server.rest("POST", `/v2/users/${vera}/deactivate`, { body: {} });
      assert.equal(deactivated.status, 200);
      assert.equal(await whoAt(clients.shop), home);
    });
  });

  test("only users who sign in and prove the account end what others say of it (A13)", async (t) => {
    const { server, provider, trust, bank, evil, idp, clients, whoAt, linkAtBank } = await setUp(start, t);
    assert.equal(await linkAtBank(), "200");
    const { loginToken } = await setUpOidc(server);
    provider.user = { sub: "vera", email: address, email_verified: true };
    const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, idp);
    const told = { body: { idpIntentToken }, token: loginToken };
    assert.equal((await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, told)).status, 200);
    const human = {
      profile: { givenName: "Vera", familyName: "New" },
      email: { email: address, isVerified: true },
      idpLinks: [{ idpId: idp, userId: "vera", userName: "vera" }],
    };
    const body = { organizationId: evil.organizationId, username: "lured", human };
    const made = await server.rest("POST", "/v2/users/new", { body, token: loginToken });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal(await whoAt(clients.bank), bank.organizationId, "a sign-in application that creates a user does not");
    assert.equal((await trust.links(made.body.id)).length, 1);

    const again = await provenAttempt(server, provider, idp);
    const { token } = bank.plain;
    const own = { body: { idpIntentToken: again.idpIntentToken }, token };
    assert.equal((await server.rest("POST", `/v2/idp_intents/${again.idpIntentId}`, own)).status, 200);
    assert.equal(await trust.link(bank.plain.userId, idp, "vera", token), "200");
    assert.deepEqual(await trust.links(made.body.id), []);
    assert.equal(await whoAt(clients.shop), bank.organizationId);
  });

  test("a user with the same address gets the account beside what others say of it", async (t) => {
    const { server, provider, trust, home, bank, evil, linkAtBank } = await setUp(start, t);
    const options = { ...linkingOptions, isAutoCreation: true };
    const idp = await trust.addTo("", undefined, bodyAt(provider, options));
    await changeSettings(server, "login", { identityProviderIds: [idp] });
    const human = { profile: { givenName: "Vera", familyName: "Home" }, email: { email: address, isVerified: true } };
    const body = { organizationId: home, username: "vera", human };
    const made = await server.rest("POST", "/v2/users/new", { body });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    for (const { plain, owner } of [bank, evil]) {
      assert.equal(await trust.link(plain.userId, idp, "vera", owner.token), "200");
    }
    assert.equal(await linkAtBank(), "200", "at the other provider");
    provider.user = { sub: "vera", email: address, email_verified: true };
    const through = async (client: SignInClient) => {
      server.clock.now += 10_000;
      const browser = new TestBrowser(server);
      const { page } = await visit(server, client, { scope: `openid urn:service:iam:org:idp:id:${idp}` }, browser);
      const back = provider.signIn(page.address);
      const end = await browser.open(back.pathname + back.search);
      assert.ok(isBack(end), end.html);
      return (await browser.open("/ui/account")).html;
    };
    const [shop, ofBank] = [await addClient(server), await addClient(server, {}, "Bank", bank.organizationId)];
    assert.match(await through(shop), /vera/);
    assert.equal((await trust.links(made.body.id)).length, 1);
    assert.ok((await through(ofBank)).includes(bank.plain.loginName), "the bank's own sign-ins go on");
    assert.match(await through(shop), /vera/);
  });
});
