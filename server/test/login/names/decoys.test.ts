import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { inboxOf, refusalOf } from "../../factor/support.ts";
import { setUpOidc } from "../../support/oidc/oidc.ts";
import {
  addOrganization,
  addPerson,
  appoint,
  defaultOrganization,
  goodPassword,
  sessionOf,
} from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { enter, isBack, visit } from "../support/sign-in.ts";

const address = "admin@example.com";
const hers = "the owner of the address";

interface Account {
  readonly organizationId: string;
  readonly username: string;
  readonly password: string;
  readonly isVerified: boolean;
  readonly phone?: string;
}

async function create(server: TestServer, account: Account, token = server.ownerToken): Promise<string> {
  const { organizationId, username, password, isVerified, phone } = account;
  const email = isVerified ? { email: address, isVerified } : { email: address };
  const { status, body } = await server.connect(
    "service.user.v2.UserService/CreateUser",
    {
      organizationId,
      username,
      human: {
        profile: { givenName: "Given", familyName: "Family" },
        email,
        password: { password },
        ...(phone !== undefined && { phone: { phone, isVerified: true } }),
      },
    },
    { token },
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** An organization whose owner prepares accounts with addresses of others. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const [home, evil] = [await defaultOrganization(server), await addOrganization(server, "Evil")];
  const eve = await addPerson(server, { username: "eve", organizationId: evil });
  await appoint(server, eve, { organizationId: evil }, ["ORG_OWNER"]);
  const { token } = await sessionOf(server, eve);
  return { server, home, evil, token, client: await addClient(server) };
}

serversInTurn((start, test) => {
  test("an account prepared earlier gets neither the sign-in nor the reset of an address", async (t) => {
    const { server, home, evil, token, client } = await setUp(start, t);
    const phone = "+41791234567";
    for (const username of ["early", "earlier", "earliest"]) {
      await create(server, { organizationId: evil, username, password: goodPassword, isVerified: true, phone }, token);
    }
    server.clock.now += 60_000;
    const userId = await create(server, {
      organizationId: home,
      username: "root",
      password: hers,
      isVerified: true,
      phone,
    });
    const signIn = async (password: string, loginName = address) =>
      isBack(await enter(await visit(server, client), { loginName, password }));
    assert.equal(await signIn(hers), true, "the word of the instance's administrator counts everywhere");
    assert.equal(await signIn(goodPassword), false);
    await changeSettings(server, "login", { disableLoginWithPhone: false });
    assert.equal(await signIn(hers, phone), true, "so it does for a number");

    const { browser, page } = await visit(server, client);
    const asked = await browser.submit(page, { login_name: address });
    await browser.submit(await browser.open(asked.address.replace("/password?", "/forgotten?")), {});
    const resets = (await inboxOf(server, address)).filter(({ text }) => text.includes("password-reset"));
    assert.equal(resets.length, 1);
    assert.match(resets[0]?.text ?? "", new RegExp(userId));
  });

  test("where two tenants vouch for one address, the first word counts, and a code beats both", async (t) => {
    const { server, evil, token, client } = await setUp(start, t);
    const home = await addOrganization(server, "Home");
    const hugo = await addPerson(server, { username: "hugo", organizationId: home });
    await appoint(server, hugo, { organizationId: home }, ["ORG_OWNER"]);
    const homeToken = (await sessionOf(server, hugo)).token;
    await create(server, { organizationId: evil, username: "fake", password: goodPassword, isVerified: true }, token);
    server.clock.now += 60_000;
    const root = { organizationId: home, username: "root", password: hers, isVerified: false };
    const userId = await create(server, root, homeToken);
    const signIn = async (password: string) =>
      isBack(await enter(await visit(server, client), { loginName: address, password }));
    assert.equal(await signIn(goodPassword), true);
    const [message] = await inboxOf(server, address);
    const code = /\b[A-Z0-9]{6}\b/.exec(message?.text ?? "")?.[0] ?? "";
    assert.equal(await refusalOf(server, "VerifyEmail", { userId, verificationCode: code }), "done");
    assert.equal(await signIn(hers), true);
    assert.equal(await signIn(goodPassword), false);
  });

  test("a sign-in application sends resets to proven addresses alone (A14)", async (t) => {
    const { server, home, evil, token } = await setUp(start, t);
    const { loginToken } = await setUpOidc(server);
    const decoy = await create(
      server,
      { organizationId: evil, username: "decoy", password: goodPassword, isVerified: false },
      token,
    );
    const own = await create(server, { organizationId: home, username: "root", password: hers, isVerified: true });
    const reset = (userId: string, by?: string) => refusalOf(server, "PasswordReset", { userId, sendLink: {} }, by);
    assert.equal(await reset(decoy, loginToken), "user.email_unverified");
    assert.equal(await reset(own, loginToken), "done");
    assert.equal(await reset(decoy, token), "done", "an administrator of the organization answers for the address");
  });

  test("a message names the account that it is about, whatever texts its organization has", async (t) => {
    const { server, home, evil, token, client } = await setUp(start, t);
    await create(server, { organizationId: evil, username: address, password: goodPassword, isVerified: true }, token);
    const custom = await server.rest("PUT", "/management/v1/text/message/passwordreset/en", {
      body: { subject: "Your own account", text: "Enter {{.Code}}", footerText: "" },
      headers: { "x-service-orgid": evil },
    });
    assert.equal(custom.status, 200, JSON.stringify(custom.body));
    const { browser, page } = await visit(server, client);
    const asked = await browser.submit(page, { login_name: address });
    await browser.submit(await browser.open(asked.address.replace("/password?", "/forgotten?")), {});
    const [reset] = (await inboxOf(server, address)).filter(({ text }) => text.includes("password-reset"));
    assert.match(reset?.text ?? "", /Account: admin@example\.com \(Evil\)/);
    assert.match(reset?.html ?? "", /admin@example\.com \(Evil\)/);

    await create(server, { organizationId: home, username: "root", password: hers, isVerified: false });
    const [verify] = (await inboxOf(server, address)).filter(({ text }) => text.includes("root@"));
    assert.match(verify?.text ?? "", /Account: root@doorward\.localhost \(\S.*\)/);
  });
});
