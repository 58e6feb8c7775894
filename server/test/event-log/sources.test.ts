import assert from "node:assert/strict";
import { test } from "node:test";
import { createSession } from "../factor/support.ts";
import { addPerson, goodPassword } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

eachServer((start) => {
  test("an event says from which network its request came, over whichever transport, and no caller chooses it", async (t) => {
    const server = await start(t, { config: { trustedProxies: ["127.0.0.0/8"] } });
    const { userId, loginName } = await addPerson(server, { username: "ada" });
    const checks = (given: object) => ({ checks: { user: { userId }, ...given } });
    const from = async (address: string, body: object) =>
      server.rest("POST", "/v2/sessions", { body, headers: { "x-forwarded-for": address } });
    const newest = async () => {
      const body = { aggregateTypes: ["user"], aggregateId: userId, limit: 1 };
      const [event] = (await server.rest("POST", "/admin/v1/events/_search", { body })).body.events;
      return [event.type.type, event.source];
    };
    assert.deepEqual((await newest())[1], "127.0.0.1", "an administrator who calls the API directly");
    await from("203.0.113.7", checks({ password: { password: "wrong" } }));
    assert.deepEqual(await newest(), ["user.password_check.failed", "203.0.113.7"], "a guess at the API");
    await from("198.51.100.9, 203.0.113.8", checks({ password: { password: "wrong" } }));
    assert.deepEqual(await newest(), ["user.password_check.failed", "203.0.113.8"], "not what a caller adds before it");
    await from("2001:db8:1:2:3:4:5:6", checks({ password: { password: "wrong" } }));
    assert.deepEqual(await newest(), ["user.password_check.failed", "2001:db8:1:2::/64"]);

    const browser = new TestBrowser(server);
    const page = await browser.submit(await browser.open("/ui/login"), { login_name: loginName });
    await browser.submit(page, { password: goodPassword });
    assert.deepEqual(await newest(), ["user.password_check.succeeded", "127.0.0.1"], "on the pages");
  });

  test("no header of an untrusted network becomes the source of an event", async (t) => {
    const server = await start(t);
    const { userId } = await addPerson(server, { username: "ada" });
    await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId }, password: { password: "wrong" } } },
      headers: { "x-forwarded-for": "203.0.113.7" },
    });
    await createSession(server, { checks: { user: { userId } } });
    const { body } = await server.rest("POST", "/admin/v1/events/_search", { body: { limit: 20 } });
    const sources = new Set(body.events.map(({ source }: { source: string }) => source));
    assert.ok(!sources.has("203.0.113.7") && sources.has("127.0.0.1"), [...sources].join());
    const first = await server.rest("POST", "/admin/v1/events/_search", { body: { limit: 1, asc: true } });
    assert.equal(first.body.events[0].source, "", "what the server did on its own");
  });
});
