import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createSession, refusalOf } from "../../factor/support.ts";
import { bodyAt, createTrust, isIn, linkingOptions } from "../../identity-provider/trusted.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../../support/sign-in/test-browser.ts";
import { enter, isBack, visit } from "../support/sign-in.ts";
import { codeTo, messagesTo } from "../support/sign-up.ts";

const address = "vera@mail.example";
const phone = "+41791234567";
const hers = "the owner of the address";
const theirs = "what the other account has";
const minute = 60_000;

interface Account {
  readonly organizationId: string;
  readonly username: string;
  readonly password: string;
  readonly isVerified?: boolean;
}

/** A home, and an organization whose owner makes accounts with addresses of others. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const [home, evil] = [await defaultOrganization(server), await addOrganization(server, "Evil")];
  const eve = await addPerson(server, { username: "eve", organizationId: evil });
  await appoint(server, eve, { organizationId: evil }, ["ORG_OWNER"]);
  const { token } = await sessionOf(server, eve);
  const client = await addClient(server);
  await changeSettings(server, "login", { disableLoginWithPhone: false });
  /** Makes a user with the address and the number. */
  const create = async ({ organizationId, username, password, isVerified }: Account): Promise<string> => {
    server.clock.now += minute;
    const human = {
      profile: { givenName: "Vera", familyName: "Real" },
      email: isVerified === true ? { email: address, isVerified } : { email: address },
      phone: { phone, sendCode: {} },
      password: { password },
    };
    const by = organizationId === evil ? { token } : {};
    const made = await server.connect(
      "service.user.v2.UserService/CreateUser",
      { organizationId, username, human },
      by,
    );
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.id;
  };
  const prove = async (userId: string, kind: "email" | "phone") => {
    server.clock.now += minute;
    const [method, recipient] = kind === "email" ? ["VerifyEmail", address] : ["VerifyPhone", phone];
    const verificationCode = await codeTo(server, recipient);
    assert.equal(await refusalOf(server, method, { userId, verificationCode }), "done");
  };
  const signIn = async (password: string, loginName = address) => {
    server.clock.now += 2 * 60 * minute;
    return isBack(await enter(await visit(server, client), { loginName, password }));
  };
  /** Whose account a reset by the address is for. */
  const resetOf = async (): Promise<string | undefined> => {
    server.clock.now += 2 * 60 * minute;
    const former = (await messagesTo(server, address)).length;
    const { browser, page } = await visit(server, client);
    const asked = await browser.submit(page, { login_name: address }, { action: "/ui/login" });
    await browser.submit(await browser.open(asked.address.replace("/password?", "/forgotten?")), {});
    const messages = await messagesTo(server, address);
    return messages.length === former ? undefined : messages[0]?.userId;
  };
  /** Whose session a login by the address makes through the API. */
  const sessionBy = async (loginName: string): Promise<string | undefined> => {
    const { status, body } = await createSession(server, { checks: { user: { loginName } } });
    if (status !== 200 && status !== 201) return undefined;
    const read = await server.rest("GET", `/v2/sessions/${body.sessionId}`);
    return read.body.session.factors.user.id;
  };
  return { server, home, evil, token, client, create, prove, signIn, resetOf, sessionBy };
}

serversInTurn((start, test) => {
  test("of several users who proved an address or a number, the first keeps it on every path (A12)", async (t) => {
    const { server, home, evil, token, create, prove, signIn, resetOf, sessionBy } = await setUp(start, t);
    const vera = await create({ organizationId: home, username: "vera", password: hers });
    await prove(vera, "email");
    await prove(vera, "phone");
    assert.equal(await signIn(hers), true);
    const decoy = await create({ organizationId: evil, username: "decoy", password: theirs });
    await prove(decoy, "email");
    await prove(decoy, "phone");

    assert.equal(await signIn(hers), true, "the later proof takes nothing away");
    assert.equal(await signIn(theirs), false);
    assert.equal(await signIn(theirs, "decoy@evil.localhost"), true, "the other account has its own name");
    assert.equal(await signIn(hers, phone), true, "so it is with a number");
    assert.equal(await signIn(theirs, phone), false);
    assert.equal(await resetOf(), vera);
    assert.equal(await sessionBy(address), vera);

    await t.test("a registration tells the first", async () => {
      await changeSettings(server, "login", { allowRegister: true });
      server.clock.now += 60 * minute;
      const former = (await messagesTo(server, address)).length;
      const { browser, page } = await visit(server, await addClient(server));
      const form = await browser.open(page.address.replace("/ui/login?", "/ui/login/register?"));
      await browser.submit(form, {
        given_name: "Vera",
        family_name: "Real",
        email: address,
        password: hers,
        new_password_repeated: hers,
      });
      const messages = await messagesTo(server, address);
      assert.equal(messages.length, former + 1);
      assert.equal(messages[0]?.userId, vera);
    });

    await t.test("beside the scope of a link, a provider matches the later one only after a question", async (st) => {
      const provider = await startTestProvider(st, () => server.clock.now);
      const trust = createTrust(server);
      const idpId = await trust.addTo("", undefined, bodyAt(provider, linkingOptions));
      provider.user = { ...provider.user, sub: "led", email: address, email_verified: true };
      const through = async (to: SignInClient): Promise<ShownPage> => {
        const { browser, page } = await visit(server, to, { scope: `openid urn:service:iam:org:id:${evil}` });
        const away = await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
        const back = provider.signIn(away.address);
        return browser.open(back.pathname + back.search);
      };
      const asked = await through(await addClient(server, {}, "Shop"));
      assert.ok(asked.address.startsWith("/ui/login/external"), asked.address);
      assert.match(asked.html, /<bdi>Evil<\/bdi>/);
      assert.deepEqual([...(await trust.links(vera)), ...(await trust.links(decoy))], []);
      assert.ok(isBack(await through(await addClient(server, {}, "Own", evil))), "an application of the organization");
      assert.equal((await trust.links(decoy)).length, 1);
    });

    await t.test("a provider matches the first", async (st) => {
      const provider = await startTestProvider(st, () => server.clock.now);
      const trust = createTrust(server);
      const idpId = await trust.addTo("", undefined, bodyAt(provider, linkingOptions));
      provider.user = { ...provider.user, sub: "vera", email: address, email_verified: true };
      assert.equal(isIn(await trust.throughPages("", idpId, provider)), true);
      assert.equal((await trust.links(vera)).length, 1);
      assert.equal((await trust.links(decoy)).length, 1, "as before");
    });

    await t.test("only users who may sign in count, as before", async () => {
      const move = (userId: string, what: string) =>
        server.rest("POST", `/v2/users/${userId}/${what}`, {
          body: {},
          token: userId === decoy ? token : server.ownerToken,
        });
      assert.equal((await move(vera, "deactivate")).status, 200);
      assert.equal(await signIn(theirs), true);
      assert.equal((await move(vera, "reactivate")).status, 200);
      assert.equal(await signIn(hers), true);
      assert.equal(await signIn(theirs), false);
    });

    await t.test("an address that is entered again is proven again", async () => {
      const set = (email: string) => refusalOf(server, "SetEmail", { userId: vera, email, sendCode: {} });
      assert.equal(await set("Vera@MAIL.example"), "done");
      assert.equal(await refusalOf(server, "SetEmail", { userId: vera, email: address, isVerified: true }), "done");
      assert.equal(await signIn(hers), true, "another spelling, and the word of an administrator, change nothing");
      assert.equal(await set("other@mail.example"), "done");
      assert.equal(await signIn(theirs), true);
      assert.equal(await set(address), "done");
      await prove(vera, "email");
      assert.equal(await signIn(theirs), true);
      assert.equal(await signIn(hers), false);
      assert.equal(await resetOf(), decoy);
    });
  });

  test("a reset of a prepared account leaves its address with the user who proved it (A12)", async (t) => {
    const { server, home, evil, token, create, prove, signIn, resetOf } = await setUp(start, t);
    const vera = await create({ organizationId: home, username: "vera", password: hers });
    await prove(vera, "email");
    const decoy = await create({ organizationId: evil, username: "decoy", password: theirs, isVerified: true });
    server.clock.now += minute;
    assert.equal(await refusalOf(server, "PasswordReset", { userId: decoy, sendLink: {} }, token), "done");
    const chosen = "a new one that she chose 77";
    const set = { userId: decoy, newPassword: { password: chosen }, verificationCode: await codeTo(server, address) };
    assert.equal(await refusalOf(server, "SetPassword", set), "done");
    assert.equal(await signIn(chosen, "decoy@evil.localhost"), true, "the code was good");
    assert.equal(await signIn(hers), true);
    assert.equal(await signIn(chosen), false);
    assert.equal(await resetOf(), vera);
  });

  test("a number means the user who proved it, and no user who was named after it (A12)", async (t) => {
    const { home, evil, create, prove, signIn } = await setUp(start, t);
    await create({ organizationId: evil, username: phone, password: theirs });
    assert.equal(await signIn(theirs, phone), true, "a username like any other so far");
    const vera = await create({ organizationId: home, username: "vera", password: hers });
    await prove(vera, "phone");
    assert.equal(await signIn(hers, phone), true);
    assert.equal(await signIn(theirs, phone), false);
    assert.equal(await signIn(theirs, `${phone}@evil.localhost`), true);
  });
});
