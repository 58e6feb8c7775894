import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { refusalOf } from "../../factor/support.ts";
import { addOwnedOrganization } from "../../support/people/owners.ts";
import { defaultOrganization } from "../../support/people/people.ts";
import { type Start, serversInTurn } from "../../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { visit } from "../support/sign-in.ts";
import { codeTo, messagesTo } from "../support/sign-up.ts";

const phone = "+41791112233";
const [mailbox, tagged] = ["vera@mail.example", "vera+shop@mail.example"];

/** Users who have addresses and numbers, and an organization that makes users with the same. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const home = await defaultOrganization(server);
  const { organizationId: evil, token } = await addOwnedOrganization(server, "Evil");
  const names = new Map<string, string>();
  const create = async (organizationId: string, username: string, more: object, by: object = {}) => {
    const human = {
      profile: { givenName: "Vera", familyName: "Real" },
      password: { password: "of the owner" },
      ...more,
    };
    const body = { organizationId, username, human };
    const made = await server.connect("service.user.v2.UserService/CreateUser", body, by);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    names.set(made.body.id, username);
    return made.body.id as string;
  };
  /** A user of the default organization who proves address and number. */
  const prove = async (username: string, email: string, number?: string) => {
    const numbered = number === undefined ? {} : { phone: { phone: number } };
    const userId = await create(home, username, { email: { email }, ...numbered });
    const verificationCode = await codeTo(server, email);
    assert.equal(await refusalOf(server, "VerifyEmail", { userId, verificationCode }), "done");
    if (number === undefined) return;
    const proof = { userId, verificationCode: await codeTo(server, number) };
    assert.equal(await refusalOf(server, "VerifyPhone", proof), "done");
  };
  /** A user of Evil's, by its word. */
  const claim = (username: string, email: string, number?: string) => {
    const numbered = number === undefined ? {} : { phone: { phone: number, isVerified: true } };
    return create(evil, username, { email: { email, isVerified: true }, ...numbered }, { token });
  };
  const all = async () =>
    (await Promise.all([mailbox, tagged, "own@mail.example"].map((to) => messagesTo(server, to)))).flat();
  /** Asks for a reset; returns whose messages are sent, and what the page before shows. */
  const reset = async (name: string, client: SignInClient, parameters: Record<string, string>) => {
    server.clock.now += 2 * 60 * 60_000;
    const former = new Set((await all()).map(({ notificationId }) => notificationId));
    const { browser, page } = await visit(server, client, parameters);
    const asked = await browser.submit(page, { login_name: name }, { action: "/ui/login" });
    const form = await browser.open(asked.address.replace("/password?", "/forgotten?"));
    const sent = await browser.submit(form, {});
    const fresh = (await all()).filter(({ notificationId }) => !former.has(notificationId));
    return { users: fresh.map(({ userId }) => names.get(userId ?? "")), pages: [asked, form, sent] };
  };
  const scope = `openid urn:service:iam:org:id:${evil}`;
  return { server, evil, prove, claim, reset, scope };
}

serversInTurn((start, test) => {
  test("no reset goes to the address of another user for a name that a link filled in (A16)", async (t) => {
    const { server, evil, prove, claim, reset, scope } = await setUp(start, t);
    await prove("vera", mailbox);
    await claim(mailbox, mailbox);
    await claim("own", "own@mail.example");
    const [client, ofEvil] = [await addClient(server), await addClient(server, {}, "Own", evil)];
    const whole = `${mailbox}@evil.localhost`;
    for (const beside of [{}, { scope }]) {
      const hinted = await reset(whole, client, { ...beside, login_hint: whole });
      assert.deepEqual(hinted.users, []);
      for (const { address, html } of hinted.pages) {
        assert.ok(html.includes(`Signing in as </span><bdi>${whole}<`), `${address} shows the whole name`);
      }
      const own = "own@evil.localhost";
      assert.deepEqual((await reset(own, client, { ...beside, login_hint: own })).users, ["own"], "of no other user");
      assert.deepEqual((await reset(whole, client, { ...beside })).users, [mailbox], "a name that was typed");
      assert.deepEqual(
        (await reset(whole, ofEvil, { ...beside, login_hint: whole })).users,
        [mailbox],
        "its application",
      );
    }
    assert.deepEqual((await reset(mailbox, client, { login_hint: mailbox })).users, ["vera"], "her own address");
  });

  test("beside a stranger's scope no reset goes out for a number that means another user (A16)", async (t) => {
    const { server, evil, prove, claim, reset, scope } = await setUp(start, t);
    await prove("vera", "elsewhere@mail.example", phone);
    // Evil knows another address of theirs.
    await claim("decoy", mailbox, phone);
    await claim("own", "own@mail.example", "+41791112244");
    await claim("+41791112255", tagged, "+41791112255");
    await prove("nina", "nina@mail.example", "+41791112255");
    const [client, ofEvil] = [await addClient(server), await addClient(server, {}, "Own", evil)];
    assert.deepEqual((await reset(phone, client, { scope })).users, []);
    assert.deepEqual((await reset("+41 79 111 22 33", client, { scope })).users, []);
    assert.deepEqual((await reset("+41791112255", client, { scope })).users, [], "a number that is a username as well");
    assert.deepEqual((await reset("+41791112244", client, { scope })).users, ["own"], "a number of no other user");
    assert.deepEqual((await reset(phone, ofEvil, { scope })).users, ["decoy"], "an application of the organization");
  });

  test("beside a stranger's scope no reset goes to a mailbox that another user has in any spelling (A16)", async (t) => {
    const { server, evil, prove, claim, reset, scope } = await setUp(start, t);
    await prove("vera", tagged);
    await prove("nina", "own+shop@other.example");
    await claim("decoy", mailbox);
    await claim("own", "own@mail.example");
    const [client, ofEvil] = [await addClient(server), await addClient(server, {}, "Own", evil)];
    assert.deepEqual((await reset("decoy", client, { scope })).users, []);
    assert.deepEqual((await reset("own", client, { scope })).users, ["own"], "the mailbox of no other user");
    assert.deepEqual((await reset("decoy", ofEvil, { scope })).users, ["decoy"], "an application of the organization");
    // A later word of a third organization takes nothing from a user whose address was verified first.
    const third = await addOwnedOrganization(server, "Third");
    const human = {
      profile: { givenName: "Own", familyName: "Other" },
      email: { email: "own+1@mail.example", isVerified: true },
    };
    const body = { organizationId: third.organizationId, username: "later", human };
    const { status } = await server.connect("service.user.v2.UserService/CreateUser", body, { token: third.token });
    assert.equal(status, 200);
    assert.deepEqual((await reset("own", client, { scope })).users, ["own"]);
  });
});
