import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listQuotas } from "../../src/domain/quota/quota.store.ts";
import { findSharers, insertSharers } from "../../src/domain/quota/sharers.store.ts";
import { preUserinfo, type Scripts, scriptsOf } from "../script/support/scripts.ts";
import { isLong, testSeed } from "../support/data/random.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addOwnedOrganization, type OwnedOrganization } from "../support/people/owners.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { startQuotaServer } from "./support/quota.ts";
import { runTimeOf, targets } from "./support/run-time.ts";

const script = "function say(ctx, api) { api.v1.claims.setClaim('ran', true); }";
const hour = 3_600_000;
const limit = 120;
const ofTargets = 30;
const ofOrganizations = 60;
const terms = { unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: limit, limit: true } as const;
const seed = testSeed();

eachEngine((_open, engine) => {
  for (const change of ["nothing", "deletes", "removes scripts"] as const) {
    test(`the parts of others are theirs when an organization that used time ${change}`, async (t) => {
      const { server, set, instanceId, config } = await startQuotaServer(t, engine);
      const scripts = scriptsOf(server);
      const bank = await addOwnedOrganization(server, "Bank");
      await scripts.run(preUserinfo, "say", script, bank);
      const evils = await addEvils(server, scripts, 5);
      await set(terms);
      const { may, useUp } = runTimeOf(server, instanceId);
      const used: number[] = [];
      for (const evil of evils) {
        used.push(await useUp(evil));
        if (change === "deletes") await remove(server, evil);
        if (change === "removes scripts") await scripts.set(preUserinfo, [], evil);
      }
      // The first one has the quarter for all as well.
      assert.deepEqual(used, [40, 10, 10, 10, 10]);
      assert.equal((await server.rest("GET", "/oidc/v1/userinfo", { token: bank.token })).body.ran, true);

      // A process that starts meanwhile knows of those that had a part.
      await server.app.close();
      const { location, ownerToken, origin, clock } = server;
      const options = { location, ownerToken, now: clock.now, config: { ...config, baseUrl: origin } };
      const next = await startServer(t, options);
      const runTime = runTimeOf(next, instanceId);
      const bankHas = await runTime.useUp(bank);
      assert.ok(bankHas >= 9 && bankHas <= 10, `${bankHas} s`);
      assert.equal(await runTime.useUp(targets), ofTargets);
      assert.equal(await may(bank, next), false);

      // From the next period on, those that are gone have none.
      next.clock.now += hour;
      assert.equal(await runTime.useUp(bank), change === "nothing" ? 40 : 90);
      assert.equal(await runTime.useUp(targets), ofTargets);
    });
  }

  test("scripts that are gone for a moment change no part", async (t) => {
    const { server, set, instanceId } = await startQuotaServer(t, engine);
    const scripts = scriptsOf(server);
    const bank = await addOwnedOrganization(server, "Bank");
    await scripts.run(preUserinfo, "say", script, bank);
    const [first, ...evils] = await addEvils(server, scripts, 5);
    assert.ok(first);
    await set(terms);
    const { may, useUp } = runTimeOf(server, instanceId);
    assert.equal(await may(targets), true);
    for (const evil of evils) await scripts.set(preUserinfo, [], evil);
    assert.equal(await useUp(first), 40);
    for (const evil of evils) await scripts.set(preUserinfo, [evil.scriptId], evil);
    for (const evil of evils) assert.equal(await useUp(evil), 10);
    assert.deepEqual([await useUp(targets), await useUp(bank)], [ofTargets, 10]);
  });

  test("of two processes that settle who has a part at once, both keep to the first", async (t) => {
    const { server, set, remove: removeQuota, instanceId } = await startQuotaServer(t, engine);
    await set(terms);
    const { database } = server.app.domain;
    const [quota] = await listQuotas(database.read, instanceId);
    assert.ok(quota);
    const periodStart = quota.beginsAt;
    const call = { instanceId, requestId: "sharers", now: server.clock.now, language: "en" } as const;
    const settle = (sharers: readonly string[]) =>
      database.touch(call, (tx) => insertSharers(tx, quota, { periodStart, sharers }));
    assert.equal(await findSharers(database.read, quota, periodStart), undefined);
    assert.deepEqual([await settle([]), await settle(["bank"])], [[], []]);
    assert.deepEqual(await findSharers(database.read, quota, periodStart), []);
    await removeQuota(undefined, terms.unit);
    assert.equal(await settle(["bank"]), undefined);
    assert.equal(await findSharers(database.read, quota, periodStart), undefined);
  });

  test("in every order of spending, creation and deletion all are sure of their parts", async (t) => {
    const { server, set, instanceId } = await startQuotaServer(t, engine);
    const scripts = scriptsOf(server);
    await set(terms);
    const { may, useUp } = runTimeOf(server, instanceId);
    // Organizations of all runs, so that a period begins with what the one before left.
    const owners: Owner[] = [];
    const create = async (): Promise<void> => {
      // With at most six, parts are whole seconds.
      if (owners.length < 6)
        owners.push(...(await addEvils(server, scripts, 1)).map((each) => ({ ...each, has: true })));
    };
    for (let count = 0; count < 3; count++) await create();

    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ type: fc.constant("spend"), who: fc.nat(6), seconds: fc.integer({ min: 1, max: 90 }) }),
      },
      { weight: 3, arbitrary: fc.record({ type: fc.constantFrom("delete", "toggle", "create"), who: fc.nat(5) }) },
    );
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 });
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), order, async (steps, last) => {
      if (owners.every(({ has }) => !has)) await create();
      server.clock.now += hour;
      const sharers = owners.filter(({ has }) => has).map(({ organizationId }) => organizationId);
      assert.equal(await may(targets), true);
      // Those of the period have begun after it.
      server.clock.now += 1;
      const used = new Map<string | undefined, number>();
      const spend = async (who: number, most: number): Promise<void> => {
        const whose = who === 6 ? targets : owners[who];
        if (who !== 6 && whose === undefined) return;
        const id = whose?.organizationId;
        used.set(id, (used.get(id) ?? 0) + (await useUp(whose, most)));
      };
      for (const each of steps) {
        const owner = owners[each.who];
        if ("seconds" in each) await spend(each.who, each.seconds);
        else if (each.type === "create") await create();
        else if (owner !== undefined && each.type === "delete") {
          await remove(server, owner);
          owners.splice(each.who, 1);
        } else if (owner !== undefined) {
          owner.has = !owner.has;
          await scripts.set(preUserinfo, owner.has ? [owner.scriptId] : [], owner);
        }
      }
      for (const who of last) await spend(who, limit);
      const all = used.values().reduce((sum, each) => sum + each, 0);
      assert.ok(all <= limit, `${all} s of ${limit}`);
      const ofTheirs = used.get(undefined) ?? 0;
      assert.ok(ofTheirs >= ofTargets, `targets had ${ofTheirs} s`);
      for (const { organizationId } of owners.filter(({ has }) => has)) {
        if (!sharers.includes(organizationId)) continue;
        const seconds = used.get(organizationId) ?? 0;
        assert.ok(seconds >= ofOrganizations / sharers.length, `one of ${sharers.length} had ${seconds} s`);
      }
    });
    await fc.assert(property, { seed, numRuns: isLong() ? 200 : 12, endOnFailure: true });
  });
});

interface Evil extends OwnedOrganization {
  readonly scriptId: string;
}

interface Owner extends Evil {
  has: boolean;
}

let made = 0;

/** Makes organizations that have a script. */
async function addEvils(server: TestServer, scripts: Scripts, count: number): Promise<Evil[]> {
  const evils: Evil[] = [];
  for (let index = 0; index < count; index++) {
    const evil = await addOwnedOrganization(server, `Evil${made++}`);
    evils.push({ ...evil, scriptId: await scripts.run(preUserinfo, "say", script, evil) });
  }
  return evils;
}

async function remove(server: TestServer, { organizationId, token }: OwnedOrganization): Promise<void> {
  const { status, body } = await server.rest("DELETE", `/v2/organizations/${organizationId}`, { token });
  assert.equal(status, 200, JSON.stringify(body));
}
