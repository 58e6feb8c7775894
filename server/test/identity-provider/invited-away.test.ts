import assert from "node:assert/strict";
import { isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { knowProvider } from "./attempts.ts";
import { addStaff, createTrust } from "./trusted.ts";

const address = "vera@mail.example";

serversInTurn((start, test) => {
  for (const by of ["the bank's word", "the bank's own newcomer", "nothing so far"]) {
    test(`an accepted invitation reaches its organization alone, where an account is another's by ${by} (A13)`, async (t) => {
      const server = await start(t);
      const provider = await startTestProvider(t, () => server.clock.now);
      const trust = createTrust(server);
      const [bank, evil] = [await addStaff(server, "bank"), await addStaff(server, "evil")];
      const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
      await changeSettings(server, "login", { identityProviderIds: [idp] });
      const clients = {
        shop: await addClient(server),
        bank: await addClient(server, {}, "Bank", bank.organizationId),
        evil: await addClient(server, {}, "Evil", evil.organizationId),
      };
      const vera = { sub: "vera", given_name: "Vera", family_name: "R", email: address, email_verified: true };
      const at = async (client: SignInClient, organizationId = "") => {
        server.clock.now += 10_000;
        provider.user = vera;
        const org = organizationId === "" ? "" : ` urn:service:iam:org:id:${organizationId}`;
        const { browser, page, codeVerifier } = await visit(server, client, {
          scope: `openid urn:service:iam:org:idp:id:${idp}${org}`,
        });
        const back = provider.signIn(page.address);
        const end = await browser.open(back.pathname + back.search);
        if (!isBack(end)) return `${end.title} ${/<bdi>[^<]*<\/bdi><\/strong> manages/.exec(end.html)?.[0] ?? ""}`;
        const { body } = await client.exchange(end.address, codeVerifier);
        const { sub } = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
        return (await server.rest("GET", `/v2/users/${sub}`)).body.user.details.resourceOwner;
      };
      if (by === "the bank's word")
        assert.equal(await trust.link(bank.plain.userId, idp, "vera", bank.owner.token), "200");
      const isKnown = by !== "nothing so far";
      if (isKnown) assert.equal(await at(clients.bank, bank.organizationId), bank.organizationId, "before");
      if (isKnown) assert.equal(await at(clients.bank), bank.organizationId, "before, without a scope");

      // Evil makes a user of its own, keeps the code of the invitation, and sends its link to Vera.
      const human = {
        profile: { givenName: "Vera", familyName: "R" },
        email: { email: "mole@evil.example", isVerified: false },
      };
      const body = { organizationId: evil.organizationId, username: "vera", human };
      const made = await server.connect("service.user.v2.UserService/CreateUser", body, { token: evil.owner.token });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const asked = await server.rest("POST", `/v2/users/${made.body.id}/invite_code`, {
        body: { returnCode: {} },
        token: evil.owner.token,
      });
      assert.equal(asked.status, 200, JSON.stringify(asked.body));
      const browser = new TestBrowser(server);
      const page = await browser.open(`/ui/login/invitation?user=${made.body.id}&code=${asked.body.inviteCode}`);
      const away = await browser.submit(page, { provider: idp });
      provider.user = vera;
      const back = provider.signIn(away.address);
      const question = await browser.open(back.pathname + back.search);
      const linked = await browser.submit(question, { decision: "link" });
      assert.match(linked.title, /^Accounts linked/);
      if (!isKnown) assert.equal(await trust.link(bank.plain.userId, idp, "vera", bank.owner.token), "200");
      assert.equal(await at(clients.bank, bank.organizationId), bank.organizationId);
      assert.equal(await at(clients.bank), bank.organizationId);
      assert.equal(await at(clients.evil, evil.organizationId), evil.organizationId, "the invitation was good");
      assert.notEqual(await at(clients.shop), evil.organizationId, "and counts there alone");
    });
  }
});
