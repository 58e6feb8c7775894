import assert from "node:assert/strict";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { knowProvider } from "./attempts.ts";
import { addStaff } from "./trusted.ts";

const address = "vera@mail.example";
const password = "a long sentence of vera's own";

serversInTurn((start, test) => {
  for (const isChanged of [false, true]) {
    const title = isChanged
      ? "is asked about another organization by then"
      : "becomes a user of the one that was named";
    test(`a user who agrees on a page ${title} (A13)`, async (t) => {
      const server = await start(t);
      const provider = await startTestProvider(t, () => server.clock.now);
      const [bank, evil] = [await addStaff(server, "bank"), await addStaff(server, "evil")];
      const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
      const common = { identityProviderIds: [idp], ignoreUnknownUsernames: false };
      await changeSettings(server, "login", common);
      await changeSettings(
        server,
        "login",
        { ...common, allowLocalAuthentication: false, allowExternalIdp: true },
        evil.organizationId,
      );
      const shop = await addClient(server);
      const ok = async (path: string, body: object, as: object = {}) => {
        const answer = await server.connect(path, body, as);
        assert.equal(answer.status, 200, path + JSON.stringify(answer.body));
        return answer.body;
      };
      // Vera is a user of the bank, with a password, by the bank's word.
      const human = {
        profile: { givenName: "Vera", familyName: "Real" },
        email: { email: address, isVerified: true },
        password: { password },
      };
      const body = { organizationId: bank.organizationId, username: "vera", human };
      await ok("service.user.v2.UserService/CreateUser", body, { token: bank.owner.token });
      const byPassword = async () => {
        server.clock.now += 60_000;
        return isBack(await enter(await visit(server, await addClient(server)), { loginName: address, password }));
      };
      assert.ok(await byPassword(), "control");

      const projects = "service.project.v2.ProjectService";
      const { projectId } = shop;
      await ok(`${projects}/AddProjectRole`, { projectId, roleKey: "guest", displayName: "Guest" });
      const grant = { projectId, grantedOrganizationId: evil.organizationId, roleKeys: ["guest"] };
      const home = await defaultOrganization(server);
      const owner = await addPerson(server, { username: "owner-home", organizationId: home });
      await appoint(server, owner, { organizationId: home }, ["ORG_OWNER"]);
      await ok(`${projects}/CreateProjectGrant`, grant, { token: (await sessionOf(server, owner)).token });

      // A link with a hint that names a user of Evil, whose settings lead straight to the provider.
      provider.user = { sub: "vera", given_name: "Vera", family_name: "R", email: address, email_verified: true };
      const hint = evil.plain.loginName;
      const { browser, page } = await visit(server, shop, { login_hint: hint });
      const away = await browser.submit(page, { login_name: hint }, { action: "/ui/login" });
      assert.ok(away.address.startsWith(provider.issuer), away.address + away.html);
      const back = provider.signIn(away.address);
      const asked = await browser.open(back.pathname + back.search);
      assert.match(asked.html, /manages your account/);
      assert.doesNotMatch(asked.html, /<bdi>evil<\/bdi>/);

      // (The owner's own session of the test is by password, which these settings exclude.)
      await changeSettings(server, "login", { ...common, allowLocalAuthentication: true }, evil.organizationId);
      const over = { userId: evil.plain.userId, projectId, organizationId: evil.organizationId, roleKeys: ["guest"] };
      const recognize = "service.authorization.v2.AuthorizationService/CreateAuthorization";
      if (isChanged) await ok(recognize, over, { token: evil.owner.token });
      const end = await browser.submit(asked, {}, { action: "/ui/login/external" });
      assert.equal(isBack(end), !isChanged);
      if (isChanged) assert.match(end.html, /<bdi>evil<\/bdi><\/strong> manages your account/);
      const queries = [{ emailQuery: { emailAddress: address } }];
      const found = await server.rest("POST", "/v2/users", { body: { queries } });
      const homes = (found.body.result as { details: { resourceOwner: string } }[]).map(
        (user) => user.details.resourceOwner,
      );
      assert.deepEqual(new Set(homes), new Set(isChanged ? [bank.organizationId] : [bank.organizationId, home]));
      if (isChanged) assert.ok(await byPassword(), "the bank's user keeps the name");
    });
  }
});
