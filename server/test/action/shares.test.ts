import assert from "node:assert/strict";
import { test } from "node:test";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { type Outbound, OutboundError } from "../../src/base/outbound/index.ts";
import { createLanes } from "../../src/base/queue/lanes.ts";
import { systemRandom } from "../../src/base/random.ts";
import { createVault } from "../../src/base/vault.ts";
import type { Call } from "../../src/call/index.ts";
import { createTarget, queuePayload } from "../../src/domain/action/index.ts";
import { createKeyRing } from "../../src/domain/signing-key/index.ts";
import { createTargetDelivery } from "../../src/extension/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeFixtures, testTime } from "../support/operations/fixtures.ts";

const vault = createVault({ writing: parseMasterKey(generateMasterKey(systemRandom)), random: systemRandom });

eachEngine((open) => {
  test("targets that never answer delay those of no other instance", { timeout: 30_000 }, async (t) => {
    const fixtures = await makeFixtures(t, open);
    const deps = { ...fixtures, vault };
    const there: Call = fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "another" });
    const hanging = new Set<string>();
    let told: (url: string) => void = () => {};
    const answered = new Promise<string>((resolve) => {
      told = resolve;
    });
    const outbound: Outbound = ({ url, signal }) => {
      if (!url.includes("slow")) {
        told(url);
        return Promise.resolve({ status: 200, header: () => undefined, bytes: Buffer.alloc(0), body: "" });
      }
      hanging.add(url);
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new OutboundError("aborted")), { once: true });
      });
    };
    const target = async (call: Call, host: string): Promise<void> => {
      const made = await createTarget(deps, call, {
        name: host,
        kind: "webhook",
        endpoint: `https://${host}.example/`,
        timeout: 60_000,
        isInterrupting: true,
        payloadType: "json",
      });
      const { targetId } = made.target;
      await queuePayload(deps, call, { targetId, subject: "request/a", payload: { a: 1 } });
    };
    for (let index = 0; index < 20; index++) await target(fixtures.owner, `slow-${index}`);
    const delivery = createTargetDelivery({
      ...deps,
      keyRing: createKeyRing(deps),
      clock: () => testTime,
      originOf: async () => "https://login.example",
      words: ["service"],
      outbound,
      warn: () => {},
      report: (error) => assert.fail(String(error)),
    });
    try {
      delivery.wake();
      while (hanging.size < 8) await new Promise(setImmediate);
      await target(there, "quick");
      delivery.wake();
      assert.equal(await answered, "https://quick.example/");
      assert.equal(hanging.size, 8, "one instance has its share");
    } finally {
      await delivery.stop();
    }
  });
});

test("no payer of a level has more lanes than its share, and a lane that ends takes what was left", async () => {
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const left = ["a/1", "a/1", "a/1", "a/2", "a/2", "b/3", "b/3"];
  const lanes = createLanes<string>({
    most: 6,
    payersOf: (task) => [task.slice(0, 1), task],
    shares: [3, 2],
    take: async ([instances = [], clients = []]) => {
      await new Promise(setImmediate);
      const at = left.findIndex((task) => !instances.includes(task.slice(0, 1)) && !clients.includes(task));
      return at < 0 ? undefined : left.splice(at, 1)[0];
    },
    perform: async (task) => {
      for (const payer of [task.slice(0, 1), task]) {
        running.set(payer, (running.get(payer) ?? 0) + 1);
        most.set(payer, Math.max(most.get(payer) ?? 0, running.get(payer) ?? 0));
      }
      for (let index = 0; index < 20; index++) await new Promise(setImmediate);
      for (const payer of [task.slice(0, 1), task]) running.set(payer, (running.get(payer) ?? 0) - 1);
    },
    report: (error) => assert.fail(String(error)),
  });
  await lanes.drain();
  assert.deepEqual(left, []);
  assert.deepEqual(Object.fromEntries(most), { a: 3, b: 2, "a/1": 2, "a/2": 1, "b/3": 2 });
});
