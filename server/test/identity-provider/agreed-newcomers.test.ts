import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { knowProvider } from "./attempts.ts";
import { addStaff } from "./trusted.ts";

const address = "vera@mail.example";

/** Two organizations, and a provider whose new users press a button before they are created. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const [accomplice, evil] = [await addStaff(server, "accomplice"), await addStaff(server, "evil")];
  const idp = await knowProvider(server, provider, { options: { isAutoCreation: false } });
  await changeSettings(server, "login", { identityProviderIds: [idp] });
  const clients = {
    shop: await addClient(server),
    evil: await addClient(server, {}, "Lure", evil.organizationId),
  };
  const go = async (client: SignInClient, isScoped = client === clients.evil, email = address) => {
    server.clock.now += 10_000;
    provider.user = { sub: "vera", given_name: "Vera", family_name: "R", email, email_verified: true };
    const {
      browser,
      page: away,
      codeVerifier,
    } = await visit(server, client, {
      scope: `openid urn:service:iam:org:idp:id:${idp}${isScoped ? ` urn:service:iam:org:id:${evil.organizationId}` : ""}`,
    });
    const back = provider.signIn(away.address);
    return { client, browser, codeVerifier, page: await browser.open(back.pathname + back.search) };
  };
  type Gone = Awaited<ReturnType<typeof go>>;
  const homeOf = async ({ client, codeVerifier }: Gone, page: ShownPage): Promise<string> => {
    if (!isBack(page)) return `${page.address} ${/<title>(.*?)<\/title>/.exec(page.html)?.[1]}`;
    const { body } = await client.exchange(page.address, codeVerifier);
    const { sub } = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    return (await server.rest("GET", `/v2/users/${sub}`)).body.user.details.resourceOwner;
  };
  const press = async (gone: Gone) =>
    homeOf(gone, await gone.browser.submit(gone.page, {}, { action: "/ui/login/external" }));
  /** Where the address of the user in the organization counts; undefined for the whole instance. */
  const reachOf = async (): Promise<string | undefined> => {
    const queries = [{ emailQuery: { emailAddress: address } }];
    const found = await server.rest("POST", "/v2/users", { body: { queries } });
    const users = (found.body.result ?? []) as { userId: string; details: { resourceOwner: string } }[];
    const its = users.find(({ details }) => details.resourceOwner === evil.organizationId);
    assert.ok(its);
    return (await server.rest("GET", `/v2/users/${its.userId}`)).body.user.human.email.proof.organizationId;
  };
  const addAtAccomplice = async () => {
    const profile = { givenName: "V", familyName: "X" };
    const human = { profile, email: { email: address, isVerified: true } };
    const body = { organizationId: accomplice.organizationId, username: "v", human };
    const made = await server.connect("service.user.v2.UserService/CreateUser", body, {
      token: accomplice.owner.token,
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.id as string;
  };
  return { server, evil, clients, go, press, homeOf, reachOf, addAtAccomplice };
}

const question = /manages your account/;

serversInTurn((start, test) => {
  test("a new user who was shown no question belongs to the organization alone", async (t) => {
    const { evil, clients, go, press, reachOf } = await setUp(start, t);
    const gone = await go(clients.evil);
    assert.doesNotMatch(gone.page.html, question);
    assert.equal(await press(gone), evil.organizationId);
    assert.equal(await reachOf(), evil.organizationId);
    const shop = await go(clients.shop);
    assert.match(shop.page.html, question, "others ask");
  });

  test("once they agree, the log says that account and address count everywhere", async (t) => {
    const { server, clients, go, press } = await setUp(start, t);
    await press(await go(clients.evil));
    const recorded = async () => (await recordedEvents(server)).map(({ type }) => type);
    const before = await recorded();
    await press(await go(clients.shop, true));
    const types = (await recorded()).slice(before.length);
    assert.equal(types.filter((type) => type === "user.human.externalidp.added").length, 1);
    assert.equal(types.filter((type) => type === "user.email.verified").length, 1);
    const again = await go(clients.shop);
    assert.ok(isBack(again.page), "and nothing asks again");
  });

  test("an address counts everywhere only while the provider vouches for it", async (t) => {
    for (const [email, isWide] of [
      ["another@mail.example", false],
      ["Vera@mail.example", true],
    ] as const) {
      const { evil, clients, go, press, reachOf } = await setUp(start, t);
      await press(await go(clients.evil));
      assert.equal(await press(await go(clients.shop, true, email)), evil.organizationId);
      assert.equal(await reachOf(), isWide ? undefined : evil.organizationId);
    }
  });

  test("what becomes known while the page is open is asked before anything is made of it (A13)", async (t) => {
    const { evil, clients, go, homeOf, reachOf, addAtAccomplice } = await setUp(start, t);
    const gone = await go(clients.evil);
    assert.doesNotMatch(gone.page.html, question);
    await addAtAccomplice();
    const asked = await gone.browser.submit(gone.page, {}, { action: "/ui/login/external" });
    assert.equal(isBack(asked), false);
    assert.match(asked.html, question);
    assert.match(asked.html, /<bdi>evil<\/bdi>/);
    const agreed = await gone.browser.submit(asked, {}, { action: "/ui/login/external" });
    assert.equal(await homeOf(gone, agreed), evil.organizationId);
    assert.equal(await reachOf(), undefined, "the user agreed on a page that named it");
  });

  test("so is an organization whose grant ends while the page is open", async (t) => {
    for (const isEnded of [false, true]) {
      const { server, evil, clients, go, reachOf } = await setUp(start, t);
      const projects = "service.project.v2.ProjectService";
      const { projectId } = clients.shop;
      const ok = async (path: string, body: object, as: object = {}) => {
        const answer = await server.connect(path, body, as);
        assert.equal(answer.status, 200, path + JSON.stringify(answer.body));
      };
      await ok(`${projects}/AddProjectRole`, { projectId, roleKey: "guest", displayName: "Guest" });
      const grant = { projectId, grantedOrganizationId: evil.organizationId };
      await ok(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: ["guest"] });
      const { organizationId } = evil;
      const over = { userId: evil.plain.userId, projectId, organizationId, roleKeys: ["guest"] };
      const as = { token: evil.owner.token };
      await ok("service.authorization.v2.AuthorizationService/CreateAuthorization", over, as);
      const gone = await go(clients.shop, true);
      assert.doesNotMatch(gone.page.html, question);
      if (isEnded) await ok(`${projects}/DeactivateProjectGrant`, grant, as);
      const pressed = await gone.browser.submit(gone.page, {}, { action: "/ui/login/external" });
      assert.equal(isBack(pressed), !isEnded);
      if (isEnded) assert.match(pressed.html, question);
      else assert.equal(await reachOf(), organizationId);
    }
  });
});
