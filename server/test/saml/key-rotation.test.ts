import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { days, hours, minutes } from "../../src/base/clock.ts";
import { readMetadata } from "../../src/base/saml/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { startCluster } from "../support/servers/nodes.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";
import { nodeSaml, postedBy, register, signInAt } from "./support.ts";

interface Key {
  readonly id: string;
  readonly state: string;
  readonly certificate: string;
  readonly fingerprint: string;
  readonly expirationDate: string;
  readonly switchDate?: string;
  readonly removalDate?: string;
  readonly renewalDate?: string;
}

const list = async (server: TestServer): Promise<readonly Key[]> =>
  (await server.rest("GET", "/v2/saml_keys")).body.keys ?? [];
const start = (server: TestServer, switchDate?: number) =>
  server.rest("POST", "/v2/saml_keys/rotation", {
    body: switchDate === undefined ? {} : { switchDate: new Date(switchDate).toISOString() },
  });
const replace = (server: TestServer, id: string, body: object = {}) =>
  server.rest("POST", `/v2/saml_keys/${id}/replace`, { body });

const publishedBy = async (server: Pick<TestServer, "origin">, now: number): Promise<readonly string[]> => {
  const text = await (await fetch(`${server.origin}/saml/v2/metadata`)).text();
  const { identityProvider } = await readMetadata(text, now);
  return identityProvider?.signingCertificates ?? [];
};
const published = (server: TestServer) => publishedBy(server, server.clock.now);
const signing = async (server: Pick<TestServer, "origin">): Promise<string> =>
  derOf(await (await fetch(`${server.origin}/saml/v2/certificate`)).text());
const derOf = (pem: string): string => new X509Certificate(pem).raw.toString("base64");
const states = (keys: readonly Key[]) => keys.map(({ state }) => state.replace("SAML_KEY_STATE_", ""));
const instantOf = (text: string | undefined): number => new Date(text ?? "").getTime();
const refusal = ({ status, body }: { status: number; body: { details: { id: string }[] } }) => [
  status,
  body.details[0]?.id,
];

eachServer((startServer) => {
  test("an administrator begins the rotation early: the next certificate is published before its key signs", async (t) => {
    const server = await startServer(t);
    assert.deepEqual(await list(server), []);
    assert.deepEqual(refusal(await start(server)), [400, "saml_key.none"]);
    const first = await signing(server);
    const [active] = await list(server);
    const end = instantOf(active?.expirationDate);
    assert.equal(active?.fingerprint, new X509Certificate(Buffer.from(first, "base64")).fingerprint256);
    assert.equal(instantOf(active?.renewalDate), end - days(90));

    const { now } = server.clock;
    for (const refused of [now, now + hours(24) - 1, end + 1]) {
      assert.deepEqual(refusal(await start(server, refused)), [400, "saml_key.switch_date"]);
    }
    assert.deepEqual(await published(server), [first]);
    const { status, body } = await start(server);
    assert.equal(status, 200, JSON.stringify(body));
    const second = derOf(body.key.certificate);
    assert.equal(instantOf(body.key.switchDate), now + days(60));
    assert.deepEqual(await published(server), [first, second]);
    assert.equal(await signing(server), first);
    assert.deepEqual(states(await list(server)), ["ACTIVE", "NEXT"]);

    // The same again changes nothing; another date changes the plan, and makes no other key.
    assert.equal((await start(server)).body.key.id, body.key.id);
    server.clock.now += hours(1);
    assert.deepEqual(refusal(await start(server, now + hours(24) - 1)), [400, "saml_key.switch_date"]);
    const moved = await start(server, now + hours(24));
    assert.deepEqual([moved.status, moved.body.key.id], [200, body.key.id]);
    assert.equal(instantOf((await list(server))[1]?.switchDate), now + hours(24));

    const go = async (instant: number): Promise<void> => {
      server.clock.now = instant;
      await server.app.jobs.tick();
    };
    await go(now + hours(24) - minutes(1));
    assert.equal(await signing(server), first);
    await go(now + hours(25));
    assert.equal(await signing(server), second);
    assert.deepEqual(await published(server), [second, first]);
    const [former, current] = await list(server);
    assert.deepEqual(states(await list(server)), ["FORMER", "ACTIVE"]);
    assert.equal(instantOf(former?.removalDate), server.clock.now + days(30));
    assert.equal(instantOf(current?.renewalDate), instantOf(current?.expirationDate) - days(90));
    await go(server.clock.now + days(31));
    assert.deepEqual(await published(server), [second]);
    const types = (await recordedEvents(server)).map(({ type }) => type).filter((type) => type.startsWith("saml_key."));
    assert.deepEqual(
      types,
      ["created", "created", "planned", "deactivated", "activated", "deleted"].map((name) => `saml_key.${name}`),
    );
  });

  test("a key that others may know is replaced at once, with every other certificate, and once", async (t) => {
    const server = await startServer(t, { now: Date.now() });
    const ada = await addPerson(server, { username: "ada" });
    const { entityId } = await register(server);
    const trusting = await nodeSaml(server, entityId);
    const [{ id = "" } = {}] = await list(server);
    const { body: begun } = await start(server);
    const races = await Promise.all([replace(server, id), replace(server, id)]);
    assert.deepEqual(races.map(({ status }) => status).toSorted(), [200, 404]);
    const { key } = races.find(({ status }) => status === 200)?.body ?? {};
    assert.notEqual(key.id, begun.key.id);
    assert.deepEqual(await published(server), [derOf(key.certificate)]);
    assert.equal(await signing(server), derOf(key.certificate));
    assert.deepEqual(refusal(await replace(server, id)), [404, "saml_key.not_found"]);

    // A service provider with the former certificate refuses what the new key signs.
    const { page } = await signInAt(server, await trusting.getAuthorizeUrlAsync("", undefined, {}), ada);
    const { fields } = postedBy(page);
    await assert.rejects(trusting.validatePostResponseAsync(fields), /signature/i);
    const told = await nodeSaml(server, entityId);
    assert.equal((await told.validatePostResponseAsync(fields)).profile?.nameID, ada.loginName);

    // With the next key, whose certificate is known already.
    assert.deepEqual(refusal(await replace(server, key.id, { useNext: true })), [400, "saml_key.no_next"]);
    const { body: again } = await start(server);
    assert.deepEqual(refusal(await replace(server, again.key.id)), [400, "saml_key.not_active"]);
    const known = await replace(server, key.id, { useNext: true });
    assert.deepEqual([known.status, known.body.key.id], [200, again.key.id]);
    assert.deepEqual(await published(server), [derOf(again.key.certificate)]);
    const events = (await recordedEvents(server)).filter(({ type }) => type.startsWith("saml_key."));
    assert.deepEqual(
      events.slice(2).map(({ type, payload }) => [type, payload?.["state"]]),
      [
        ["saml_key.deleted", "active"],
        ["saml_key.deleted", "next"],
        ["saml_key.created", "active"],
        ["saml_key.created", "next"],
        ["saml_key.deleted", "active"],
        ["saml_key.activated", undefined],
      ],
    );
    assert.ok(!JSON.stringify(events).includes("PRIVATE"));
  });

  test("a next key can be taken back, a former one leaves early, the active one stays", async (t) => {
    const server = await startServer(t);
    const first = await signing(server);
    const remove = (id: string) => server.rest("DELETE", `/v2/saml_keys/${id}`);
    const [{ id = "" } = {}] = await list(server);
    assert.deepEqual(refusal(await remove(id)), [400, "saml_key.active"]);
    const { body } = await start(server);
    assert.ok((await remove(body.key.id)).body.deletionDate);
    assert.deepEqual(await published(server), [first]);
    const twice = await remove(body.key.id);
    assert.deepEqual([twice.status, twice.body.deletionDate], [200, undefined]);
    // Several administrators begin at once: there is one next key.
    const begun = await Promise.all([start(server), start(server), start(server)]);
    assert.equal(new Set(begun.map((answer) => answer.body.key.id)).size, 1);
    server.clock.now += days(61);
    await server.app.jobs.tick();
    assert.deepEqual(states(await list(server)), ["FORMER", "ACTIVE"]);
    assert.ok((await remove(id)).body.deletionDate);
    assert.deepEqual(await published(server), [derOf(begun[0].body.key.certificate)]);
  });
});

onPostgres(() => {
  test("another node knows of a change from the moment that it is answered", async (t) => {
    const { first, other } = await startCluster(t, "postgres", 2);
    const { now } = first.clock;
    let current = await signing(other);
    for (let round = 0; round < 3; round += 1) {
      const { body } = await start(first);
      const next = derOf(body.key.certificate);
      assert.deepEqual(await publishedBy(other, now), [current, next]);
      const active = (await list(other)).find(({ state }) => state === "SAML_KEY_STATE_ACTIVE");
      const replaced = await replace(first, active?.id ?? "", { useNext: true });
      assert.equal(replaced.status, 200, JSON.stringify(replaced.body));
      assert.equal(await signing(other), next);
      assert.deepEqual(await publishedBy(other, now), [next]);
      current = next;
    }
  });
});
