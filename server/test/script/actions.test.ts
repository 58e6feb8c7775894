import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { scriptsOf, toRest } from "./support/scripts.ts";

eachServer((start) => {
  test("actions are created, read, changed, listed, deactivated and deleted", async (t) => {
    const server = await start(t);
    const { call } = scriptsOf(server);
    const script = "function greet(ctx, api) {}";
    const { id, details } = await call("POST", "/actions", { name: "greet", script, timeout: "2.5s" });
    assert.match(id, /^\d+$/);
    assert.equal(details.sequence, 1);
    const read = async () => (await call("GET", `/actions/${id}`)).action;
    assert.deepEqual(
      { ...(await read()), details: undefined },
      {
        id,
        name: "greet",
        script,
        timeout: "2.500s",
        state: "ACTION_STATE_ACTIVE",
        allowedToFail: false,
        details: undefined,
      },
    );
    const changed = { name: "greet", script, timeout: "1s", allowedToFail: true };
    assert.equal((await call("PUT", `/actions/${id}`, changed)).details.sequence, 2);
    // The same values change nothing.
    assert.equal((await call("PUT", `/actions/${id}`, changed)).details.sequence, 2);
    assert.deepEqual([(await read()).timeout, (await read()).allowedToFail], ["1s", true]);
    await call("POST", "/actions", { name: "another", script });
    const names = async (query: object) =>
      (await call("POST", "/actions/_search", query)).result?.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names({ sortingColumn: "ACTION_FIELD_NAME_NAME", query: { asc: true } }), [
      "another",
      "greet",
    ]);
    assert.deepEqual(await names({ queries: [{ actionIdQuery: { id } }] }), ["greet"]);
    await call("POST", `/actions/${id}/_deactivate`, {});
    assert.equal((await read()).state, "ACTION_STATE_INACTIVE");
    assert.deepEqual(await names({ queries: [{ actionStateQuery: { state: "ACTION_STATE_INACTIVE" } }] }), ["greet"]);
    await call("POST", `/actions/${id}/_reactivate`, {});
    await call("DELETE", `/actions/${id}`);
    assert.deepEqual(await names({}), ["another"]);
  });

  test("actions are refused with the reason", async (t) => {
    const server = await start(t);
    const { call, create } = scriptsOf(server);
    const refuse = async (verb: "POST" | "PUT" | "GET" | "DELETE", path: string, body: object | undefined) => {
      const answer = await server.rest(verb, `/management/v1${path}`, toRest(body));
      assert.notEqual(answer.status, 200, path);
      return answer.body.details?.[0]?.id;
    };
    const id = await create("greet", "function greet() {}");
    assert.equal(await refuse("POST", "/actions", { name: "Greet", script: "1" }), "action.name_taken");
    assert.equal(await refuse("POST", "/actions", { name: " ", script: "1" }), "action.name_invalid");
    assert.equal(await refuse("POST", "/actions", { name: "a", script: "  " }), "action.script_invalid");
    const other = await create("other", "1");
    assert.equal(await refuse("PUT", `/actions/${other}`, { name: "greet", script: "1" }), "action.name_taken");
    assert.equal(await refuse("POST", `/actions/${id}/_reactivate`, {}), "action.not_inactive");
    await call("POST", `/actions/${id}/_deactivate`, {});
    assert.equal(await refuse("POST", `/actions/${id}/_deactivate`, {}), "action.not_active");
    for (const [verb, path] of [
      ["GET", "/actions/1"],
      ["DELETE", "/actions/1"],
      ["POST", "/actions/1/_deactivate"],
      ["POST", "/actions/1/_reactivate"],
    ] as const) {
      assert.equal(await refuse(verb, path, verb === "POST" ? {} : undefined), "action.not_found");
    }
    // Also where it is another organization's.
    const organizationId = await addOrganization(server, "Else");
    const elsewhere = await create("greet", "1", { organizationId });
    assert.equal(await refuse("GET", `/actions/${elsewhere}`, undefined), "action.not_found");
    assert.equal(await refuse("DELETE", `/actions/${elsewhere}`, undefined), "action.not_found");
    const name = { name: "n", script: "1" };
    assert.equal(await refuse("PUT", `/actions/${elsewhere}`, name), "action.not_found");
  });

  test("an organization has at most 100 actions", async (t) => {
    const server = await start(t);
    const { create } = scriptsOf(server);
    for (let count = 0; count < 100; count++) await create(`action${count}`, "1");
    const answer = await server.rest("POST", "/management/v1/actions", { body: { name: "more", script: "1" } });
    assert.equal(answer.body.details[0].id, "action.too_many");
  });

  test("flows have their triggers, and run actions in the given order", async (t) => {
    const server = await start(t);
    const { call, create, set } = scriptsOf(server);
    const { result: flows } = await call("POST", "/flows/types/_search", {});
    assert.deepEqual(
      flows.map(({ id, name }: { id: string; name: object }) => [id, name]),
      [
        ["1", { key: "Action.Flow.Type.ExternalAuthentication", localizedMessage: "External authentication" }],
        ["2", { key: "Action.Flow.Type.ComplementToken", localizedMessage: "Complement token" }],
        ["3", { key: "Action.Flow.Type.InternalAuthentication", localizedMessage: "Internal authentication" }],
        ["4", { key: "Action.Flow.Type.ComplementSamlResponse", localizedMessage: "Complement SAML response" }],
      ],
    );
    const triggersOf = async (type: string) =>
      (await call("POST", `/flows/${type}/triggers/_search`, {})).result.map(({ id }: { id: string }) => id);
    assert.deepEqual(await triggersOf("1"), ["1", "2", "3"]);
    assert.deepEqual(await triggersOf("2"), ["4", "5"]);
    assert.deepEqual(await triggersOf("FLOW_TYPE_EXTERNAL_AUTHENTICATION"), ["1", "2", "3"]);
    assert.deepEqual(await triggersOf("4"), ["6"]);

    const flowOf = async (type: string) => (await call("GET", `/flows/${type}`)).flow;
    assert.equal((await flowOf("2")).state, "FLOW_STATE_INACTIVE");
    const [first, second] = [await create("first", "function first() {}"), await create("second", "1")];
    await set(["2", "4"], [second, first]);
    await set(["2", "5"], [first]);
    await set(["FLOW_TYPE_EXTERNAL_AUTHENTICATION", "TRIGGER_TYPE_PRE_CREATION"], [first]);
    const placed = async (type: string) =>
      ((await flowOf(type)).triggerActions ?? []).map(
        (each: { triggerType: { id: string }; actions: { id: string }[] }) => [
          each.triggerType.id,
          ...each.actions.map(({ id }) => id),
        ],
      );
    assert.deepEqual(await placed("2"), [
      ["4", second, first],
      ["5", first],
    ]);
    assert.deepEqual(await placed("1"), [["2", first]]);
    assert.equal((await flowOf("2")).state, "FLOW_STATE_ACTIVE");
    // An inactive action keeps its places; a deleted one does not.
    await call("POST", `/actions/${second}/_deactivate`, {});
    assert.deepEqual((await placed("2"))[0], ["4", second, first]);
    await call("DELETE", `/actions/${first}`);
    assert.deepEqual(await placed("2"), [["4", second]]);
    assert.deepEqual(await placed("1"), []);
    await call("POST", "/flows/2/_clear", {});
    assert.deepEqual(await placed("2"), []);
    const recorded = (await recordedEvents(server)).filter(({ type }) => /action|flow/.test(type));
    assert.ok(!JSON.stringify(recorded).includes("function"), "no event has the text of a script");
    assert.deepEqual([...new Set(recorded.map(({ type }) => type))].sort(), [
      "action.created",
      "action.deactivated",
      "action.deleted",
      "organization.flow.action.removed",
      "organization.flow.actions.set",
      "organization.flow.cleared",
    ]);
  });

  test("flows refuse what they do not have", async (t) => {
    const server = await start(t);
    const { create } = scriptsOf(server);
    const id = await create("first", "1");
    const organizationId = await addOrganization(server, "Else");
    const elsewhere = await create("first", "1", { organizationId });
    const refused = async (path: string, body: object) =>
      (await server.rest("POST", `/management/v1${path}`, { body })).body.details?.[0]?.id;
    assert.equal(await refused("/flows/2/trigger/1", { actionIds: [id] }), "flow.trigger_unknown");
    assert.equal(await refused("/flows/2/trigger/x", { actionIds: [id] }), "flow.trigger_unknown");
    assert.equal(await refused("/flows/9/trigger/4", { actionIds: [id] }), "flow.type_unknown");
    assert.equal(await refused("/flows/9/_clear", {}), "flow.type_unknown");
    assert.equal(await refused("/flows/2/trigger/4", { actionIds: [id, id] }), "flow.action_repeated");
    assert.equal(await refused("/flows/2/trigger/4", { actionIds: [elsewhere] }), "action.not_found");
    const many = Array.from({ length: 11 }, (_, index) => `${index}`);
    assert.equal(await refused("/flows/2/trigger/4", { actionIds: many }), "flow.too_many_actions");
  });
});
