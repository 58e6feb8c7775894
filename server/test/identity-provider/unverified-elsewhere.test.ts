import assert from "node:assert/strict";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { knowProvider } from "./attempts.ts";
import { addStaff } from "./trusted.ts";

const address = "vera@mail.example";
const password = "a long sentence of vera's own";

serversInTurn((start, test) => {
  for (const isVerified of [true, false]) {
    test(`a link takes no name from a user whose address is ${isVerified ? "" : "not "}verified (A13)`, async (t) => {
      const server = await start(t);
      const provider = await startTestProvider(t, () => server.clock.now);
      const bank = await addStaff(server, "bank");
      const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
      await changeSettings(server, "login", { identityProviderIds: [idp] });
      const shop = await addClient(server);
      const human = {
        profile: { givenName: "Vera", familyName: "Real" },
        email: { email: address, isVerified },
        password: { password },
      };
      const body = { organizationId: bank.organizationId, username: address, human };
      const made = await server.connect("service.user.v2.UserService/CreateUser", body, { token: bank.owner.token });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const byPassword = async () => {
        server.clock.now += 60_000;
        return isBack(await enter(await visit(server, shop), { loginName: address, password }));
      };
      assert.ok(await byPassword(), "control: signs in with name and password");
      provider.user = { sub: "vera", given_name: "Vera", family_name: "R", email: address, email_verified: true };
      const { browser, page } = await visit(server, shop, { scope: `openid urn:service:iam:org:idp:id:${idp}` });
      const back = provider.signIn(page.address);
      const end = await browser.open(back.pathname + back.search);
      assert.match(end.html, /manages your account/);
      assert.ok(await byPassword(), "the bank's user keeps the name");
      assert.ok(isBack(await browser.submit(end, {}, { action: "/ui/login/external" })), "and the visitor may agree");
    });
  }
});
