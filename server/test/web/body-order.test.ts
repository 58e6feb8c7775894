import assert from "node:assert/strict";
import { test } from "node:test";
import { blockOf } from "../../src/base/budget/network-of.ts";
import { createShare as createShareOf } from "../../src/web/body-share.ts";
import { isDoneWithin } from "../support/servers/cpu-time.ts";

const mega = 1024 * 1024;

// A source has 4 MiB, a block 8, the process 32.
const createShare = () =>
  createShareOf({ ofSource: 4 * mega, ofBlock: 8 * mega, ofAll: 32 * mega, nameOfBlock: blockOf, atLeast: 0 });
const addressOf = (network: number, index: number): string => `10.${network}.${index >> 8}.${index & 255}`;

test("a full process makes room from the block that holds most by then", () => {
  const share = createShare();
  const dropped: string[] = [];
  const begin = (source: string, length: number) => {
    const body = share.begin(source, () => dropped.push(source));
    assert.equal(body.take(length), true, source);
    return body;
  };
  for (let index = 0; index < 8_000; index++) begin(addressOf(1, index), 2_000);
  const [first] = Array.from({ length: 4 }, (_, index) => begin(addressOf(2, index), 3 * mega));
  begin(addressOf(3, 0), 2 * mega);
  first?.end();
  begin(addressOf(2, 0), mega);
  assert.deepEqual(dropped, []);
  for (let index = 0; index < 20_000; index++) begin(addressOf(4, index), 1);
  assert.deepEqual(dropped, [addressOf(2, 1)]);
});

test("a chunk costs a full process the same, however many blocks hold something", async () => {
  const share = createShare();
  let index = 0;
  while (share.begin(addressOf(1, index), () => {}).take(2_000)) index++;
  assert.ok(index > 10_000, `${index} blocks`);
  const isQuick = await isDoneWithin(300, () => {
    for (let count = 0; count < 20_000; count++) share.begin(addressOf(2, count), () => {}).take(4_000);
  });
  assert.ok(isQuick);
});
