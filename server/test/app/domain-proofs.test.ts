import assert from "node:assert/strict";
import { test } from "node:test";
import { createOutbound } from "../../src/base/outbound/index.ts";
import { createDomainProofs } from "../../src/domain/organization/create-domain-proofs.ts";
import { startReceiver } from "../support/http/receiver.ts";

test("a document proves a domain when it is the value and nothing else, and a failure proves nothing", async (t) => {
  const receiver = await startReceiver(t);
  const hasTextRecord = async () => false;
  const { hasDocument } = createDomainProofs({ outbound: createOutbound({ allow: ["127.0.0.1"] }), hasTextRecord });
  const url = `http://127.0.0.1:${receiver.port}/.well-known/doorward-challenge/t.txt`;
  const proves = (status: number, body: string): Promise<boolean> => {
    receiver.answer = (_request, response) => response.writeHead(status, { location: "/elsewhere" }).end(body);
    return hasDocument(url, "token");
  };
  assert.equal(await proves(200, "token"), true);
  assert.equal(await proves(200, "token\r\n"), true);
  assert.equal(await proves(200, "a token"), false);
  assert.equal(await proves(404, "token"), false);
  assert.equal(await proves(302, "token"), false);
  assert.equal(await proves(200, `token${" ".repeat(2000)}`), false);
  assert.equal(await hasDocument("http://127.0.0.1:1/", "token"), false);
  const closed = createDomainProofs({ outbound: createOutbound({ allow: [] }), hasTextRecord });
  assert.equal(await closed.hasDocument(url, "token"), false);
});
