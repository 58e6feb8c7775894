import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const most = 50;
const locked = { list: "SAVED_VIEW_LIST_USERS", name: "Locked", search: "state=blocked&sort=-created" };

const outcomeOf = ({ status, body }: RestAnswer): string => `${status} ${body.details?.[0]?.id ?? "ok"}`;

/** The views of one user. */
function viewsOf(server: TestServer, token: string) {
  const send = (method: string, path: string, body: object) =>
    server.rest(method, `/v2/saved_views${path}`, { token, body });
  return {
    create: (body: object) => send("POST", "", body),
    update: (id: string, body: object) => send("PATCH", `/${id}`, body),
    remove: (id: string) => send("DELETE", `/${id}`, {}),
    list: async (): Promise<{ id: string; list: string; name: string; search: string }[]> =>
      (await send("POST", "/search", { pagination: { asc: true } })).body.views,
  };
}

eachServer((start) => {
  test("users save, list, change and delete views of their own, and no role reaches those of others", async (t) => {
    const system = systemUser(t);
    const server = await start(t, { config: system.config });
    const ops = system.tokenFor(server);
    const { pat } = await createSecondInstance(server, ops);
    const acme = await addOwnedOrganization(server, "Acme");
    const ada = await addServiceAccount(server, acme.organizationId, "ada");
    const own = viewsOf(server, ada.token);
    const events = (await recordedEvents(server)).length;

    const made = await own.create(locked);
    assert.equal(outcomeOf(made), "201 ok");
    const { id } = made.body.view;
    server.clock.now += 1000;
    await own.create({ list: "SAVED_VIEW_LIST_EVENTS", name: "Ångström 漢字 😀", search: "" });
    server.clock.now += 1000;
    assert.equal(outcomeOf(await own.update(id, { name: "Blocked" })), "200 ok");
    assert.equal(outcomeOf(await own.update(id, { search: "text=a%20b+%2F&kind=human" })), "200 ok");
    const expected = [
      ["SAVED_VIEW_LIST_USERS", "Blocked", "text=a%20b+%2F&kind=human"],
      ["SAVED_VIEW_LIST_EVENTS", "Ångström 漢字 😀", ""],
    ];
    const shown = async () => (await own.list()).map(({ list, name, search }) => [list, name, search]);
    assert.deepEqual(await shown(), expected);

    const others = [acme.token, server.ownerToken, (await addOwnedOrganization(server, "Beta")).token];
    for (const token of others) {
      const views = viewsOf(server, token);
      assert.deepEqual(await views.list(), []);
      assert.equal(outcomeOf(await views.update(id, { name: "Taken" })), "404 saved_view.not_found");
      assert.equal(outcomeOf(await views.update("1234", { name: "Taken" })), "404 saved_view.not_found");
      const removed = await views.remove(id);
      assert.deepEqual([removed.status, removed.body], [200, {}], "as one that does not exist");
    }
    const there = (method: string, body: object) =>
      server.byHost(secondHost, "POST", `/service.saved_view.v2.SavedViewService/${method}`, { token: pat, body });
    assert.equal((await there("ListSavedViews", {})).body.views, undefined);
    assert.equal((await there("UpdateSavedView", { id, name: "Taken" })).status, 404);
    assert.equal((await there("DeleteSavedView", { id })).status, 200);
    assert.equal(outcomeOf(await viewsOf(server, ops).create(locked)), "404 user.not_found");
    assert.equal(outcomeOf(await viewsOf(server, ops).update(id, { name: "Taken" })), "404 user.not_found");
    const anonymous = await server.rest("POST", "/v2/saved_views/search", { token: null, body: {} });
    assert.equal(anonymous.status, 401);
    assert.deepEqual(await shown(), expected);

    const removed = await own.remove(id);
    assert.ok(removed.body.deletionDate);
    assert.deepEqual(await shown(), expected.slice(1));
    const later = (await recordedEvents(server)).slice(events).map(({ type }) => type);
    assert.deepEqual(
      later.filter((type) => /view/.test(type)),
      [],
      "what users prefer is not history",
    );
  });

  test("a view is refused whose name cannot be seen, or whose search is no query of a list", async (t) => {
    const server = await start(t);
    const { create, update, list } = viewsOf(server, server.ownerToken);
    const { body } = await create({ ...locked, name: "n".repeat(100), search: "q".repeat(2000) });
    const { id } = body.view;
    const refused: readonly (readonly [object, string])[] = [
      [{ list: "SAVED_VIEW_LIST_UNSPECIFIED" }, "field.required"],
      [{ list: 4711 }, "field.unknown_value"],
      [{ name: "" }, "field.required"],
      [{ name: " \u3000" }, "field.required"],
      [{ name: "n".repeat(101) }, "field.too_long"],
      [{ name: "a\u202eb" }, "field.invalid"],
      [{ name: "a\u200bb" }, "field.invalid"],
      [{ name: "a\nb" }, "field.invalid"],
      [{ search: "q".repeat(2001) }, "field.too_long"],
      [{ search: "text=<script>" }, "field.invalid"],
      [{ search: "//evil.example" }, "field.invalid"],
      [{ search: "?text=a#b" }, "field.invalid"],
      [{ search: "text=é" }, "field.invalid"],
      [{ search: "text=a\n" }, "field.invalid"],
    ];
    for (const [change, slug] of refused) {
      const what = JSON.stringify(change);
      assert.equal(outcomeOf(await create({ ...locked, ...change })), `400 ${slug}`, what);
      if (!("list" in change)) assert.equal(outcomeOf(await update(id, change)), `400 ${slug}`, what);
    }
    assert.deepEqual(
      (await list()).map(({ name, search }) => [name, search]),
      [["n".repeat(100), "q".repeat(2000)]],
    );
  });

  test("a user has at most fifty views, also when several are saved at once, and none outlives the user", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const ada = await addServiceAccount(server, organizationId, "ada");
    const bob = await addServiceAccount(server, organizationId, "bob");
    const { create, remove, list } = viewsOf(server, ada.token);
    for (let count = 0; count < most - 3; count++) assert.equal((await create(locked)).status, 201);
    const outcomes = (await Promise.all(Array.from({ length: 8 }, () => create(locked)))).map(outcomeOf);
    assert.equal(outcomes.filter((outcome) => outcome === "201 ok").length, 3, outcomes.join());
    assert.equal(outcomes.filter((outcome) => outcome === "429 saved_view.too_many").length, 5, outcomes.join());
    const views = await list();
    assert.equal(views.length, most);
    assert.equal((await viewsOf(server, bob.token).create(locked)).status, 201, "others have their own");
    await remove(views[0]?.id ?? "");
    assert.equal(outcomeOf(await create(locked)), "201 ok");

    const owners = async (): Promise<string[]> =>
      (
        await server.app.domain.database.read.all<{ userId: string }>(
          sql`select distinct user_id as "userId" from saved_views where instance_id <> ''`,
        )
      ).map(({ userId }) => userId);
    assert.deepEqual((await owners()).sort(), [ada.userId, bob.userId].sort());
    // Views that are being saved while their user is deleted are gone with them as well.
    const [deleted] = await Promise.all([
      server.rest("DELETE", `/v2/users/${bob.userId}`),
      viewsOf(server, bob.token).create(locked),
    ]);
    assert.equal(deleted.status, 200);
    assert.deepEqual(await owners(), [ada.userId]);
  });
});
