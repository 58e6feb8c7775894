import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { callsOf } from "../../bench/million/calls.ts";
import { amountsOf } from "../../bench/million/instance.ts";
import { untimed } from "../../bench/million/untimed.ts";
import { readContract } from "../../console/contract/contract.ts";
import { keptOf } from "../../console/contract/kept.ts";
import { readUsage } from "../../console/contract/usage.ts";

const root = join(import.meta.dirname, "../..");
const reads = /\/(?:Get|List|Search|Explain|Count|Is|Find|Export)/;

test("each method by which the console reads is timed with a million users, or there is a reason not to", async () => {
  const contract = await readContract(join(root, "api/src"));
  const { methods } = keptOf(contract, await readUsage(join(root, "console/src")));
  const made = { organizationId: "1", projectId: "1", applicationId: "1", identityProviderId: "1", targetId: "1" };
  const timed = new Set(callsOf(made, amountsOf(1_000_000)).map(({ method }) => method));
  const isExplained = (method: string): boolean => Object.values(untimed).some((pattern) => pattern.test(method));
  assert.deepEqual(
    [...methods].filter((method) => reads.test(method) && !timed.has(method) && !isExplained(method)).sort(),
    [],
  );
  assert.deepEqual(
    [...timed].filter((method) => !methods.has(method)),
    [],
    "the console no longer calls these",
  );
});
