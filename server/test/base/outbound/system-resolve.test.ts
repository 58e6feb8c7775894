import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import { payFor } from "../../../src/base/budget/payer.ts";
import { createSystemResolve } from "../../../src/base/outbound/index.ts";
import { startNameServer } from "../../support/http/name-server.ts";

async function fileWith(t: TestContext, name: string, text: string): Promise<string> {
  const file = join(tmpdir(), `doorward-${name}-${process.pid}`);
  await writeFile(file, text);
  t.after(() => rm(file));
  return file;
}

const answers = (name: string): string =>
  name.startsWith("silent") ? "silence" : name.endsWith("good.example") ? "192.0.2.7" : "none";

test("names are asked for at the name server, and those of the hosts file and of this machine are not", async (t) => {
  const { address, asked } = await startNameServer(t, answers);
  const hostsFile = await fileWith(t, "hosts", "# a comment\n10.1.2.3 mail.internal other # of us\n::1 six.internal\n");
  const resolverFile = await fileWith(t, "resolv", "search cluster.good.example\noptions ndots:2\n");
  const resolve = createSystemResolve({ servers: [address], hostsFile, resolverFile });
  assert.deepEqual(await resolve("MAIL.internal"), [{ address: "10.1.2.3", family: 4 }]);
  assert.deepEqual(await resolve("six.internal"), [{ address: "::1", family: 6 }]);
  for (const name of ["localhost", "acme.localhost"]) {
    assert.deepEqual(
      (await resolve(name)).map((one) => one.address),
      ["127.0.0.1", "::1"],
      name,
    );
  }
  assert.deepEqual(asked, []);
  assert.deepEqual(await resolve("good.example"), [{ address: "192.0.2.7", family: 4 }]);
  assert.deepEqual(await resolve("hooks"), [{ address: "192.0.2.7", family: 4 }], "by the search domain");
  const before = asked.length;
  await resolve("good.example");
  assert.equal(asked.length, before, "an answer is kept for a moment");
  await assert.rejects(resolve("bad.other.example."));
});

test("a lookup ends with its caller's deadline, and silent name servers delay only callers that named them (A17)", async (t) => {
  const { address } = await startNameServer(t, answers);
  const resolve = createSystemResolve({ servers: [address] });
  const stop = new AbortController();
  const ended: unknown[] = [];
  const silent = Array.from({ length: 40 }, (_, index) =>
    payFor(["one", "203.0.113.9"], () => resolve(`silent${index}.example.`, stop.signal)).catch((error: unknown) =>
      ended.push(error),
    ),
  );
  for (const payer of [
    ["one", "203.0.113.10"],
    ["two", "203.0.113.9"],
  ]) {
    const found = await payFor(payer, () => resolve(`${payer.join("-").replaceAll(".", "-")}.good.example.`));
    assert.equal(found[0]?.address, "192.0.2.7", payer.join());
  }
  // The others were answered while all of these waited, and not when the name server had been given up.
  assert.deepEqual(ended, []);
  stop.abort();
  await Promise.all(silent);
  assert.equal(ended.length, 40);
  assert.deepEqual(new Set(ended), new Set([stop.signal.reason]));
});
