import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { days } from "../../src/base/clock.ts";
import { readMetadata } from "../../src/base/saml/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";
import { decodeResponse, nodeSaml, partnerKey, postedBy, register, signInAt, startNow } from "./support.ts";

const certificatesOf = async (server: TestServer): Promise<readonly string[]> => {
  const answer = await fetch(`${server.origin}/saml/v2/metadata`);
  assert.equal(answer.headers.get("content-type"), "application/samlmetadata+xml; charset=utf-8");
  const { entityId, identityProvider } = await readMetadata(await answer.text(), server.clock.now);
  assert.equal(entityId, `${server.origin}/saml/v2/metadata`);
  return identityProvider?.signingCertificates ?? [];
};

const signing = async (server: TestServer): Promise<string> =>
  new X509Certificate(await (await fetch(`${server.origin}/saml/v2/certificate`)).text()).raw.toString("base64");

eachServer((start) => {
  test("an instance has one key however many ask at once, and it is encrypted", async (t) => {
    const server = await start(t);
    const seen = await Promise.all([1, 2, 3, 4].map(() => certificatesOf(server)));
    assert.equal(new Set(seen.map(String)).size, 1);
    const [certificates = []] = seen;
    assert.equal(certificates.length, 1);
    assert.equal(await signing(server), certificates[0]);
    const created = (await recordedEvents(server)).filter(({ type }) => type === "saml_key.created");
    assert.equal(created.length, 1);
    assert.ok(!JSON.stringify(created).includes("PRIVATE"));
  });

  test("a successor is published long before it signs, and the former key stays for a while", async (t) => {
    const server = await start(t);
    const [first = ""] = await certificatesOf(server);
    const end = new X509Certificate(Buffer.from(first, "base64")).validToDate.getTime();
    const go = async (instant: number): Promise<readonly string[]> => {
      server.clock.now = instant;
      await server.app.jobs.tick();
      return certificatesOf(server);
    };
    assert.deepEqual(await go(end - days(91)), [first]);
    const both = await go(end - days(89));
    assert.equal(both.length, 2);
    assert.equal(await signing(server), first);
    const [, second = ""] = both;
    await go(end - days(28));
    assert.equal(await signing(server), second);
    assert.deepEqual((await certificatesOf(server)).toSorted(), [first, second].toSorted());
    assert.deepEqual(await go(end + days(10)), [second]);
  });

  test("responses are signed by the key of their instance, and not by another", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId } = await register(server);
    const sp = await nodeSaml(server, entityId);
    const { page } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), ada);
    const { fields } = postedBy(page);
    const xml = decodeResponse(fields);
    const forge = (changed: string) =>
      sp.validatePostResponseAsync({ SAMLResponse: Buffer.from(changed).toString("base64") });
    await assert.rejects(forge(xml.replaceAll(ada.loginName, "root@doorward.localhost")));
    const other = await nodeSaml(server, entityId, { idpCert: (await partnerKey()).certificate });
    await assert.rejects(other.validatePostResponseAsync(fields));
    assert.equal((await sp.validatePostResponseAsync(fields)).profile?.nameID, ada.loginName);
  });
});
