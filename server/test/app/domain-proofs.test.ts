import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../src/base/fault.ts";
import { createOutbound, OutboundError } from "../../src/base/outbound/index.ts";
import { createDomainProofs } from "../../src/domain/organization/create-domain-proofs.ts";
import { startNameServer } from "../support/http/name-server.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addOwnedOrganization, type OwnedOrganization } from "../support/people/owners.ts";
import { startServer } from "../support/servers/server.ts";

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

test("a proof that cannot be looked for is refused as too many requests, and not as absent", async () => {
  const overloaded = () => Promise.reject(new OutboundError("overloaded"));
  const { hasTextRecord, hasDocument } = createDomainProofs({ outbound: overloaded, hasTextRecord: overloaded });
  for (const look of [hasTextRecord, hasDocument]) {
    await assert.rejects(look("acme.example", "token"), (error) => {
      assert.ok(error instanceof Fault && error.code === "resource_exhausted");
      assert.deepEqual(error.values, { seconds: 10 });
      return true;
    });
  }
});

test("proofs of one organization beside a silent name server leave lookups to others, from however many sources (A17)", async (t) => {
  let isSilent = true;
  const names = await startNameServer(t, (name) => (isSilent && name.includes("evil") ? "silence" : "none"));
  const server = await startServer(t, { config: { dnsServers: [names.address], trustedProxies: ["127.0.0.0/8"] } });
  const [bank, evil] = [await addOwnedOrganization(server, "Bank"), await addOwnedOrganization(server, "Evil")];
  const call = (method: string, { organizationId, token }: OwnedOrganization, body: object, source = "198.51.100.7") =>
    server.connect(
      `service.org.v2.OrganizationService/${method}`,
      { organizationId, ...body },
      { token, headers: { "x-forwarded-for": source } },
    );
  const claim = async (of: OwnedOrganization, domain: string) => {
    const type = "DOMAIN_VALIDATION_TYPE_DNS";
    assert.equal((await call("AddOrganizationDomain", of, { domain })).status, 200);
    assert.equal((await call("GenerateOrganizationDomainValidation", of, { domain, type })).status, 200);
  };
  const ofEvil = Array.from({ length: 48 }, (_, index) => `evil${index}.example`);
  for (const domain of [...ofEvil, "spare-evil.example"]) await claim(evil, domain);
  await claim(bank, "bank.example");
  const evils = () => new Set(names.asked.filter((name) => name.includes("evil"))).size;
  // One source has eight, however many organizations it asks for.
  const others = await Promise.all(
    Array.from({ length: 4 }, (_, index) => addOwnedOrganization(server, `Evil ${index}`)),
  );
  const claims = others.flatMap((of, index) =>
    Array.from({ length: 5 }, (_, each) => ({ of, domain: `evil-${index}-${each}.example` })),
  );
  for (const { of, domain } of claims) await claim(of, domain);
  const ofOne = claims.map(({ of, domain }) => call("VerifyOrganizationDomain", of, { domain }));
  assert.equal((await call("VerifyOrganizationDomain", bank, { domain: "bank.example" }, "192.0.2.77")).status, 400);
  assert.ok(evils() <= 8, `${evils()} names of one source`);
  isSilent = false;
  for (const { status } of await Promise.all(ofOne)) assert.equal(status, 400);
  names.asked.length = 0;
  isSilent = true;
  // Eight from each of six sources in networks of their own, and more than may wait.
  const flood = ofEvil.map((domain, index) =>
    call("VerifyOrganizationDomain", evil, { domain }, `203.0.${index % 6}.9`),
  );
  const beyond = Array.from({ length: 120 }, (_, index) =>
    call("VerifyOrganizationDomain", evil, { domain: "spare-evil.example" }, `192.0.2.${index % 12}`),
  );
  const refused = await Promise.any(
    beyond.map(async (each) => {
      const answer = await each;
      assert.equal(answer.status, 429, JSON.stringify(answer.body));
      return answer;
    }),
  );
  assert.equal(refused.body.code, "resource_exhausted");
  const { status, body } = await call("VerifyOrganizationDomain", bank, { domain: "bank.example" });
  assert.equal(status, 400, JSON.stringify(body));
  assert.match(body.message, /_doorward-challenge\.bank\.example/);
  assert.ok(evils() <= 32, `${evils()} names of one organization`);
  isSilent = false;
  for (const answer of await Promise.all(flood)) assert.ok([400, 429].includes(answer.status));
  await Promise.all(beyond);
});
