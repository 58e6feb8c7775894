import assert from "node:assert/strict";
import { test } from "node:test";
import { services } from "@doorward/api/services";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

test("/docs", async (t) => {
  const server = await startServer(t);
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.origin + path, { headers, redirect: "manual" });
    return { response, html: await response.text() };
  };

  await t.test("lists every service, and is linked from the start page", async () => {
    const { html } = await open("/docs");
    for (const name of Object.keys(services)) {
      // Deprecated forms are in docs/methods.md and in reflection, so that no new client is written for them.
      assert.equal(html.includes(`href="/docs/${name}"`), !name.includes(".v2beta."), name);
    }
    assert.match(html, /href="\/docs\/openapi\.json"/);
    assert.match((await open("/")).html, /href="\/docs"/);
  });

  await t.test("has a page for every service, with every method of it", async () => {
    const byService = Map.groupBy(server.app.methods.keys(), (name) => name.split("/", 1)[0] ?? "");
    for (const [service, methods] of byService) {
      const { response, html } = await open(`/docs/${service}`);
      assert.equal(response.status, 200, service);
      for (const method of methods) assert.ok(html.includes(`href="/docs/${method}"`), method);
      for (const method of methods) {
        const { access, routes = [] } = server.app.methods.get(method) ?? {};
        for (const { verb, path } of routes) assert.ok(html.includes(`${verb} ${path}`), `${verb} ${path}`);
        if (access?.kind === "permission") assert.ok(html.includes(`<code>${access.permission}</code>`), method);
      }
    }
  });

  await t.test("tells of a method who may call it, where, with what, and how", async () => {
    const { html } = await open("/docs/service.user.v2.UserService/CreateUser");
    const parts = [
      "<h1>CreateUser</h1>",
      "<b>POST</b> /v2/users/new",
      "/service.user.v2.UserService/CreateUser",
      `curl --request POST &quot;${server.origin}/v2/users/new&quot;`,
      "<code>organizationId</code>",
      "1 to 200 characters",
      'href="#service.user.v2.CreateUserRequest.Human"',
      'id="service.user.v2.CreateUserRequest.Human"',
      "<code>already_exists</code>",
    ];
    for (const part of parts) assert.ok(html.includes(part), part);
    assert.doesNotMatch(html, /not implemented yet/);
    for (const { name, isHealth, loadImplementation } of server.app.methods.values()) {
      if (isHealth || (await loadImplementation()) !== undefined) continue;
      assert.match((await open(`/docs/${name}`)).html, /not implemented yet/);
      break;
    }
  });

  await t.test("every link inside a page leads to a place on it", async () => {
    for (const method of [
      "service.session.v2.SessionService/CreateSession",
      "service.idp.v2.IdentityProviderService/GetIDPByID",
    ]) {
      const { html } = await open(`/docs/${method}`);
      const anchors = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, id = ""]) => id);
      assert.ok(anchors.length > 3);
      for (const id of anchors) assert.ok(html.includes(`id="${id}"`), id);
    }
  });

  await t.test("speaks the reader's language around English texts", async () => {
    const { response, html } = await open("/docs/service.user.v2.UserService/CreateUser", { "accept-language": "de" });
    assert.equal(response.headers.get("content-language"), "de");
    assert.match(html, /<html lang="de"/);
    assert.match(html, /<h2>Ausprobieren<\/h2>/);
    assert.match(html, /<p lang="en">/);
    const switched = await open("/docs?language=de");
    assert.equal(switched.response.status, 303);
    assert.equal(switched.response.headers.get("location"), "/docs");
  });

  await t.test("is strict about what runs, sets no cookie, and is kept until it changes", async () => {
    const { response } = await open("/docs");
    assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(response.headers.get("set-cookie"), null);
    assert.equal(response.headers.get("cache-control"), "no-cache");
    const etag = response.headers.get("etag") ?? "";
    const again = await open("/docs", { "if-none-match": etag });
    assert.equal(again.response.status, 304);
    assert.equal(again.html, "");
    assert.equal((await open("/docs", { "if-none-match": etag, "accept-language": "de" })).response.status, 200);
    const head = await fetch(`${server.origin}/docs`, { method: "HEAD" });
    assert.equal(head.headers.get("etag"), etag);
  });

  await t.test("knows nothing else", async () => {
    const unknown = [
      "nothing",
      "service.user.v2.UserService/Nothing",
      "__proto__",
      "service.user.v2.UserService/__proto__",
    ];
    for (const path of [...unknown, "service.user.v2.UserService/ListUsers/more", "%3Cscript%3E", "openapi.json/x"]) {
      const { response, html } = await open(`/docs/${path}`);
      assert.equal(response.status, 404, path);
      assert.match(html, /<h1>/, path);
      assert.doesNotMatch(html, /<script>/, path);
    }
  });
});
