import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { authorOfNothing, formatAuthor } from "../../../src/call/index.ts";
import { sql } from "../../../src/database/index.ts";
import { callUser, refusalOf } from "../../factor/support.ts";
import { knowProvider, provenAttempt } from "../../identity-provider/attempts.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { testCall } from "../../support/operations/call.ts";
import { addServiceAccount } from "../../support/people/owners.ts";
import { addPerson, appoint, defaultOrganization, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../../support/servers/each-server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { signedIn } from "../support/sign-in.ts";
import { codeTo, instanceOf } from "../support/sign-up.ts";

const address = "vera@mail.example";
const own = "a sentence that only vera knows";
const known = "what mallory alone knows";
const profile = { givenName: "Vera", familyName: "Real" };
const unproven = "identity_link.unproven";

/** A sign-in application that makes accounts with unproven addresses, and a provider that Mallory signs in at. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const home = await defaultOrganization(server);
  const login = await addServiceAccount(server, home, "custom-login");
  await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
  const provider = await startTestProvider(t, () => server.clock.now);
  const idpId = await knowProvider(server, provider);
  await changeSettings(server, "login", { identityProviderIds: [idpId] });
  provider.user = { sub: "mallory", given_name: "M", family_name: "M", email: "m@evil.example", email_verified: true };
  const attempt = () => provenAttempt(server, provider, idpId);
  const read = async (token: string, made?: Awaited<ReturnType<typeof attempt>>) => {
    const intent = made ?? (await attempt());
    await callUser(server, "RetrieveIdentityProviderIntent", intent, token);
    return intent;
  };
  const account = { idpId, userId: "mallory", userName: "mallory" };
  const newUser = (more: object = {}) => ({
    organizationId: home,
    human: { profile, email: { email: address, sendCode: {} }, ...more },
  });
  const signIn = async (userId: string): Promise<boolean> => {
    server.clock.now += 10_000;
    const checks = { user: { userId }, idpIntent: await attempt() };
    return (await server.rest("POST", "/v2/sessions", { body: { checks }, token: login.token })).status === 201;
  };
  const begin = async (userId: string) => {
    server.clock.now += 60_000;
    await callUser(server, "CreateInviteCode", { userId, sendCode: {} }, login.token);
    const browser = new TestBrowser(server);
    const form = await browser.open(`/ui/login/invitation?user=${userId}&code=${await codeTo(server, address)}`);
    const set = await browser.submit(form, { new_password: own, new_password_repeated: own });
    assert.match(set.address, /password-set/, set.html);
    await signedIn(server, { loginName: address, password: own });
  };
  return { server, home, login, account, read, newUser, signIn, begin };
}

serversInTurn((start, test, both) => {
  test("a sign-in application links no account without a proof, even if it had one", async (t) => {
    const { server, login, account, read, newUser, signIn, begin } = await setUp(start, t);
    const other = await sessionOf(server, await addPerson(server, { username: "mallory" }));
    const accounts = { idpLinks: [account] };
    const create = () => refusalOf(server, "CreateUser", newUser(accounts), login.token);
    assert.equal(await create(), unproven, "without an attempt");
    const intent = await read(login.token);
    await read(other.token, intent);
    assert.equal(await create(), unproven, "another caller read the attempt");
    await read(login.token);
    server.clock.now += 61 * 60_000;
    assert.equal(await create(), unproven, "too late");

    const person = await addPerson(server, { username: "vera" });
    const checks = { user: { userId: person.userId }, password: { password: person.password } };
    assert.equal((await server.rest("POST", "/v2/sessions", { body: { checks }, token: login.token })).status, 201);
    const link = { userId: person.userId, idpLink: account };
    assert.equal(await refusalOf(server, "AddIDPLink", link, login.token), unproven);

    await read(login.token);
    const { id: userId } = await callUser(server, "CreateUser", newUser(accounts), login.token);
    assert.equal(await signIn(userId), true, "with its proof");
    await begin(userId);
    assert.equal(await signIn(userId), false, "which ends when the account begins");
  });

  test("nor after the message with which an account begins was sent", async (t) => {
    const { server, login, account, read, newUser, signIn } = await setUp(start, t);
    const created = newUser({ password: { password: known } });
    const { id: userId } = await callUser(server, "CreateUser", created, login.token);
    const checks = { user: { userId }, password: { password: known } };
    assert.equal((await server.rest("POST", "/v2/sessions", { body: { checks }, token: login.token })).status, 201);
    const link = { userId, idpLink: account };
    assert.equal(await refusalOf(server, "AddIDPLink", link, login.token), unproven);
    await read(login.token);
    assert.equal(await refusalOf(server, "AddIDPLink", link, login.token), "done", "with its proof");
    assert.equal(await signIn(userId), true);
  });

  both("a beginning ends the links that were passed on before, and none of those who manage the user", async (t) => {
    for (const by of ["application", "manager", "application that manages"] as const) {
      const { server, home, login, account, newUser, signIn, begin } = await setUp(start, t);
      if (by === "application that manages")
        await appoint(server, login, { organizationId: home }, ["ORG_USER_MANAGER"]);
      const manager = await addPerson(server, { username: "manager" });
      await appoint(server, manager, { organizationId: home }, ["ORG_USER_MANAGER"]);
      const token = by === "application that manages" ? login.token : (await sessionOf(server, manager)).token;
      const { id: userId } = await callUser(server, "CreateUser", newUser({ idpLinks: [account] }), token);
      // As sign-in applications could have made it earlier.
      if (by === "application") {
        const call = testCall({ instanceId: await instanceOf(server), now: server.clock.now });
        await server.app.domain.database.touch(call, (tx) =>
          tx.run(sql`update identity_links set author = ${formatAuthor(authorOfNothing)}
            where instance_id = ${tx.instanceId} and user_id = ${userId}`),
        );
      }
      assert.equal(await signIn(userId), true, by);
      await begin(userId);
      assert.equal(await signIn(userId), by !== "application", by);
    }
  });
});
