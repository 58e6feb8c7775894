import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { type Chance, chanceOf, testSeed } from "../support/data/random.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const path = "/admin/v1/events/_search";

async function search(server: TestServer, body: object) {
  const answer = await server.rest("POST", path, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  return answer.body.events as any[];
}

const tick = (server: TestServer): number => (server.clock.now += 1000);

/** Some history: two organizations, people in both, changes by two editors. */
async function makeHistory(server: TestServer): Promise<{ people: Person[]; organizations: string[] }> {
  const organizations: string[] = [];
  const people: Person[] = [];
  for (const name of ["Acme", "Beta"]) {
    const organizationId = await addOrganization(server, name);
    organizations.push(organizationId);
    tick(server);
    for (const username of ["ada", "bob"]) {
      people.push(await addPerson(server, { username: `${username}.${name.toLowerCase()}`, organizationId }));
      tick(server);
    }
  }
  const [first] = people as [Person];
  await appoint(server, first, { instance: true }, ["IAM_OWNER"]);
  const { token } = await sessionOf(server, first);
  for (let round = 0; round < 40; round++) {
    tick(server);
    const body = { text: `round ${round}` };
    await server.rest("PUT", "/admin/v1/text/message/init/en", { body, ...(round % 2 === 0 && { token }) });
  }
  return { people, organizations };
}

interface Recorded {
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly ownerId: string;
  readonly sequence: number;
  readonly editorUserId: string | null;
  readonly createdAt: number;
}

/** Every event, oldest first. */
const allEvents = ({ app: { domain } }: TestServer): Promise<Recorded[]> =>
  domain.database.read.all<Recorded>(sql`select type, aggregate_type as "aggregateType", aggregate_id as "aggregateId",
    owner_id as "ownerId", sequence, editor_user_id as "editorUserId", created_at as "createdAt"
    from events order by created_at, position`);

const idOf = (event: Recorded): string => `${event.type} ${event.aggregateId} ${event.sequence}`;
const iso = (at: number): string => new Date(at).toISOString();

interface Case {
  readonly body: Record<string, unknown>;
  readonly matches: (event: Recorded) => boolean;
}

/** A search of some filters at random, and what it has to find. */
function makeCase(events: readonly Recorded[], chance: Chance): Case {
  const model = chance.one(events);
  const other = chance.one(events);
  const [since, until] = [model.createdAt, other.createdAt].sort((left, right) => left - right) as [number, number];
  const asc = chance.percent(50);
  const parts: Case[] = [
    { body: { eventTypes: [model.type, other.type] }, matches: ({ type }) => [model.type, other.type].includes(type) },
    {
      body: { aggregateTypes: [model.aggregateType, other.aggregateType] },
      matches: ({ aggregateType }) => [model.aggregateType, other.aggregateType].includes(aggregateType),
    },
    { body: { aggregateId: model.aggregateId }, matches: ({ aggregateId }) => aggregateId === model.aggregateId },
    { body: { resourceOwner: model.ownerId }, matches: ({ ownerId }) => ownerId === model.ownerId },
    ...(model.editorUserId === null
      ? []
      : [
          {
            body: { editorUserId: model.editorUserId },
            matches: ({ editorUserId }: Recorded) => editorUserId === model.editorUserId,
          },
        ]),
    { body: { sequence: model.sequence }, matches: ({ sequence }) => sequence > model.sequence },
    {
      body: { range: { since: iso(since), until: iso(until) } },
      matches: ({ createdAt }) => createdAt >= since && createdAt <= until,
    },
    ...["from", "creationDate"].map((name) => ({
      body: { [name]: iso(since) },
      matches: ({ createdAt }: Recorded) => (asc ? createdAt > since : createdAt < since),
    })),
  ];
  const chosen = parts.filter(() => chance.percent(33));
  // Of several bounds of time the range counts, then `from`.
  const times = ["range", "from", "creationDate"].filter((name) => chosen.some(({ body }) => name in body));
  const counting = chosen.filter(({ body }) => !times.slice(1).some((name) => name in body));
  const body = Object.assign({ asc }, ...(times[0] === "range" ? counting : chosen).map((part) => part.body));
  return { body, matches: (event) => counting.every((part) => part.matches(event)) };
}

eachServer((start) => {
  test("a page of the history ends where its payloads would be too much at once, after one event at least", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const lengths = [10, 900_000, 900_000, 300_000, 2_500_000, 10];
    for (const [index, length] of lengths.entries()) {
      const event = {
        type: "application.updated",
        aggregateType: "application",
        aggregateId: "large",
        sequence: index + 1,
      };
      await database.change(testCall({ instanceId, now: tick(server) }), async (tx) =>
        tx.record({ ...event, ownerId: organizationId, payload: { text: "x".repeat(length) } }),
      );
    }
    const pageAfter = async (sequence: number): Promise<number[]> => {
      const found = await search(server, { aggregateId: "large", asc: true, ...(sequence > 0 && { sequence }) });
      return found.map((event) => Number(event.sequence));
    };
    const pages: number[][] = [];
    for (let page = await pageAfter(0); page.length > 0; page = await pageAfter(page.at(-1) ?? 0)) pages.push(page);
    assert.deepEqual(pages, [[1, 2, 3], [4], [5], [6]]);
    const newest = await search(server, { aggregateTypes: ["application"], limit: 3 });
    assert.deepEqual(
      newest.map((event) => Number(event.sequence)),
      [6],
    );
  });

  test("the history of an instance", async (t) => {
    const server = await start(t);
    const { people, organizations } = await makeHistory(server);
    const at = server.clock.now;
    await t.test("every combination of filters finds what it should, in order", async () => {
      const events = await allEvents(server);
      assert.ok(events.length > 40 && Math.max(...events.map(({ sequence }) => sequence)) > 17);
      const seed = testSeed();
      const chance = chanceOf(seed);
      let found = 0;
      for (let round = 0; round < 100; round++) {
        const { body, matches } = makeCase(events, chance);
        const expected = events.filter(matches).map(idOf);
        if (body["asc"] !== true) expected.reverse();
        const answered = await search(server, body);
        const ids = answered.map(({ type, aggregate, sequence }) => `${type.type} ${aggregate.id} ${sequence}`);
        assert.deepEqual(ids, expected, `seed ${seed}: ${JSON.stringify(body)}`);
        found += ids.length;
      }
      assert.ok(found > 300, `${found} found`);
    });

    await t.test("an event says who, what, where and when, with names in the language of the caller", async () => {
      const [ada] = people as [Person];
      const [event] = await search(server, { eventTypes: ["instance.message_text.set"], editorUserId: ada.userId });
      const instance = await server.app.domain.findInstanceByHost("localhost");
      assert.deepEqual(event, {
        editor: { userId: ada.userId, displayName: "ada.acme Example", service: "" },
        aggregate: {
          id: instance?.instanceId,
          type: { type: "instance", localized: { key: "AggregateTypes.instance", localizedMessage: "Instance" } },
          resourceOwner: instance?.instanceId,
        },
        sequence: event.sequence,
        creationDate: iso(at - 1000).replace(".000Z", "Z"),
        payload: { kind: "init", language: "en", parts: { text: "round 38" } },
        type: {
          type: "instance.message_text.set",
          localized: { key: "EventTypes.instance.message_text.set", localizedMessage: "Instance: message text set" },
        },
        source: "127.0.0.1",
      });
      const german = { headers: { "accept-language": "de" } };
      const created = await server.rest("POST", path, {
        ...german,
        body: { aggregateId: organizations[0], eventTypes: ["organization.created"] },
      });
      assert.equal(created.body.events[0].type.localized.localizedMessage, "Organisation angelegt");

      const types = await server.rest("POST", "/admin/v1/events/types/_search", { ...german, body: {} });
      const kinds = await server.rest("POST", "/admin/v1/aggregates/types/_search", { ...german, body: {} });
      assert.ok(types.body.eventTypes.length > 100 && kinds.body.aggregateTypes.length > 10);
      for (const { type, localized } of [...types.body.eventTypes, ...kinds.body.aggregateTypes]) {
        assert.match(localized.key, /^(Event|Aggregate)Types\./);
        assert.ok(localized.key.endsWith(`.${type}`) && localized.localizedMessage !== type, type);
      }
      const known = new Set(types.body.eventTypes.map(({ type }: { type: string }) => type));
      const recorded = await allEvents(server);
      for (const { type, aggregateType } of recorded) {
        assert.ok(known.has(type), type);
        assert.equal(aggregateType, type.split(".")[0], "a search by kind of record is one by the types of its events");
      }
    });

    await t.test("the history is for those who hold events.read in the instance", async () => {
      const holders = { IAM_OWNER: 200, IAM_OWNER_VIEWER: 200, IAM_USER_MANAGER: 403, ORG_OWNER: 403 };
      for (const [role, status] of Object.entries(holders)) {
        const person = await addPerson(server, { username: role.toLowerCase() });
        const resource = role.startsWith("IAM") ? { instance: true } : { organizationId: person.organizationId };
        await appoint(server, person, resource, [role]);
        const { token } = await sessionOf(server, person);
        for (const each of [path, "/admin/v1/events/types/_search", "/admin/v1/aggregates/types/_search"]) {
          assert.equal((await server.rest("POST", each, { token, body: {} })).status, status, `${role} ${each}`);
          assert.equal((await server.rest("POST", each, { token: null, body: {} })).status, 401);
        }
      }
    });

    await t.test("no secret that was ever issued is in the history", async () => {
      const person = await addPerson(server, { username: "ada" });
      const { token } = await sessionOf(server, person);
      const secrets = [person.password, token];
      const returned = await server.rest("POST", `/v2/users/${person.userId}/password_reset`, {
        body: { returnCode: {} },
      });
      secrets.push(returned.body.verificationCode);
      const machine = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: person.organizationId,
        username: "robot",
        machine: { name: "Robot" },
      });
      const userId = machine.body.id;
      const pat = await server.rest("POST", `/management/v1/users/${userId}/pats`, { body: {} });
      const secret = await server.connect("service.user.v2.UserService/AddSecret", { userId });
      secrets.push(pat.body.token, secret.body.clientSecret);
      assert.ok(
        secrets.every((each) => typeof each === "string" && each.length > 4),
        JSON.stringify(secrets),
      );
      const history = JSON.stringify(await search(server, {}));
      assert.ok(history.includes("user.secret.set") && history.includes("user.personal_access_token.added"));
      for (const each of secrets) assert.ok(!history.includes(each), "a secret is in the history");
    });

    await t.test(
      "at most 1,000 events are answered, however many are asked for; too many types are refused",
      async () => {
        const { database, findInstanceByHost } = server.app.domain;
        const instance = await findInstanceByHost("localhost");
        assert.ok(instance);
        const call = {
          instanceId: instance.instanceId,
          requestId: "many",
          now: server.clock.now,
          language: "en",
        } as const;
        await database.change(call, async (tx) => {
          for (let sequence = 1; sequence <= 1100; sequence++) {
            const ids = { aggregateType: "session", aggregateId: "many", ownerId: instance.defaultOrganizationId };
            tx.record({ type: "session.updated", ...ids, sequence });
          }
        });
        for (const [limit, expected] of [
          [0, 1000],
          [1, 1],
          [999, 999],
          [1000, 1000],
          [1001, 1000],
          [4_000_000_000, 1000],
        ] as const) {
          assert.equal((await search(server, { limit })).length, expected, `${limit}`);
          assert.equal((await search(server, { limit, eventTypes: ["session.updated"] })).length, expected, `${limit}`);
        }
        const [lowest] = await search(server, { limit: 1, asc: true, aggregateId: "many", sequence: "1050" });
        assert.equal(lowest.sequence, 1051);
        assert.deepEqual(await search(server, { sequence: "18446744073709551615" }), []);
        assert.deepEqual(await search(server, { eventTypes: ["user.created"], aggregateTypes: ["session"] }), []);
        assert.deepEqual(await search(server, { eventTypes: ["no.such"], range: {} }), []);
        const names = Array.from({ length: 31 }, (_, index) => `type.${index}`);
        for (const body of [{ eventTypes: names }, { aggregateTypes: names.slice(0, 11) }, { from: "yesterday" }]) {
          assert.equal((await server.rest("POST", path, { body })).status, 400, JSON.stringify(body));
        }
      },
    );
  });
});
