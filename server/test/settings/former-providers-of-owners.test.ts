import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyAt, createTrust, isIn } from "../identity-provider/trusted.ts";
import { signedIn } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { linked } from "./support/bare-users.ts";
import { preparing } from "./support/prepared-owners.ts";
import { addManager, handsOf } from "./support/settings-hands.ts";

const noProvider = "settings.login.no_provider_for_administrators";
const noPassword = "settings.login.no_password_for_administrators";
const open = { allowUsernamePassword: true, allowExternalIdp: true, allowDomainDiscovery: true };

eachServer((start) => {
  test("a manager of the settings does not suspend the links of owners by another provider (U3)", async (t) => {
    const server = await start(t);
    const trust = createTrust(server);
    const old = await startTestProvider(t, () => server.clock.now);
    const next = await startTestProvider(t, () => server.clock.now);
    for (const isAtFormer of [true, false]) {
      await t.test(isAtFormer ? "made in sessions at it" : "made in sessions by password", async () => {
        const organizationId = await addOrganization(server, isAtFormer ? "alpha" : "beta");
        const managers = handsOf(server, organizationId, await addManager(server, organizationId));
        const add = async (provider: typeof old) => ({
          id: await trust.addTo(organizationId, undefined, bodyAt(provider)),
          provider,
        });
        const [former, present] = [await add(old), await add(next)];
        const offer = (...identityProviderIds: string[]) =>
          changeSettings(server, "login", { identityProviderIds, hidePasswordReset: true }, organizationId);
        await offer(former.id, present.id);
        const make = preparing(server, organizationId, former, present);
        const name = `owner-${organizationId}`;
        const owner = await make({ name, role: "ORG_OWNER", second: "app", isAtFormer });
        const gone = await server.rest("DELETE", `/v2/users/${owner.userId}/links/${former.id}/${name}-former`, {});
        assert.equal(gone.status, 200, JSON.stringify(gone.body));
        await changeSettings(server, "login", { allowLocalAuthentication: false }, organizationId);
        assert.equal(await managers.withdraw(former.id), "done");
        assert.ok(await owner.signIn("provider"), "nothing of the former provider is asked for");

        const expected = isAtFormer ? noProvider : "done";
        assert.equal(await managers.changeProvider(former.id, old.issuer), expected, "another secret, by the manager");
        assert.equal(await managers.changeProvider(former.id, "https://other.example"), expected);
        assert.equal(await managers.remove(former.id), expected);
        assert.ok(await owner.signIn("provider"));
        assert.equal(await managers.changeProvider(present.id, "https://other.example"), noProvider);
      });
    }
  });

  test("a manager of the settings does not forbid the password that an owner was given (U3)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "acme");
    const managers = handsOf(server, organizationId, await addManager(server, organizationId));
    const clerk = await addPerson(server, { username: "clerk" });
    await appoint(server, clerk, { organizationId }, ["ORG_USER_MANAGER"]);
    const { token } = await sessionOf(server, clerk);
    const owner = await addPerson(server, { username: "given", organizationId });
    const newPassword = { password: "a password that the clerk knows" };
    const given = await server.rest("POST", `/v2/users/${owner.userId}/password`, { token, body: { newPassword } });
    assert.equal(given.status, 200, JSON.stringify(given.body));
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const person = { ...owner, password: newPassword.password };
    await signedIn(server, person);
    const theirs = await managers.addProvider("https://theirs.example");
    const idps = [{ idpId: theirs, ownerType: "IDP_OWNER_TYPE_ORG" }];
    const operators = handsOf(server, organizationId, undefined);
    assert.equal(await operators.setPolicy("POST", { ...open, idps, hidePasswordReset: true }), "done");
    const closed = { ...open, allowUsernamePassword: false, hidePasswordReset: true };
    assert.equal(await managers.setPolicy("PUT", closed), noPassword, "the only way that there is");
    await signedIn(server, person);
    // The owner may not know the password, which then replaces no account at a provider.
    const provider = await startTestProvider(t, () => server.clock.now);
    const idpId = await linked(server, organizationId, { provider, userId: owner.userId });
    assert.equal(await managers.withdraw(idpId), noProvider);
    const set = await server.rest("POST", `/v2/users/${owner.userId}/password`, { body: { newPassword } });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    assert.equal(await managers.withdraw(idpId), "done", "a password by an administrator of the instance");
  });

  test("the word of an organization about an account is a way in only where the sign-in is for it (U3)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    const isInOrdinary = async () => isIn(await trust.throughPages("", idpId, provider));
    for (const isWord of [true, false]) {
      await t.test(isWord ? "the word of an organization" : "a link that counts everywhere", async () => {
        const organizationId = await addOrganization(server, isWord ? "alpha" : "beta");
        const managers = handsOf(server, organizationId, await addManager(server, organizationId));
        const other = await addPerson(server, { username: `other-${organizationId}` });
        await appoint(server, other, { organizationId }, ["ORG_OWNER"]);
        const { token } = await sessionOf(server, other);
        const owner = await addPerson(server, { username: "owner", organizationId });
        await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
        const idps = [{ idpId, ownerType: "IDP_OWNER_TYPE_SYSTEM" }];
        assert.equal(await managers.setPolicy("POST", { ...open, idps, hidePasswordReset: true }), "done");
        assert.equal(await trust.link(owner.userId, idpId, owner.userId, isWord ? token : undefined), "200");
        provider.user = { sub: owner.userId, email: "x@provider.example", email_verified: true };
        assert.equal(await isInOrdinary(), !isWord);
        assert.ok(isIn(await trust.throughPages(organizationId, idpId, provider)));
        const closed = { ...open, allowUsernamePassword: false, hidePasswordReset: true };
        const undiscovered = { ...closed, allowDomainDiscovery: false };
        assert.equal(await managers.setPolicy("PUT", undiscovered), isWord ? noPassword : "done");
        assert.equal(await managers.setPolicy("PUT", closed), "done", "names lead to the organization");
        assert.equal(await managers.setPolicy("PUT", undiscovered), isWord ? noProvider : "done");
        assert.equal(await isInOrdinary(), !isWord);
        assert.ok(isIn(await trust.throughPages(organizationId, idpId, provider)));
      });
    }
  });
});
