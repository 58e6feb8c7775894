import assert from "node:assert/strict";
import { addApp, createSession, slugOf } from "../factor/support.ts";
import { addStaff, createTrust } from "../identity-provider/trusted.ts";
import { addOrganization, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { addManager, handsOf } from "./support/settings-hands.ts";

const noPassword = "settings.login.no_password_for_administrators";
const noProvider = "settings.login.no_provider_for_administrators";
const noFactor = "settings.login.no_factor_for_administrators";
const open = { allowUsernamePassword: true, allowExternalIdp: true, allowDomainDiscovery: true };

const passwordOf = ({ userId, password }: Person) => ({ user: { userId }, password: { password } });

async function isLetIn(server: TestServer, person: Person): Promise<boolean> {
  const { body } = await createSession(server, { checks: passwordOf(person) });
  return (await server.rest("GET", "/auth/v1/users/me", { token: body.sessionToken ?? "" })).status === 200;
}

serversInTurn((start, test, both) => {
  test("a manager of the settings does not lock the owners out by a provider of less (U3)", async (t) => {
    const server = await start(t);
    const { organizationId, owner, clerk, boss } = await addStaff(server, "acme");
    // At home elsewhere, so that what they change does not hold for them.
    const managers = handsOf(server, organizationId, await addManager(server, organizationId));
    const owners = handsOf(server, organizationId, owner.token);
    const theirs = await managers.addProvider("https://theirs.example");
    assert.equal(await managers.setPolicy("POST", open), "done");
    assert.equal(await managers.offer(theirs), "done");
    const external = { allowUsernamePassword: false, allowExternalIdp: true, allowDomainDiscovery: true };
    assert.equal(await managers.setPolicy("PUT", external), noPassword);
    assert.equal(await owners.setPolicy("PUT", external), noPassword, "owners lock themselves out no more than others");
    const demand = { ...open, forceMfaLocalOnly: true };
    for (const factor of ["SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_RECOVERY_CODES"])
      await server.rest("DELETE", `/management/v1/policies/login/second_factors/${factor}`, {
        headers: { "x-service-orgid": organizationId },
      });
    await server.rest("DELETE", "/management/v1/policies/login/multi_factors/MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION", {
      headers: { "x-service-orgid": organizationId },
    });
    assert.equal(await managers.setPolicy("PUT", demand), noFactor, "a demand that only users of providers are spared");
    assert.equal(await isLetIn(server, owner), true);

    const good = await owners.addProvider("https://good.example");
    assert.equal(await managers.offer(good), "done");
    assert.equal(await managers.setPolicy("PUT", external), noPassword, "the owner has no account there yet");
    const { link } = createTrust(server);
    assert.equal(await link(owner.userId, theirs, "42"), "403 identity_link.provider_not_trusted");
    assert.equal(await link(owner.userId, good, "42"), "200");
    assert.equal(await managers.setPolicy("PUT", external), noPassword, "nor the manager of the users");
    assert.equal(await link(clerk.userId, good, "43"), "200");
    assert.equal(await managers.setPolicy("PUT", external), "done", "with a provider that vouches for owners");
    assert.equal(await isLetIn(server, owner), false);
    assert.equal(await isLetIn(server, boss), true, "for whom the settings of the instance hold");
    assert.equal(await managers.withdraw(good), noProvider);
    assert.equal(await managers.deactivate(good), noProvider);
    assert.equal(await managers.remove(good), noProvider);
    assert.equal(await managers.changeProvider(good, "https://other.example"), noProvider, "another server");
    assert.equal(await managers.changeProvider(theirs, "https://another.example"), "done", "their own");
    const bosses = handsOf(server, organizationId, boss.token);
    assert.equal(await bosses.withdraw(good), "done", "of an administrator whose owners could not");
    assert.equal(await bosses.offer(good), "done");
    assert.equal(await managers.withdraw(theirs), "done");
    assert.equal(await managers.setPolicy("PUT", open), "done");
    assert.equal(await managers.remove(good), "done", "while passwords are allowed");
  });

  test("an organization follows settings of its instance that lock its owners out no more than its own (U3)", async (t) => {
    const server = await start(t);
    const { organizationId, owner, manager } = await addStaff(server, "acme");
    const managers = handsOf(server, organizationId, manager.token);
    assert.equal(await managers.setPolicy("POST", open), "done");
    assert.equal(await managers.resetPolicy(), "done", "an instance with passwords");
    assert.equal(await managers.setPolicy("POST", open), "done");
    const trust = createTrust(server);
    const body = { name: "P", issuer: "https://p.example", clientId: "c", clientSecret: "s", scopes: ["openid"] };
    const id = await trust.addTo("", undefined, body);
    await changeSettings(server, "login", { allowLocalAuthentication: false });
    await trust.answerWith(id, ["iam.idp.write"]);
    assert.equal(await managers.resetPolicy(), noPassword);
    assert.equal(await isLetIn(server, owner), true);
  });

  test("a manager of the settings does not lock the owners out by the factors that count (U3)", async (t) => {
    const server = await start(t);
    const { organizationId, owner } = await addStaff(server, "acme");
    const managers = handsOf(server, organizationId, await addManager(server, organizationId));
    const having = (...kinds: string[]) => ({ secondFactors: kinds.map((kind) => `SECOND_FACTOR_TYPE_${kind}`) });
    const demand = { ...open, forceMfa: true };
    assert.equal(await managers.setPolicy("POST", { ...open, ...having() }), "done", "no owner has one");
    assert.equal(await managers.resetPolicy(), "done");
    assert.equal(await managers.setPolicy("POST", { ...demand, ...having("OTP_SMS") }), noFactor);
    assert.equal(await isLetIn(server, owner), true);
    assert.equal(await managers.setPolicy("POST", { ...demand, ...having("OTP_SMS", "OTP") }), "done");
    assert.equal(await managers.forbid("OTP"), noFactor, "the only one that an owner can set up");
    assert.equal(await managers.resetPolicy(), "done");
    await addApp(server, owner, (secret) => appCode(secret, server.clock.now));
    assert.equal(await managers.setPolicy("POST", { ...open, ...having() }), noFactor);
    assert.equal(await managers.setPolicy("POST", { ...open, ...having("OTP", "U2F") }), "done");
    assert.equal(await managers.forbid("U2F"), "done", "a factor that no owner has");
    assert.equal(await managers.forbid("OTP"), noFactor, "the only one that the owner has");
  });

  both("a manager of the settings does not lock the owners out by wrong guesses (U3)", async (t) => {
    const server = await start(t);
    const { organizationId, owner, plain } = await addStaff(server, "acme");
    const asManager = {
      headers: { "x-service-orgid": organizationId },
      token: await addManager(server, organizationId),
    };
    const body = { maxPasswordAttempts: 1, maxOtpAttempts: 1 };
    const set = await server.rest("POST", "/management/v1/policies/lockout", { ...asManager, body });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    for (const person of [owner, plain]) {
      assert.equal(await isLetIn(server, person), true);
      const guess = await createSession(server, { checks: passwordOf({ ...person, password: "wrong" }) });
      assert.equal(guess.status, 400);
    }
    assert.equal(await isLetIn(server, owner), true, "the numbers of the instance hold");
    assert.equal(slugOf(await createSession(server, { checks: passwordOf(plain) })), "user.password_blocked");
  });

  test("where no administrator is at home, a provider of the settings' manager is enough (U3)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "served");
    const managers = handsOf(server, organizationId, await addManager(server, organizationId));
    const theirs = await managers.addProvider("https://theirs.example");
    assert.equal(await managers.setPolicy("POST", open), "done");
    assert.equal(await managers.offer(theirs), "done");
    assert.equal(
      await managers.setPolicy("PUT", {
        allowUsernamePassword: false,
        allowExternalIdp: true,
        allowDomainDiscovery: true,
      }),
      "done",
    );
  });
});
