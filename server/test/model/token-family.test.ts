import { describe, test } from "node:test";
import fc from "fast-check";
import { isLong, testSeed } from "../support/data/random.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Cluster, startCluster } from "../support/servers/nodes.ts";
import { askAfterAll, familyCommands } from "./support/family-commands.ts";
import { makeFamilyFixtures } from "./support/family-fixtures.ts";
import { newModel } from "./support/family-model.ts";

// `npm run test:model` is the long version. Each batch has a cluster of its own, because time only goes forward.
const batches = isLong() ? 10 : 1;
const runs = isLong() ? 40 : 6;
const seed = testSeed();

for (let batch = 0; batch < batches; batch++) {
  describe("sqlite", () => {
    test("no sequence yields an active token that should have ended, or ends one that should be active", (t) =>
      run(seed + batch, () => startCluster(t, "sqlite", 1)));
  });
  onPostgres(() => {
    test("on two nodes no sequence does either", (t) => run(seed + batch, () => startCluster(t, "postgres", 2)));
  });
}

async function run(ownSeed: number, start: () => Promise<Cluster>): Promise<void> {
  const cluster = await start();
  // Sessions of this model sign in for as long as they live.
  await changeSettings(cluster.first, "login", { passwordCheckLifetimeSeconds: 315_360_000 });
  let steps = 0;
  const property = fc.asyncProperty(familyCommands(160), async (commands) => {
    const fixtures = await makeFamilyFixtures(cluster);
    const setUp = { model: newModel(cluster.first.clock.now, { users: 2, clients: 2 }), real: fixtures };
    await fc.asyncModelRun(() => setUp, commands);
    for (const node of cluster.nodes.keys()) await askAfterAll(setUp.model, fixtures, node);
    steps += [...commands].length;
  });
  await fc.assert(property, { seed: ownSeed, numRuns: runs, endOnFailure: false, interruptAfterTimeLimit: 300_000 });
  console.log(`${runs} sequences, ${steps} steps, DOORWARD_TEST_SEED=${ownSeed}`);
}
