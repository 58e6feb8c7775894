import assert from "node:assert/strict";
import { test } from "node:test";
import { judge } from "../../src/domain/administrator-lockout/judge.ts";
import { loadMeans } from "../../src/domain/administrator-lockout/load-means.ts";
import { readOffers } from "../../src/domain/administrator-lockout/read-offers.ts";
import { addStaff, bodyAt, createTrust } from "../identity-provider/trusted.ts";
import { setProviderState } from "../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { methods, type Prepared, preparing, seconds } from "./support/prepared-owners.ts";
import { handsOf } from "./support/settings-hands.ts";

/** Returns what the guard calls complete, in a sign-in that names the organization. */
async function believed(server: TestServer, { userId, organizationId }: Prepared, isOwner: boolean) {
  const { database, findInstanceByHost } = server.app.domain;
  const instanceId = (await findInstanceByHost("localhost"))?.instanceId ?? "";
  const administrator = { userId, isOfInstance: 0, isOfOrganization: isOwner ? 1 : 0 };
  return database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
    const administrators = [administrator];
    const offers = (await readOffers(tx, instanceId, { organizationId, administrators }))(administrator);
    const identityProviderIds = offers.named.providers.map((provider) => provider.identityProviderId);
    const loaded = await loadMeans(tx, instanceId, { userId, identityProviderIds });
    assert.ok(loaded !== undefined);
    const { all } = await judge(tx, tx, { userId, organizationId }, { loaded, offer: offers.named });
    return methods.filter((method) => all[method] === "complete");
  });
}

eachServer((start) => {
  test("what the guard of administrators calls complete signs them in, and nothing else does (U3)", async (t) => {
    const server = await start(t);
    const { organizationId, owner } = await addStaff(server, "acme");
    const trust = createTrust(server);
    const hands = handsOf(server, organizationId, undefined);
    const [old, next] = [
      await startTestProvider(t, () => server.clock.now),
      await startTestProvider(t, () => server.clock.now),
    ];
    const former = { id: await trust.addTo(organizationId, owner.token, bodyAt(old)), provider: old };
    const present = { id: await trust.addTo(organizationId, owner.token, bodyAt(next)), provider: next };
    const offer = (...identityProviderIds: string[]) =>
      changeSettings(server, "login", { identityProviderIds, hidePasswordReset: true }, organizationId);
    await offer(former.id, present.id);
    const make = preparing(server, organizationId, former, present);
    const people: { readonly name: string; readonly person: Prepared; readonly isOwner: boolean }[] = [];
    for (const second of seconds) {
      for (const [role, isAtFormer] of [
        ["ORG_OWNER", true],
        ["ORG_OWNER", false],
        [undefined, true],
      ] as const) {
        const name = `${role === undefined ? "plain" : "owner"}-${second}-${isAtFormer ? "former" : "password"}`;
        const person = await make({ name, role, second, isAtFormer });
        people.push({ name, person, isOwner: role !== undefined });
      }
    }
    const everything = [...methods];
    const local = everything.filter((method) => method !== "provider");
    /** Links that were made in a session at the former provider are suspended for owners. */
    const suspended = (name: string) => (name.startsWith("owner") && name.endsWith("former") ? local : everything);

    for (const [fate, change, expected] of [
      ["offered", async () => {}, () => everything],
      ["taken off", () => offer(present.id), () => everything],
      ["inactive", () => setProviderState(server, former.id, "inactive"), () => everything],
      ["at another server", () => hands.changeProvider(former.id, "https://other.example"), suspended],
      ["deleted", () => hands.remove(former.id), suspended],
      [
        "of no account, as all are",
        () => changeSettings(server, "login", { allowExternalIdp: false }, organizationId),
        () => local,
      ],
    ] as const) {
      await t.test(`the former provider is ${fate}`, async () => {
        const done = await change();
        if (typeof done === "string") assert.equal(done, "done");
        for (const { name, person, isOwner } of people) {
          const wanted = expected(name).filter((method) => method !== "passkey" || !name.includes("app"));
          assert.deepEqual(await believed(server, person, isOwner), wanted, name);
          const open: string[] = [];
          for (const method of methods) if (await person.signIn(method)) open.push(method);
          assert.deepEqual(open, wanted, name);
        }
      });
    }
  });
});
