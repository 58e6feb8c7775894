import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isFreshCaller, mayActForUser } from "../../src/domain/session/index.ts";
import { operatorCall, recoverAdministrator } from "../../src/domain/setup/index.ts";
import { callUser } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { codeTo } from "../login/support/sign-up.ts";
import { addServiceAccount } from "../support/people/owners.ts";
import { appoint, defaultOrganization, goodPassword } from "../support/people/people.ts";
import { proveDomain } from "../support/people/prove-domain.ts";
import { eachServer, type Start } from "../support/servers/each-server.ts";

const address = "vera@partner.example";
const profile = { givenName: "Vera", familyName: "Real" };

/** A bank that looks names up, its partner, evil, and a sign-in application. */
async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const home = await defaultOrganization(server);
  const bank = await addStaff(server, "bank");
  const evil = await addStaff(server, "evil");
  const partner = await addStaff(server, "partner");
  const login = await addServiceAccount(server, home, "custom-login");
  await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
  const add = async (organizationId: string, given: object, token?: string): Promise<string> => {
    server.clock.now += 60_000;
    const human = { profile, email: { email: address, isVerified: true }, password: { password: goodPassword } };
    return (await callUser(server, "CreateUser", { organizationId, human, ...given }, token)).id;
  };
  const unproven = {
    human: { profile, email: { email: address, sendCode: {} }, password: { password: goodPassword } },
  };
  const enterCode = async (userId: string) =>
    callUser(server, "VerifyEmail", { userId, verificationCode: await codeTo(server, address) }, login.token);
  /** Looks a name up; returns the id, or the status of the refusal. */
  const find = async (loginName: string, token: string | undefined = bank.owner.token) => {
    const query = `loginName=${encodeURIComponent(loginName)}`;
    const { status, body } = await server.rest("GET", `/management/v1/global/users/_by_login_name?${query}`, {
      ...(token !== "" && { token }),
    });
    return status === 200 ? body.user.id : status;
  };
  return { server, home, bank, evil, partner, login, add, unproven, enterCode, find };
}

eachServer((start) => {
  test("an address is looked up by what counts in the whole instance alone (A12)", async (t) => {
    const { server, home, evil, partner, login, add, unproven, enterCode, find } = await setUp(start, t);
    const prepared = await add(evil.organizationId, {}, evil.owner.token);
    assert.equal(await find(address), 404, "evil's word");
    assert.equal(await find(address, evil.owner.token), prepared, "counts for evil");
    assert.equal(await find(address, ""), prepared, "and for callers who may read the user");
    await add(home, unproven, login.token);
    assert.equal(await find(address), 404, "a stranger's choice");
    assert.equal(await find(address, evil.owner.token), prepared);

    const real = await add(partner.organizationId, { username: "vera", ...unproven }, partner.owner.token);
    assert.equal(await find(address), 404);
    await enterCode(real);
    assert.equal(await find(address), real, "a code");
    assert.equal(await find("vera@partner.localhost"), real, "a name in a proven domain");
    const off = { body: {}, token: partner.owner.token };
    assert.equal((await server.rest("POST", `/v2/users/${real}/deactivate`, off)).status, 200);
    assert.equal(await find(address), real, "also beside active ones");
  });

  test("an organization's own user is found, whatever another one prepared", async (t) => {
    const { bank, evil, add, find } = await setUp(start, t);
    await add(evil.organizationId, {}, evil.owner.token);
    const own = await add(bank.organizationId, {}, bank.owner.token);
    assert.equal(await find(address), own);
  });

  test("a word of the instance and a proven domain count; a stranger's name in the domain does not", async (t) => {
    const { server, evil, partner, login, add, unproven, find } = await setUp(start, t);
    await add(evil.organizationId, {}, evil.owner.token);
    const wide = await add(partner.organizationId, { username: "wide" });
    assert.equal(await find(address), wide);
    await callUser(server, "DeleteUser", { userId: wide });
    await proveDomain(server, partner.organizationId, "partner.example");
    await add(partner.organizationId, unproven, login.token);
    const other = { human: { profile, email: { email: "mallory@mail.example", sendCode: {} } } };
    const chosen = await add(partner.organizationId, { username: "vera", ...other }, login.token);
    assert.equal(await find(address), 404, "what strangers call themselves in the domain");
    assert.equal(await find(address, partner.owner.token), chosen, "is theirs there");
    const vouched = await add(partner.organizationId, { username: "real" }, partner.owner.token);
    assert.equal(await find(address), vouched, "what its owner says");
  });

  test("the operator lets the administrator in whose address it is, and no user whom others prepared with it", async (t) => {
    const { server, evil, partner, add } = await setUp(start, t);
    const userId = await add(partner.organizationId, { username: "vera" });
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    await add(evil.organizationId, {}, evil.owner.token);
    assert.equal((await server.rest("POST", `/v2/users/${userId}/lock`, { body: {} })).status, 200);
    const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const deps = { ...server.app.domain, mayActFor: mayActForUser, isFresh: isFreshCaller };
    const recover = (loginName: string) =>
      recoverAdministrator(deps, operatorCall(instanceId, server.clock.now), { loginName, password: goodPassword });
    assert.equal((await recover(address)).userId, userId);
  });

  test("a name without a domain is found where the default organization has it", async (t) => {
    const { home, evil, add, find } = await setUp(start, t);
    const email = { human: { profile, email: { email: "x@mail.example", isVerified: true } } };
    const evils = await add(evil.organizationId, { username: "vera.r", ...email }, evil.owner.token);
    assert.equal(await find("vera.r"), 404);
    assert.equal(await find("vera.r@evil.localhost"), evils, "with the domain of its organization");
    const homes = await add(home, { username: "vera.r", ...email });
    assert.equal(await find("vera.r"), homes);
  });
});
