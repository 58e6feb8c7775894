import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf } from "../action/support/actions.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { internal, preUserinfo, scriptsOf } from "../script/support/scripts.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { startQuotaServer } from "./support/quota.ts";

const busy =
  "function busy(ctx, api) { const end = Date.now() + 600; while (Date.now() < end); api.v1.claims.setClaim('ran', true); }";

eachEngine((_open, engine) => {
  test("the scripts of one organization leave their parts of the run time to all others and to targets", async (t) => {
    const { server, set, used, instanceId, config } = await startQuotaServer(t, engine);
    const bank = await addOwnedOrganization(server, "Bank");
    const evil = await addOwnedOrganization(server, "Evil");
    const scripts = scriptsOf(server);
    await scripts.run(internal.postAuthentication, "note", "function note(ctx, api) {}", bank);
    await scripts.run(preUserinfo, "claim", "function claim(ctx, api) { api.v1.claims.setClaim('ran', true); }", bank);
    const vera = await addPerson(server, { username: "vera", organizationId: bank.organizationId });
    const portal = await addClient(server, {}, "Portal", bank.organizationId);
    const receiver = await startReceiver(t);
    const actions = actionsOf(server);
    const target = await actions.createTarget(receiver.origin, { kind: "restWebhook" });
    await actions.set({ request: { method: "/service.user.v2.UserService/CreateUser" } }, [target]);
    await set({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: 20, limit: true });
    const spend = (milliseconds: number, { organizationId }: typeof bank, on = server.app) =>
      on.domain.quotaMeter.addRunTime({ instanceId, now: server.clock.now }, milliseconds, organizationId);
    await spend(9_600, evil);

    const optional = await scripts.run(preUserinfo, "busy", busy, { ...evil, allowedToFail: true });
    const ask = (token: string, on: Pick<typeof server, "rest"> = server) =>
      on.rest("GET", "/oidc/v1/userinfo", { token });
    const outcomes = async (times: number) => {
      const found: unknown[] = [];
      for (let count = 0; count < times; count++) {
        const { status, body } = await ask(evil.token);
        found.push([status, body.ran]);
      }
      return found;
    };
    // A script that is allowed to fail is left out.
    assert.deepEqual(await outcomes(3), [
      [200, true],
      [200, undefined],
      [200, undefined],
    ]);
    await scripts.call(
      "PUT",
      `/actions/${optional}`,
      { name: "busy", script: busy, timeout: "10s", allowedToFail: false },
      { organizationId: evil.organizationId },
    );
    assert.deepEqual(await outcomes(1), [[503, undefined]]);

    // Another organization's go on, and so do targets.
    const visitor = await visit(server, portal, { scope: "openid" });
    assert.ok(isBack(await enter(visitor, vera)));
    assert.deepEqual((await ask(bank.token)).body.ran, true);
    const created = await server.rest("POST", "/v2/users/new", {
      body: { organizationId: bank.organizationId, username: "bot", machine: { name: "bot" } },
    });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    assert.equal(receiver.received.length, 1);

    // What an organization used is known to other processes, and after a restart.
    const [spent = 0] = await used();
    assert.ok(spent >= 10_200 && spent < 18_000, `${spent} ms`);
    await server.app.close();
    const { location, ownerToken, origin, clock } = server;
    const next = await startServer(t, { location, ownerToken, now: clock.now, config: { ...config, baseUrl: origin } });
    assert.equal((await ask(evil.token, next)).status, 503);
    assert.equal((await ask(bank.token, next)).body.ran, true);

    // Beyond its part, an organization uses nothing that is left for others: here a quarter, for targets.
    await spend(5_000, bank, next.app);
    assert.equal((await ask(bank.token, next)).status, 503);
    next.clock.now += 3_600_000;
    assert.deepEqual([(await ask(bank.token, next)).body.ran, (await ask(evil.token, next)).body.ran], [true, true]);
  });
});
