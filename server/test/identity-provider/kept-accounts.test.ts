import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sql } from "../../src/database/index.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { knowProvider } from "./attempts.ts";
import { addStaff, createTrust } from "./trusted.ts";

const address = "vera@mail.example";
const password = "a long sentence of vera's own";
const who = { sub: "vera", given_name: "Vera", family_name: "R", email: address, email_verified: true };

/** A bank with a user of a proven address, evil, and a provider of the instance. */
async function setUp(start: Start, t: TestContext, autoLinking: "email" | "none", isKnown = true) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const trust = createTrust(server);
  const [bank, evil] = [await addStaff(server, "bank"), await addStaff(server, "evil")];
  const idp = await knowProvider(server, provider, { options: { isAutoCreation: true, autoLinking } });
  await changeSettings(server, "login", { identityProviderIds: [idp] });
  const clients = {
    shop: await addClient(server),
    bank: await addClient(server, {}, "Bank", bank.organizationId),
    evil: await addClient(server, {}, "Lure", evil.organizationId),
  };
  const human = {
    profile: { givenName: "Vera", familyName: "Real" },
    email: { email: address, isVerified: true },
    password: { password },
  };
  const body = { organizationId: bank.organizationId, username: "vera", human };
  const addVera = async () => {
    const made = await server.connect("service.user.v2.UserService/CreateUser", body);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.id as string;
  };
  const vera = isKnown ? await addVera() : "";
  const go = async (client: SignInClient, organizationId = "") => {
    server.clock.now += 10_000;
    provider.user = who;
    const org = organizationId === "" ? "" : ` urn:service:iam:org:id:${organizationId}`;
    const scope = `openid urn:service:iam:org:idp:id:${idp}${org}`;
    const { browser, page: away, codeVerifier } = await visit(server, client, { scope });
    const back = provider.signIn(away.address);
    return { client, browser, codeVerifier, page: await browser.open(back.pathname + back.search) };
  };
  type Gone = Awaited<ReturnType<typeof go>>;
  const homeOf = async ({ client, codeVerifier }: Gone, page: ShownPage): Promise<string> => {
    if (!isBack(page)) return page.alert ?? page.title;
    const answer = await client.exchange(page.address, codeVerifier);
    const { sub } = JSON.parse(Buffer.from(answer.body.id_token.split(".")[1], "base64url").toString());
    return (await server.rest("GET", `/v2/users/${sub}`)).body.user.details.resourceOwner;
  };
  const whoAt = async (client: SignInClient, organizationId = "") => {
    const gone = await go(client, organizationId);
    return homeOf(gone, gone.page);
  };
  const everywhere = async () => [
    await whoAt(clients.bank),
    await whoAt(clients.bank, bank.organizationId),
    await whoAt(clients.shop),
  ];
  /** Links the account of the provider on the account pages of a user; returns where that ended. */
  const link = async (loginName: string, secret: string): Promise<ShownPage> => {
    server.clock.now += 10_000;
    const browser = new TestBrowser(server);
    const named = await browser.submit(await browser.open("/ui/login?goal=account-methods-list"), {
      login_name: loginName,
    });
    const inside = await browser.submit(named, { password: secret });
    const session = new URL(inside.address, server.origin).searchParams.get("session") ?? "";
    assert.notEqual(session, "", inside.address);
    const asks = await browser.open(`/ui/account/methods/link?provider=${idp}&session=${session}`);
    const away = await browser.submit(asks, {}, { action: "/ui/account/methods/link" });
    provider.user = who;
    const back = provider.signIn(away.address);
    const question = await browser.open(back.pathname + back.search);
    if (question.alert !== undefined) return question;
    return browser.submit(question, {}, { action: "/ui/account/methods/link/answer" });
  };
  const deactivate = async (userId: string) => {
    const off = await server.rest("POST", `/v2/users/${userId}/deactivate`, { body: {}, token: evil.owner.token });
    assert.equal(off.status, 200);
  };
  return { server, trust, bank, evil, idp, clients, go, homeOf, whoAt, everywhere, link, deactivate, vera, addVera };
}

const named = (organization: string) =>
  new RegExp(`The organization <strong><bdi>${organization}</bdi></strong> manages your account`);

serversInTurn((start, test, both) => {
  test("the bank's user is recognized by the address, everywhere", async (t) => {
    const { bank, everywhere } = await setUp(start, t, "email");
    const { organizationId } = bank;
    assert.deepEqual(await everywhere(), [organizationId, organizationId, organizationId]);
  });

  both("an organization that deactivates its user keeps the account from no other one", async (t) => {
    const { server, trust, bank, evil, idp, clients, go, homeOf, whoAt, everywhere, link, deactivate, vera } =
      await setUp(start, t, "email");
    const lured = await go(clients.evil, evil.organizationId);
    assert.match(lured.page.html, named("evil"));
    const pressed = await lured.browser.submit(lured.page, {}, { action: "/ui/login/external" });
    assert.equal(await homeOf(lured, pressed), evil.organizationId);
    const queries = [
      { organizationIdQuery: { organizationId: evil.organizationId } },
      { emailQuery: { emailAddress: address } },
    ];
    const found = await server.rest("POST", "/v2/users", { body: { queries } });
    const [{ userId }] = found.body.result;
    await deactivate(userId);
    assert.match(await whoAt(clients.evil, evil.organizationId), /not active/, "in evil's sign-ins it does");
    assert.equal(await trust.link(vera, idp, "vera", bank.owner.token), "200");
    assert.equal(await whoAt(clients.bank), bank.organizationId);
    assert.equal((await link("vera@bank.localhost", password)).alert, undefined, "nor from their own proof");
    const { organizationId } = bank;
    assert.deepEqual(await everywhere(), [organizationId, organizationId, organizationId]);
    assert.ok(!(await trust.links(userId)).some((each) => each.userId === "vera"), "which ends the other link");
  });

  test("it is recognized again without anything that anyone does", async (t) => {
    const { server, bank, evil, clients, go, homeOf, everywhere, deactivate } = await setUp(start, t, "email");
    const lured = await go(clients.evil, evil.organizationId);
    await homeOf(lured, await lured.browser.submit(lured.page, {}, { action: "/ui/login/external" }));
    const queries = [{ organizationIdQuery: { organizationId: evil.organizationId } }];
    const found = await server.rest("POST", "/v2/users", {
      body: { queries: [...queries, { emailQuery: { emailAddress: address } }] },
    });
    await deactivate(found.body.result[0].userId);
    const { organizationId } = bank;
    assert.deepEqual(await everywhere(), [organizationId, organizationId, organizationId]);
  });

  test("what the bank says later stands beside a link to a user of another organization, and is asked about", async (t) => {
    const { trust, bank, evil, idp, clients, go, homeOf, whoAt, link, deactivate, vera } = await setUp(
      start,
      t,
      "none",
    );
    assert.equal(await trust.link(vera, idp, "vera", bank.owner.token), "200");
    assert.equal(await whoAt(clients.bank), bank.organizationId, "control");
    assert.equal((await link(evil.plain.loginName, evil.plain.password)).alert, undefined);
    assert.ok(!(await trust.links(vera)).some((each) => each.userId === "vera"), "the proof ends what the bank said");
    assert.equal(await trust.link(vera, idp, "vera", bank.owner.token), "200");
    const asked = await go(clients.bank);
    assert.match(asked.page.html, named("bank"));
    const pressed = await asked.browser.submit(asked.page, {}, { action: "/ui/login/external" });
    assert.equal(await homeOf(asked, pressed), bank.organizationId);
    assert.equal(await whoAt(clients.evil), evil.organizationId, "who has it by the user's proof");
    await deactivate(evil.plain.userId);
    assert.equal(await whoAt(clients.bank), bank.organizationId, "a user who cannot sign in is no question");
  });

  test("a user who was created on a link keeps the account from no organization", async (t) => {
    const { trust, bank, idp, clients, go, whoAt, addVera } = await setUp(start, t, "email", false);
    const first = await whoAt(clients.shop);
    assert.match(first, /^\d+$/, "nothing was pressed");
    const vera = await addVera();
    assert.equal(await trust.link(vera, idp, "vera", bank.owner.token), "200");
    const asked = await go(clients.bank, bank.organizationId);
    assert.match(asked.page.html, named("bank"));
    assert.equal(await whoAt(clients.shop), first);
  });

  test("within one organization a deactivated user keeps the account", async (t) => {
    const { server, trust, bank, idp, clients, whoAt, vera } = await setUp(start, t, "none");
    assert.equal(await trust.link(vera, idp, "vera", bank.owner.token), "200");
    const off = await server.rest("POST", `/v2/users/${vera}/deactivate`, { body: {}, token: bank.owner.token });
    assert.equal(off.status, 200);
    assert.match(await whoAt(clients.bank), /not active/);
    assert.equal(await trust.link(bank.plain.userId, idp, "vera", bank.owner.token), "409 identity_link.taken");
  });

  both("what another organization said before the provider changed hinders no recognition", async (t) => {
    const { server, trust, evil, idp, bank, clients, whoAt } = await setUp(start, t, "email");
    assert.equal(await trust.link(evil.plain.userId, idp, "vera", evil.owner.token), "200");
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    // As after the instance gave its provider another issuer.
    await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
      tx.run(sql`update identity_links set speaker = 'former' where user_id = ${evil.plain.userId}`),
    );
    assert.equal(await whoAt(clients.bank, bank.organizationId), bank.organizationId);
  });
});
