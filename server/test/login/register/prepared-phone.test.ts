import assert from "node:assert/strict";
import { callUser, refusalOf } from "../../factor/support.ts";
import { addServiceAccount } from "../../support/people/owners.ts";
import { appoint, defaultOrganization } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { signedIn, visit } from "../support/sign-in.ts";
import { codeTo, grace, isAsked, messagesTo } from "../support/sign-up.ts";

const address = "vera@mail.example";
const phone = "+41791112233";

/** An account that a sign-in application made with an address that its user has not proven, and a number if given. */
async function setUp(server: TestServer, number?: string) {
  await changeSettings(server, "login", { allowRegister: true });
  const home = await defaultOrganization(server);
  const login = await addServiceAccount(server, home, "custom-login");
  await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
  const human = {
    profile: { givenName: "Vera", familyName: "Real" },
    email: { email: address, sendCode: {} },
    password: { password: "what mallory knows and nobody else" },
    ...(number !== undefined && { phone: { phone: number, sendCode: {} } }),
  };
  const { id: userId } = await callUser(server, "CreateUser", { organizationId: home, human }, login.token);
  return { login, userId };
}

/** What the owner of the address gets after they register with it on the hosted pages. */
async function registeredWith(server: TestServer) {
  const { browser, page } = await visit(server, await addClient(server), { prompt: "create" });
  assert.ok(isAsked(await browser.submit(page, { ...grace, email: address })));
  return (await messagesTo(server, address))[0];
}

serversInTurn((start, test) => {
  test("an account with a number, proven or not, is not begun with the message to its address", async (t) => {
    for (const isProven of [true, false]) {
      const server = await start(t);
      const { login, userId } = await setUp(server, phone);
      if (isProven) {
        const verificationCode = await codeTo(server, phone);
        assert.equal(await refusalOf(server, "VerifyPhone", { userId, verificationCode }, login.token), "done");
      }
      assert.notEqual((await registeredWith(server))?.kind, "initialization");
    }
  });

  test("one that has nothing but a password is begun, and the former password ends", async (t) => {
    const server = await start(t);
    const { userId } = await setUp(server);
    const message = await registeredWith(server);
    assert.equal(message?.kind, "initialization");
    const own = "a sentence that only vera knows";
    const browser = new TestBrowser(server);
    const form = await browser.open(`/ui/login/initialization?user=${userId}&code=${message?.code}`);
    const set = await browser.submit(form, { new_password: own, new_password_repeated: own });
    assert.match(set.address, /password-set/);
    await signedIn(server, { loginName: address, password: own });
    await assert.rejects(signedIn(server, { loginName: address, password: "what mallory knows and nobody else" }));
  });
});
