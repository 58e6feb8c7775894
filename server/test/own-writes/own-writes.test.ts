import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf, isLong, testSeed } from "../support/data/random.ts";
import { type Cluster, eachTopology } from "../support/servers/nodes.ts";
import { makeEstate, writeAndRead } from "./support/pairs.ts";

const seed = testSeed();
/** Pairs on each way to run: together a hundred thousand in the long version. */
const pairs = isLong() ? 34_000 : 150;
const workers = isLong() ? 16 : 4;

eachTopology((start, topology) => {
  test(`what was written is what is read next, at every node (seed ${seed})`, async (t) => {
    const cluster = await start(t);
    const started = performance.now();
    const counts = new Map<string, number>();
    const misses: string[] = [];
    let begun = 0;
    const work = async (_: unknown, worker: number): Promise<void> => {
      const chance = chanceOf(seed + worker);
      const estate = await makeEstate(cluster.first, worker);
      while (begun < pairs) {
        const number = begun++;
        const [writer, reader] = nodesFor(cluster, chance.below(2));
        const { kind, expected, found } = await writeAndRead({ estate, writer, reader, chance, number });
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        if (found !== expected) misses.push(`${kind}: wrote ${expected}, read ${found}`);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (isLong()) console.log(`${topology}: ${pairs} pairs in ${seconds} s, ${misses.length} misses`);
    assert.deepEqual(misses.slice(0, 10), [], `${misses.length} misses; repeat with --seed ${seed}`);
    if (isLong())
      assert.deepEqual(
        [...counts.values()].filter((count) => count < 500),
        [],
        "every kind comes up",
      );
  });
});

// With two nodes what one wrote is read at the other.
function nodesFor({ nodes, other }: Cluster, turn: number) {
  const [first] = nodes;
  return turn === 0 ? ([first, other] as const) : ([other, first] as const);
}
