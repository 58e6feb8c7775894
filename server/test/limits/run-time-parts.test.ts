import assert from "node:assert/strict";
import { test } from "node:test";
import { preUserinfo, scriptsOf } from "../script/support/scripts.ts";
import { eachEngine, onPostgres } from "../support/databases/databases.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { startServer } from "../support/servers/server.ts";
import { startQuotaServer } from "./support/quota.ts";
import { runTimeOf, targets } from "./support/run-time.ts";

const script = "function say(ctx, api) { api.v1.claims.setClaim('ran', true); }";
const hour = 3_600_000;

eachEngine((_open, engine) => {
  test("each organization with scripts is sure of its part of the run time, and targets of theirs", async (t) => {
    const { server, set, used, instanceId, config } = await startQuotaServer(t, engine);
    const [bank, evil, shop] = await Promise.all(
      ["Bank", "Evil", "Shop"].map((name) => addOwnedOrganization(server, name)),
    );
    assert.ok(bank && evil && shop);
    const scripts = scriptsOf(server);
    await scripts.run(preUserinfo, "say", script, bank);
    const ofEvil = await scripts.run(preUserinfo, "say", script, evil);
    // Two organizations have a quarter each, and so have targets. A quarter is left for those who need more.
    await set({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: 120, limit: true });
    const { may, spend, useUp } = runTimeOf(server, instanceId);
    const nextPeriod = (): void => {
      server.clock.now += hour;
    };

    await t.test("those who come first have what is no part as well", async () => {
      assert.deepEqual([await useUp(evil), await useUp(bank), await useUp(targets)], [60, 30, 30]);
      nextPeriod();
      assert.deepEqual([await useUp(targets), await useUp(bank), await useUp(evil)], [60, 30, 30]);
      nextPeriod();
      assert.deepEqual([await useUp(bank), await useUp(targets), await useUp(evil)], [60, 30, 30]);
    });

    await t.test("an organization that used most of its part has the rest of it, whatever others use", async () => {
      nextPeriod();
      await spend(bank, 29);
      assert.deepEqual([await useUp(evil), await useUp(targets), await useUp(bank)], [60, 30, 1]);
    });

    await t.test("one that used more than its part can go on while something is left that is no part", async () => {
      nextPeriod();
      await spend(bank, 45);
      assert.equal(await may(bank), true);
      assert.equal(await useUp(evil), 45);
      assert.equal(await may(bank), false);
      assert.equal(await useUp(targets), 30);
    });

    await t.test("one whose scripts are gone leaves no more to others than it did not use", async () => {
      nextPeriod();
      assert.equal(await useUp(evil), 60);
      await scripts.set(preUserinfo, [], evil);
      assert.deepEqual([await useUp(bank), await useUp(targets), await may(evil)], [30, 30, false]);
      nextPeriod();
      // Of one that used nothing, nothing is kept.
      assert.deepEqual([await useUp(bank), await useUp(targets)], [90, 30]);
      nextPeriod();
      await scripts.set(preUserinfo, [ofEvil], evil);
      assert.deepEqual([await useUp(bank), await useUp(evil), await useUp(targets)], [60, 30, 30]);
    });

    await t.test("one that is new in a period takes part in what is left, and has a part in the next one", async () => {
      nextPeriod();
      server.clock.now += 1;
      await scripts.run(preUserinfo, "say", script, shop);
      assert.equal(await useUp(shop), 30);
      assert.deepEqual([await useUp(evil), await useUp(bank), await useUp(targets)], [30, 30, 30]);
      nextPeriod();
      assert.deepEqual([await useUp(shop), await useUp(evil), await useUp(bank)], [50, 20, 20]);
      assert.equal(await useUp(targets), 30);
    });

    await t.test("another process, and this one after a restart, decide the same", async () => {
      nextPeriod();
      await useUp(evil);
      await used();
      await server.app.close();
      const { location, ownerToken, origin, clock } = server;
      const options = { location, ownerToken, now: clock.now, config: { ...config, baseUrl: origin } };
      const next = await startServer(t, options);
      assert.deepEqual([await may(evil, next), await may(bank, next), await may(targets, next)], [false, true, true]);
    });
  });

  test("without a limit all go on, and without scripts targets have all of it", async (t) => {
    const { server, set, instanceId } = await startQuotaServer(t, engine);
    const organization = await addOwnedOrganization(server, "Shop");
    await scriptsOf(server).run(preUserinfo, "say", script, organization);
    const { quotaMeter } = server.app.domain;
    const call = { instanceId, now: server.clock.now };
    await set({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: 10, limit: false });
    await quotaMeter.addRunTime(call, 20_000, organization.organizationId);
    assert.equal(await quotaMeter.hasRunTime(call, organization.organizationId), true);
    await quotaMeter.checkRunTime(call);
    await set({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: 40, limit: true });
    await scriptsOf(server).set(preUserinfo, [], organization);
    const next = { instanceId, now: call.now + hour };
    await quotaMeter.addRunTime(next, 39_999);
    await quotaMeter.checkRunTime(next);
    await quotaMeter.addRunTime(next, 1);
    await assert.rejects(async () => quotaMeter.checkRunTime(next), { code: "resource_exhausted" });
  });
});

onPostgres(() => {
  test("a process does not take for use of targets what scripts used in another one", async (t) => {
    const { server, set, instanceId, config } = await startQuotaServer(t, "postgres");
    const [bank, evil] = await Promise.all(["Bank", "Evil"].map((name) => addOwnedOrganization(server, name)));
    assert.ok(bank && evil);
    for (const owner of [bank, evil]) await scriptsOf(server).run(preUserinfo, "say", script, owner);
    const { location, ownerToken, origin, clock } = server;
    const options = { location, ownerToken, now: clock.now, config: { ...config, baseUrl: origin } };
    await set({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: 120, limit: true });
    const other = await startServer(t, options);
    const call = { instanceId, now: clock.now };
    const [here, there] = [server, other].map(({ app }) => app.domain.quotaMeter);
    assert.ok(here && there);
    // It reads the counts now, and learns of others when it adds its own.
    await there.checkRunTime(call);
    await there.fold();
    await here.addRunTime(call, 60_000, evil.organizationId);
    await here.fold();
    await there.addRunTime(call, 1000);
    await there.fold();
    await there.checkRunTime(call);
    assert.equal(await there.hasRunTime(call, evil.organizationId), false);
    // Of the parts, 29 seconds are left to targets and 30 to the bank.
    await there.addRunTime(call, 28_999);
    await there.checkRunTime(call);
    await there.addRunTime(call, 1);
    await assert.rejects(async () => there.checkRunTime(call), { code: "resource_exhausted" });
    assert.equal(await there.hasRunTime(call, bank.organizationId), true);
  });
});
