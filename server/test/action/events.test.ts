import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { compactDecrypt, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { addPerson, goodPassword, type Person } from "../support/people/people.ts";
import { startCluster } from "../support/servers/nodes.ts";
import type { TestServer } from "../support/servers/server.ts";
import { actionsOf, verified } from "./support/actions.ts";

async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; !(await holds()); attempt++) {
    assert.ok(attempt < 2000, what);
    await sleep(10);
  }
}

interface LoggedDelivery {
  readonly subject: string;
  readonly state: string;
  readonly attempts: number;
  readonly failure: string | null;
  readonly payload: string | null;
}

/** The log of a target, oldest first. */
const logOf = (server: TestServer, targetId: string): Promise<LoggedDelivery[]> =>
  server.app.domain.database.read.all<LoggedDelivery>(sql`select subject, state, attempts, failure, payload from deliveries
    where target_id = ${targetId} order by number`);

const sentTo = (receiver: Receiver) => receiver.received.map(({ body }) => JSON.parse(body));

/** Lets time pass and the jobs run. */
async function pass(server: TestServer, milliseconds: number): Promise<void> {
  server.clock.now += milliseconds;
  await server.app.jobs.tick();
}

const rename = async (server: TestServer, { userId }: Person, givenName: string): Promise<void> => {
  const profile = { givenName, familyName: "Example" };
  const answer = await server.rest("PATCH", `/v2/users/${userId}`, { body: { human: { profile } } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};

eachEngine((_open, engine) => {
  test("events reach the targets that listen to them", async (t) => {
    const { first: server } = await startCluster(t, engine, 1);
    const actions = actionsOf(server);

    await t.test(
      "the targets of the most specific condition get an event, signed, as it happened and never before",
      async () => {
        const [created, grouped, rest] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)];
        const before = await addPerson(server, { username: "before" });
        const target = await actions.createTarget(created.origin);
        server.clock.now += 1000;
        await actions.set({ event: { event: "user.created" } }, [target]);
        await actions.set({ event: { group: "user" } }, [await actions.createTarget(grouped.origin)]);
        await actions.set({ event: { all: true } }, [await actions.createTarget(rest.origin)]);
        const person = await addPerson(server, { username: "grace" });
        await rename(server, person, "Grace");
        await eventually(() => created.received.length > 0 && grouped.received.length > 0, "both arrive");
        const [payload] = created.received.map((received) => verified(received, target.signingKey));
        assert.deepEqual(
          { ...payload, created_at: undefined, event_payload: undefined, userID: undefined },
          {
            aggregateID: person.userId,
            aggregateType: "user",
            resourceOwner: person.organizationId,
            instanceID: payload.instanceID,
            version: "v1",
            sequence: 1,
            event_type: "user.created",
            created_at: undefined,
            event_payload: undefined,
            userID: undefined,
          },
        );
        assert.match(payload.userID, /^\d+$/);
        assert.equal(payload.created_at, new Date(server.clock.now).toISOString());
        assert.equal(typeof payload.event_payload, "object");
        assert.ok(
          sentTo(grouped).every(({ event_type }) => event_type !== "user.created" && event_type.startsWith("user.")),
        );
        assert.ok(sentTo(rest).every(({ event_type }) => !event_type.startsWith("user.")));
        for (const receiver of [created, grouped, rest]) {
          assert.ok(!receiver.received.some(({ body }) => body.includes(before.userId) || body.includes(goodPassword)));
        }
        for (const condition of [{ event: "user.created" }, { group: "user" }, { all: true }]) {
          await actions.set({ event: condition }, []);
        }
      },
    );

    await t.test(
      "failed deliveries are retried with growing delays, in order per aggregate, and finally given up",
      async () => {
        const receiver = await startReceiver(t);
        const isDown = new Set<string>();
        receiver.answer = ({ body }, response) =>
          void response.writeHead(isDown.has(JSON.parse(body).aggregateID) ? 503 : 200).end();
        const target = await actions.createTarget(receiver.origin, { kind: "restWebhook" });
        await actions.set({ event: { group: "user.profile" } }, [target]);
        const [stuck, well] = [
          await addPerson(server, { username: "stuck" }),
          await addPerson(server, { username: "well" }),
        ];
        isDown.add(stuck.userId);
        for (const name of ["One", "Two", "Three"]) {
          await rename(server, stuck, name);
          await rename(server, well, name);
        }
        const delivered = async () =>
          (await logOf(server, target.targetId)).filter(({ state }) => state === "delivered").length;
        await eventually(async () => (await delivered()) === 3, "the others do not wait");
        const sequences = (of: Person) =>
          sentTo(receiver)
            .filter(({ aggregateID }) => aggregateID === of.userId)
            .map(({ sequence }) => sequence);
        assert.deepEqual(sequences(well), sequences(well).toSorted());
        assert.equal(new Set(sequences(stuck)).size, 1, "the first one is in the way of the next");

        const search = (body: object) =>
          server.rest("POST", `/v2/actions/targets/${target.targetId}/deliveries/search`, { body });
        const pending = (await search({ state: "DELIVERY_STATE_PENDING", pagination: { limit: 2, asc: true } })).body;
        assert.equal(pending.pagination.totalResult, 3);
        assert.deepEqual(
          pending.deliveries.map(({ failure, attempts }: LoggedDelivery) => [failure, attempts]),
          [
            ["status_503", 1],
            ["", 0],
          ],
        );
        isDown.clear();
        await pass(server, 3_600_000);
        await eventually(async () => (await delivered()) === 6, "all arrive when it is well again");
        assert.equal((await search({})).body.pagination.totalResult, 6);
        assert.deepEqual([...new Set(sequences(stuck))], [...new Set(sequences(stuck))].toSorted());

        isDown.add(stuck.userId);
        await rename(server, stuck, "Four");
        const last = async () => (await logOf(server, target.targetId)).at(-1);
        await eventually(async () => {
          const log = await logOf(server, target.targetId);
          return log.length === 7 && log.at(-1)?.attempts === 1;
        }, "a first attempt");
        for (let attempt = 0; attempt < 15 && (await last())?.state === "pending"; attempt++)
          await pass(server, 90_000_000);
        assert.deepEqual(
          { ...(await last()) },
          { subject: "user.profile.set", state: "failed", attempts: 12, failure: "status_503", payload: null },
        );
        const { deliveries, pagination } = (await search({ state: "DELIVERY_STATE_FAILED" })).body;
        assert.deepEqual(
          [pagination.totalResult, deliveries[0].failure, deliveries[0].attempts],
          [1, "status_503", 12],
        );
        assert.deepEqual([deliveries[0].aggregateId, deliveries[0].number], [stuck.userId, 7]);
        await actions.set({ event: { group: "user.profile" } }, []);
      },
    );

    await t.test(
      "an async target is asked for nothing but to take it; what goes with a request is sealed until then",
      async () => {
        const receiver = await startReceiver(t);
        receiver.answer = (_request, response) => void response.destroy();
        const target = await actions.createTarget(receiver.origin, { kind: "restAsync" });
        const condition = { request: { method: "/service.user.v2.UserService/CreateUser" } };
        await actions.set(condition, [target]);
        await addPerson(server, { username: "async" });
        await eventually(async () => (await logOf(server, target.targetId))[0]?.attempts === 1, "an attempt");
        const [waiting] = await logOf(server, target.targetId);
        assert.deepEqual([waiting?.state, waiting?.failure], ["pending", "connection_failed"]);
        assert.ok(waiting?.payload?.startsWith("v1.") && !waiting.payload.includes(goodPassword));
        receiver.answer = (_request, response) => void response.writeHead(500).end();
        await pass(server, 60_000);
        await eventually(async () => (await logOf(server, target.targetId))[0]?.state === "delivered", "it was taken");
        assert.equal((await logOf(server, target.targetId))[0]?.payload, null);
        assert.equal(verified(receiver.received.at(-1) as never, target.signingKey).request.username, "async");
        await actions.set(condition, []);
      },
    );

    await t.test("signed and encrypted payloads are read by an independent library", async () => {
      const receiver = await startReceiver(t);
      const event = { event: { event: "user.created" } };
      const keySet = async () => createLocalJWKSet((await server.rest("GET", "/oauth/v2/keys", { token: null })).body);
      const verify = async (token: string) => {
        const { payload } = await jwtVerify(token, await keySet(), {
          issuer: server.origin,
          audience: receiver.origin,
          typ: "action+jwt",
          currentDate: new Date(server.clock.now),
        });
        return payload;
      };
      // An event may come again, when its answer was late.
      const next = async (username: string, isMeant = (_body: string): boolean => true) => {
        const count = receiver.received.length;
        const { userId } = await addPerson(server, { username });
        const find = () => receiver.received.slice(count).find(({ body }) => isMeant(body));
        await eventually(() => find() !== undefined, "it arrives");
        return { userId, ...(find() as (typeof receiver.received)[number]) };
      };
      const signed = await actions.createTarget(receiver.origin, { payloadType: "JWT" });
      await actions.set(event, [signed]);
      const sent = await next("signed");
      assert.equal(sent.headers["content-type"], "application/jwt");
      assert.equal((await verify(sent.body))["aggregateID"], sent.userId);

      const encrypted = await actions.createTarget(receiver.origin, { payloadType: "JWE" });
      await actions.set(event, [encrypted]);
      const log = () => logOf(server, encrypted.targetId);
      const pairs = [
        ["RSA-OAEP-256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
        ["ECDH-ES+A256KW", generateKeyPairSync("ec", { namedCurve: "P-384" })],
      ] as const;
      await addPerson(server, { username: "without-key" });
      await eventually(async () => (await log())[0]?.failure === "no_encryption_key", "nothing is sent in the clear");
      await actions.set(event, []);
      await actions.set(event, [encrypted]);
      for (const [algorithm, { publicKey, privateKey }] of pairs) {
        const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
        const { targetId } = encrypted;
        const { keyId } = await actions.call("AddPublicKey", {
          targetId,
          publicKey: Buffer.from(pem).toString("base64"),
        });
        await actions.call("ActivatePublicKey", { targetId, keyId });
        server.clock.now += 3_600_000;
        const isForKey = (sent: string): boolean => decodeProtectedHeader(sent).kid === keyId;
        const { body, userId } = await next(`encrypted-${algorithm.toLowerCase().replace("+", "-")}`, isForKey);
        const { alg, enc, kid } = decodeProtectedHeader(body);
        assert.deepEqual([alg, enc, kid], [algorithm, "A256GCM", keyId]);
        const { plaintext } = await compactDecrypt(body, privateKey);
        const payload = await verify(Buffer.from(plaintext).toString("utf8"));
        assert.ok([userId, payload["aggregateID"]].every((id) => typeof id === "string"));
      }
      await actions.set(event, []);
    });

    await t.test("the log is kept for a week, and a deleted target leaves nothing to be delivered", async () => {
      const receiver = await startReceiver(t);
      receiver.answer = (_request, response) => void response.writeHead(500).end();
      const target = await actions.createTarget(receiver.origin, { kind: "restWebhook" });
      await actions.set({ event: { event: "user.created" } }, [target]);
      await addPerson(server, { username: "left" });
      await eventually(async () => (await logOf(server, target.targetId)).length === 1, "it is queued");
      await actions.call("DeleteTarget", { id: target.targetId });
      await eventually(async () => {
        await pass(server, 120_000);
        return (await logOf(server, target.targetId)).length === 0;
      }, "it goes");
      const { read } = server.app.domain.database;
      const settled = () =>
        read.maybe<{ count: number }>(sql`select count(*) as "count" from deliveries where settled_at is not null`);
      assert.ok(((await settled())?.count ?? 0) > 0);
      await eventually(async () => {
        await pass(server, 8 * 86_400_000);
        return (await settled())?.count === 0;
      }, "the log goes");
    });
  });

  test("two nodes deliver each event once, and in order", async (t) => {
    const { first, nodes } = await startCluster(t, engine, engine === "postgres" ? 2 : 1);
    const receiver = await startReceiver(t);
    const actions = actionsOf(first);
    await actions.set({ event: { group: "user" } }, [await actions.createTarget(receiver.origin)]);
    const people: Person[] = [];
    for (let index = 0; index < 4; index++) people.push(await addPerson(first, { username: `person-${index}` }));
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        people.map((person, index) => rename(nodes[(round + index) % nodes.length] ?? first, person, `Name${round}`)),
      );
    }
    await eventually(() => receiver.received.length >= 16, "all arrive");
    await Promise.all(nodes.map(({ app }) => app.jobs.tick()));
    const events = sentTo(receiver).map(({ aggregateID, sequence }) => `${aggregateID} ${sequence}`);
    assert.equal(new Set(events).size, events.length, "none twice");
    for (const { userId } of people) {
      const sequences = sentTo(receiver)
        .filter(({ aggregateID }) => aggregateID === userId)
        .map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        sequences.toSorted((left, right) => left - right),
      );
    }
  });
});
