import assert from "node:assert/strict";
import { callUser, refusalOf } from "../../factor/support.ts";
import { knowProvider } from "../../identity-provider/attempts.ts";
import { fetch } from "../../support/http/fetch.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { addServiceAccount } from "../../support/people/owners.ts";
import { appoint, defaultOrganization } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { isBack, visit } from "../support/sign-in.ts";
import { findPeople, messagesTo } from "../support/sign-up.ts";

const address = "vera@mail.example";
const own = "a sentence that only vera knows";

const optionsOf = ({ html }: ShownPage) =>
  JSON.parse(
    (/data-passkey-options="([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );

serversInTurn((start, test) => {
  for (const by of ["password", "passkey", "provider", "API"] as const) {
    test(`an account that begins by ${by} ends sessions, tokens and codes from before`, async (t) => {
      const server = await start(t);
      const home = await defaultOrganization(server);
      const login = await addServiceAccount(server, home, "custom-login");
      await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
      const provider = await startTestProvider(t, () => server.clock.now);
      const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
      await changeSettings(server, "login", { identityProviderIds: [idp], ignoreUnknownUsernames: false });
      const client = await addClient(server);
      const person = { given_name: "V", family_name: "R", email: address };
      const scope = `openid offline_access urn:service:iam:org:idp:id:${idp}`;
      // Mallory's account at the provider, with an address that is not theirs.
      provider.user = { ...person, sub: "mallory", email_verified: false };
      const { browser: mallory, page, codeVerifier } = await visit(server, client, { scope });
      const answer = provider.signIn(page.address);
      const back = await mallory.open(answer.pathname + answer.search);
      assert.ok(isBack(back));
      const { body: tokens } = await client.exchange(back.address, codeVerifier);
      const [{ userId } = assert.fail()] = await findPeople(server, address);
      const byCode = { userId, returnCode: {} };
      const { code: passkeyCode } = await callUser(server, "CreatePasskeyRegistrationLink", byCode);
      server.clock.now += 60_000;
      await callUser(server, "CreateInviteCode", { userId, sendCode: {} }, login.token);
      const [{ code: invitation = "" } = assert.fail()] = await messagesTo(server, address);

      const vera = new TestBrowser(server);
      const path = `/ui/login/invitation?user=${userId}&code=${invitation}`;
      const accept: Record<typeof by, () => Promise<void>> = {
        password: async () => {
          const fields = { new_password: own, new_password_repeated: own };
          assert.match((await vera.submit(await vera.open(path), fields)).address, /password-set/);
        },
        passkey: async () => {
          const asked = await vera.submit(await vera.open(path), { with: "passkey", passkeys: "1" });
          const device = createAuthenticator({ origin: "http://localhost" });
          const credential = JSON.stringify(device.create(optionsOf(asked)));
          const done = await vera.submit(asked, { credential, passkey_name: "Vera's" });
          assert.equal(done.address, "/ui/login/passkey/done");
        },
        provider: async () => {
          const away = await vera.submit(await vera.open(path), { provider: idp });
          provider.user = { ...person, sub: "vera", email_verified: true };
          const returned = provider.signIn(away.address);
          const question = await vera.open(returned.pathname + returned.search);
          assert.match((await vera.submit(question, { decision: "link" })).title, /^Accounts linked/);
        },
        API: async () => {
          await callUser(server, "VerifyInviteCode", { userId, verificationCode: invitation }, login.token);
        },
      };
      await accept[by]();
      const again = await visit(server, client, { prompt: "none" }, mallory);
      assert.equal(isBack(again.page), false, "the session of before");
      const refresh = { client_id: client.clientId, grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      const refreshed = await fetch(`${server.origin}/oauth/v2/token`, {
        method: "POST",
        body: new URLSearchParams(refresh),
      });
      assert.match(await refreshed.text(), /"invalid_grant"/, "its tokens");
      assert.match((await mallory.open("/ui/account")).address, /^\/ui\/login/);
      const registration = { userId, code: passkeyCode, domain: "localhost" };
      assert.notEqual(await refusalOf(server, "RegisterPasskey", registration, login.token), "done", "codes");
      provider.user = { ...person, sub: "mallory", email_verified: false };
      server.clock.now += 10_000;
      const other = await visit(server, client, { scope });
      const leads = provider.signIn(other.page.address);
      assert.equal(isBack(await other.browser.open(leads.pathname + leads.search)), false, "accounts at providers");
      if (by !== "provider") return;
      provider.user = { ...person, sub: "vera", email_verified: true };
      const hers = await visit(server, client, { scope });
      const leadsHome = provider.signIn(hers.page.address);
      assert.ok(isBack(await hers.browser.open(leadsHome.pathname + leadsHome.search)), "and its owner signs in");
    });
  }
});
