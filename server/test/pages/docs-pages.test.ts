import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../support/server.ts";

test("a page of the documentation is drawn once for each address and language", async (t) => {
  const server = await startServer(t);
  const path = "/docs/service.user.v2.UserService";
  const ask = async (headers: Record<string, string> = {}, query = "") => {
    const answer = await fetch(`${server.origin}${path}${query}`, { headers });
    return { status: answer.status, etag: answer.headers.get("etag") ?? "", text: await answer.text() };
  };
  const first = await ask();
  assert.equal(first.status, 200);
  const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    for (let count = 0; count < 20; count++) await work();
    return performance.now() - started;
  };
  const plain = await timeOf(() => fetch(`${server.origin}/debug/healthz`).then((answer) => answer.text()));
  for (const query of ["", "?x=1"]) {
    const again = await timeOf(async () => assert.deepEqual(await ask({}, query), first));
    assert.ok(again < plain + 150, `${again} ms for twenty, ${plain} ms of others`);
  }
  assert.equal((await ask({ "if-none-match": first.etag })).status, 304);
  const german = await ask({ "accept-language": "de" });
  assert.notEqual(german.etag, first.etag);
  assert.equal((await ask({ "accept-language": "de", "if-none-match": first.etag })).status, 200);
  assert.equal((await fetch(`${server.origin}/docs/service.user.v2.Unknown`)).status, 404);
});
