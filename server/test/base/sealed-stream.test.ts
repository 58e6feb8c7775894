import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import { test } from "node:test";
import { systemRandom } from "../../src/base/random.ts";
import { openStream, type SealedStreamRefusal, type StreamSeal, sealStream } from "../../src/base/sealed-stream.ts";

const chunk = 64 * 1024;
const tag = 16;
const key = createSecretKey(systemRandom(32));
const seal = (): StreamSeal => ({ key, salt: systemRandom(32), header: "what it is\n" });

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

const sealed = (content: Buffer, by: StreamSeal, size = 10_000) => collect(sealStream(pieces(content, size), by));
const opened = (bytes: Buffer, by: StreamSeal, size = 10_000) => collect(openStream(pieces(bytes, size), by));

async function refuses(bytes: Buffer, by: StreamSeal, reason: SealedStreamRefusal, what: string): Promise<void> {
  await assert.rejects(opened(bytes, by), { name: "SealedStreamError", reason }, what);
}

test("a stream of any length is opened as it was sealed, however it arrives", async () => {
  for (const length of [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 5]) {
    const [content, by] = [systemRandom(length), seal()];
    const bytes = await sealed(content, by, 1 + (length % 7919));
    const chunks = Math.max(1, Math.ceil(length / chunk));
    assert.equal(bytes.length, length + chunks * tag);
    for (const size of [1000, chunk, 10 * chunk]) {
      assert.ok((await opened(bytes, by, size)).equals(content), `${length} in pieces of ${size}`);
    }
  }
});

test("a stream that was cut off, at any point, is refused", async () => {
  const [content, by] = [systemRandom(3 * chunk), seal()];
  const bytes = await sealed(content, by);
  const end = chunk + tag;
  await refuses(Buffer.alloc(0), by, "incomplete", "nothing");
  await refuses(bytes.subarray(0, end), by, "incomplete", "one chunk");
  await refuses(bytes.subarray(0, 2 * end), by, "incomplete", "two chunks");
  for (const length of [1, tag, end - 1, end + 1, 2 * end + tag, 3 * end - 1]) {
    await refuses(bytes.subarray(0, length), by, "altered", `${length} bytes`);
  }
});

test("chunks that were changed, moved, left out, repeated or added are refused", async () => {
  const [content, by] = [systemRandom(3 * chunk), seal()];
  const bytes = await sealed(content, by);
  const [first, second, third] = [0, 1, 2].map((n) => bytes.subarray(n * (chunk + tag), (n + 1) * (chunk + tag)));
  assert.ok(first && second && third);
  const foreign = await sealed(content, { ...by, salt: systemRandom(32) });
  for (const [what, changed] of [
    ["moved", [second, first, third]],
    ["left out", [first, third]],
    ["repeated", [first, first, second, third]],
    ["added", [first, second, third, third]],
    ["the last one alone", [third]],
    ["of another stream under the same key", [foreign.subarray(0, chunk + tag), second, third]],
  ] as const) {
    await refuses(Buffer.concat(changed), by, "altered", what);
  }
  for (const at of [0, 1, chunk, chunk + tag - 1, chunk + tag, bytes.length - tag - 1, bytes.length - 1]) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
    await refuses(flipped, by, "altered", `bit of byte ${at}`);
  }
  await refuses(Buffer.concat([bytes, Buffer.alloc(1)]), by, "altered", "a byte at the end");
});

test("another key, salt or header opens nothing", async () => {
  const by = seal();
  const bytes = await sealed(Buffer.from("content"), by);
  assert.equal((await opened(bytes, by)).toString(), "content");
  await refuses(bytes, { ...by, key: createSecretKey(systemRandom(32)) }, "altered", "key");
  await refuses(bytes, { ...by, salt: systemRandom(32) }, "altered", "salt");
  await refuses(bytes, { ...by, header: "what it is not\n" }, "altered", "header");
});

test("nothing of a changed chunk is passed on", async () => {
  const [content, by] = [Buffer.alloc(2 * chunk, "a"), seal()];
  const bytes = await sealed(content, by);
  bytes.writeUInt8(bytes.readUInt8(chunk + tag) ^ 1, chunk + tag);
  let length = 0;
  await assert.rejects(async () => {
    for await (const part of openStream(pieces(bytes, 5000), by)) length += part.length;
  });
  assert.equal(length, chunk);
});
