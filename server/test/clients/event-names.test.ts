import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { actionsOf } from "../action/support/actions.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { startCluster } from "../support/servers/nodes.ts";
import type { TestServer } from "../support/servers/server.ts";

interface Shown {
  readonly type: { readonly type: string; readonly localized: { readonly key: string } };
  readonly aggregate: { readonly id: string; readonly type: { readonly type: string } };
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Searches the history, by the word that a client uses. */
async function search(server: TestServer, word: string, body: object): Promise<Shown[]> {
  const answer = await server.connect(`${word}.admin.v1.AdminService/ListEvents`, { limit: 1000, ...body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.events ?? [];
}

const typesOf = (events: readonly Shown[]): string[] => [...new Set(events.map(({ type }) => type.type))].toSorted();

eachEngine((_open, engine) => {
  test("events under the names of the interface (Z8)", async (t) => {
    const { first: server } = await startCluster(t, engine, 1);
    const acme = await addOrganization(server, "Acme");
    const ada = await addPerson(server, { username: "ada", organizationId: acme });
    await appoint(server, ada, { organizationId: acme }, ["ORG_OWNER"]);
    const machine = await server.connect("service.user.v2.UserService/CreateUser", {
      organizationId: acme,
      username: "robot",
      machine: { name: "Robot" },
    });
    const project = await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId: acme,
      name: "Shop",
    });
    const { projectId } = project.body;
    const app = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId,
      name: "api",
      apiConfiguration: {},
    });

    await t.test("filters accept either name, and answer in the words that were used", async () => {
      const human = await search(server, "service", { eventTypes: ["user.human.added"] });
      assert.deepEqual(typesOf(human), ["user.human.added"]);
      assert.ok(human.some(({ aggregate }) => aggregate.id === ada.userId));
      assert.ok(!human.some(({ aggregate }) => aggregate.id === machine.body.id), "a service account is no human");
      assert.equal(human[0]?.type.localized.key, "EventTypes.user.human.added");
      const [found] = human.filter(({ aggregate }) => aggregate.id === ada.userId);
      assert.equal(found?.payload["userName"], "ada");

      const ours = await search(server, "service", { eventTypes: ["user.created"] });
      assert.deepEqual(typesOf(ours), ["user.created"]);
      assert.ok(ours.length > human.length);
      const both = await search(server, "service", { eventTypes: ["user.human.added", "user.machine.added"] });
      assert.deepEqual([typesOf(both), both.length], [["user.human.added", "user.machine.added"], ours.length]);
      const twice = await search(server, "service", { eventTypes: ["user.human.added", "user.added", "user.created"] });
      assert.equal(twice.length, ours.length, "no event is found twice");
      assert.deepEqual(await search(server, "service", { eventTypes: ["org.mail.text.added"] }), []);

      const config = await search(server, "service", { eventTypes: ["project.application.config.api.added"] });
      assert.deepEqual(typesOf(config), ["project.application.config.api.added"]);
      const [made] = config.filter(({ payload }) => payload["appId"] === app.body.applicationId);
      assert.deepEqual([made?.aggregate.id, made?.aggregate.type.type], [projectId, "project"]);
      const oidc = await search(server, "service", { eventTypes: ["project.application.config.oidc.added"] });
      assert.ok(!oidc.some(({ payload }) => payload["appId"] === app.body.applicationId), "it is no such client");
      const members = await search(server, "service", { eventTypes: ["org.member.added"] });
      assert.deepEqual([members.length > 0, typesOf(members)], [true, ["org.member.added"]]);
      assert.ok(members.some(({ aggregate, payload }) => aggregate.id === acme && payload["userId"] === ada.userId));
    });

    await t.test("kinds of records, too; a word that both have means ours, unless an alias was used", async () => {
      const organizations = await search(server, "service", { aggregateTypes: ["org"] });
      assert.ok(typesOf(organizations).includes("org.added"));
      assert.ok(typesOf(organizations).includes("org.member.added"));
      assert.ok(
        organizations.every(({ aggregate }) => aggregate.type.type === "org"),
        "and nothing else",
      );
      const ours = await search(server, "service", { aggregateTypes: ["project"] });
      assert.ok(typesOf(ours).every((type) => type.startsWith("project.")));
      assert.ok(!typesOf(ours).includes("project.application.added"));
      const theirs = await search(server, "zitadel", { aggregateTypes: ["project"] });
      assert.ok(typesOf(theirs).includes("project.application.added"));
      assert.ok(theirs.every(({ aggregate }) => aggregate.type.type === "project"));
      const narrowed = await search(server, "zitadel", {
        aggregateTypes: ["project"],
        eventTypes: ["user.human.added"],
      });
      assert.deepEqual(narrowed, []);
      const ofUser = await search(server, "zitadel", { aggregateId: ada.userId, eventTypes: ["user.human.added"] });
      assert.deepEqual(typesOf(ofUser), ["user.human.added"]);
    });

    await t.test("through an alias every event has its name there, and the lists of names have them", async () => {
      const events = await search(server, "zitadel", {});
      assert.ok(typesOf(events).includes("instance.added") && !typesOf(events).includes("instance.created"));
      const list = async (word: string, method: string) =>
        (await server.connect(`${word}.admin.v1.AdminService/${method}`, {})).body;
      const { eventTypes } = await list("zitadel", "ListEventTypes");
      const names = eventTypes.map(({ type }: { type: string }) => type);
      for (const name of ["user.human.added", "user.machine.added", "org.added", "user.locked"]) {
        assert.ok(names.includes(name), name);
      }
      assert.ok(!names.includes("user.created"));
      assert.ok(
        (await list("service", "ListEventTypes")).eventTypes.some(
          ({ type }: { type: string }) => type === "user.created",
        ),
      );
      const { aggregateTypes } = await list("zitadel", "ListAggregateTypes");
      assert.ok(aggregateTypes.some(({ type }: { type: string }) => type === "usergrant"));
      const headers = { "x-zitadel-orgid": acme };
      const changes = await server.rest("POST", `/management/v1/users/${ada.userId}/changes/_search`, {
        headers,
        body: {},
      });
      const keys = changes.body.result.map(({ eventType }: { eventType: { key: string } }) => eventType.key);
      assert.ok(
        keys.some((key: string) => /^EventTypes\.user\.(human|machine)\.added$/.test(key)),
        keys.join(),
      );
    });

    await t.test("a condition may use either name, and its target gets the event under that name", async () => {
      const [theirs, grouped, ours] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)];
      const actions = actionsOf(server);
      await actions.set({ event: { event: "user.human.added" } }, [await actions.createTarget(theirs.origin)]);
      await actions.set({ event: { group: "org.member" } }, [await actions.createTarget(grouped.origin)]);
      await actions.set({ event: { event: "user.username.set" } }, [await actions.createTarget(ours.origin)]);
      const listed = await server.rest("POST", "/v2/actions/executions/search", { body: {} });
      const conditions = listed.body.executions.map(({ condition }: { condition: object }) =>
        JSON.stringify(condition),
      );
      assert.ok(
        conditions.some((text: string) => text.includes('"event":"user.human.added"')),
        "as it was set",
      );
      server.clock.now += 1000;
      const bob = await addPerson(server, { username: "bob", organizationId: acme });
      await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: acme,
        username: "robot2",
        machine: { name: "R" },
      });
      await appoint(server, bob, { organizationId: acme }, ["ORG_OWNER"]);
      await server.rest("PATCH", `/v2/users/${bob.userId}`, { body: { username: "bobby" } });
      for (let attempt = 0; [theirs, grouped, ours].some(({ received }) => received.length === 0); attempt++) {
        assert.ok(attempt < 1000, "everything arrives");
        await sleep(10);
      }
      const sent = [theirs, grouped, ours].map(({ received }) => received.map(({ body }) => JSON.parse(body)));
      const shown = sent.map((events) =>
        events.map(({ event_type: type, aggregateType, aggregateID }) => [type, aggregateType, aggregateID]),
      );
      assert.deepEqual(shown, [
        [["user.human.added", "user", bob.userId]],
        [["org.member.added", "org", acme]],
        [["user.username.set", "user", bob.userId]],
      ]);
      assert.equal(sent[0]?.[0]?.event_payload.userName, "bob");
      assert.equal(sent[2]?.[0]?.event_payload.username, "bobby");
      for (const name of ["user.human.added.no", "org.mail.text.added", "user.human.ad"]) {
        const refused = await server.rest("PUT", "/v2/actions/executions", {
          body: { condition: { event: { event: name } }, targets: [] },
        });
        assert.equal(refused.body.details?.[0]?.id, "execution.condition_unknown", name);
      }
    });
  });
});
