import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { knowProvider } from "../identity-provider/attempts.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { makeServiceAccount } from "../support/oidc/registration.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { proveDomain } from "../support/people/prove-domain.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { addBare, linked } from "./support/bare-users.ts";
import { addManager, handsOf } from "./support/settings-hands.ts";

const discovery = { allowDomainDiscovery: true };
const open = { allowUsernamePassword: true, allowExternalIdp: true };

eachServer((start) => {
  test("a manager of the settings takes the owners' way from no ordinary sign-in (U3)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);

    await t.test("the organization's own provider", async () => {
      const organizationId = await addOrganization(server, "alpha");
      const managers = handsOf(server, organizationId, await addManager(server, organizationId));
      const owner = await addBare(server, organizationId, { username: "alma" }, { organizationId }, "ORG_OWNER");
      const idpId = await linked(server, organizationId, { provider, userId: owner.userId });
      const only = { ...open, hidePasswordReset: true, idps: [{ idpId, ownerType: "IDP_OWNER_TYPE_ORG" }] };
      assert.equal(await managers.setPolicy("PUT", only), "settings.login.no_provider_for_administrators");
      assert.equal(await managers.setPolicy("PUT", { ...only, ...discovery }), "done");
      const operators = handsOf(server, organizationId, undefined);
      assert.equal(await operators.setPolicy("PUT", only), "done", "administrators of the instance are not held up");
    });

    await t.test("the proven domain that leads there", async () => {
      const organizationId = await addOrganization(server, "gamma");
      await changeSettings(server, "domain", { loginNameIncludesDomain: false }, organizationId);
      const token = await addManager(server, organizationId);
      const managers = handsOf(server, organizationId, token);
      const owner = await addBare(
        server,
        organizationId,
        { username: "gert", email: "gert@gamma.example" },
        { organizationId },
        "ORG_OWNER",
      );
      const idpId = await linked(server, organizationId, { provider, userId: owner.userId });
      const only = { ...open, ...discovery, hidePasswordReset: true };
      await proveDomain(server, organizationId, "gamma.example");
      const by = { headers: { "x-service-orgid": organizationId } };
      const remove = async (given: object) =>
        slugOf(await server.rest("DELETE", "/management/v1/orgs/me/domains/gamma.example", given));
      const idps = [{ idpId, ownerType: "IDP_OWNER_TYPE_ORG" }];
      assert.equal(await managers.setPolicy("PUT", { ...only, idps }), "done");
      assert.equal(await remove({ ...by, token }), "organization.domain_needed_by_administrators");
      assert.equal(await remove(by), "done", "administrators of the instance are not held up");
    });

    await t.test("a password, where the instance signs in at its providers alone", async () => {
      const client = await addClient(server);
      const organizationId = await addOrganization(server, "beta");
      // A service account, which has no session that would end with passwords.
      const robot = await makeServiceAccount(server, await addOrganization(server, "agency"), "manager");
      await appoint(server, robot, { organizationId }, ["ORG_SETTINGS_MANAGER"]);
      const managers = handsOf(server, organizationId, robot.token);
      const owner = await addPerson(server, { username: "bert", organizationId });
      await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
      assert.equal(await managers.setPolicy("POST", { ...open, ...discovery }), "done");
      // Passwords of the instance are no less good.
      assert.equal(await managers.setPolicy("PUT", open), "done");
      assert.equal(await managers.setPolicy("PUT", { ...open, ...discovery }), "done");
      // Two, so that browsers are not sent to the only one at once.
      const identityProviderIds = [await knowProvider(server, provider), await knowProvider(server, provider)];
      await changeSettings(server, "login", { identityProviderIds });
      await changeSettings(server, "login", { allowLocalAuthentication: false });
      assert.ok(isBack(await enter(await visit(server, client), owner)));
      assert.equal(await managers.setPolicy("PUT", open), "settings.login.no_password_for_administrators");
      assert.ok(isBack(await enter(await visit(server, client), owner)));
    });
  });
});
