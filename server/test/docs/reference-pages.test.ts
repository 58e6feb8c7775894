import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
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

  await t.test("is English, like the contract, whatever the reader's language", async () => {
    const path = "/docs/service.user.v2.UserService/CreateUser";
    const { response, html } = await open(path, { "accept-language": "de" });
    assert.equal(response.headers.get("content-language"), "en");
    assert.match(html, /<html lang="en"/);
    assert.equal(html, (await open(path)).html);
  });

  await t.test("says where the reader is, and lists what is beside it", async () => {
    const { html } = await open("/docs/service.management.v1.ManagementService/AddHumanUser");
    assert.match(html, /<a href="[^"]*AddHumanUser" aria-current="page">/);
    assert.match(html, /<details open><summary>users<\/summary>/);
    assert.match(html, /href="\/docs\/guides\/token"/);
    assert.equal(html.match(/aria-current/g)?.length, 1);
  });

  await t.test("shows an answer, code in four languages, and what the method is refused with", async () => {
    const { html } = await open("/docs/service.user.v2.UserService/GetUserByID");
    for (const language of ["curl", "TypeScript", "Go", "Python"]) {
      assert.ok(html.includes(`<summary>${language}</summary>`), language);
    }
    assert.match(html, /&quot;familyName&quot;: &quot;Lovelace&quot;/);
    assert.match(html, /<code>user.not_found<\/code> <span class="badge">404 not_found<\/span>/);
    assert.match(html, /href="\/ui\/console\/tools\/request\?method=service.user.v2.UserService%2FGetUserByID"/);
  });

  await t.test("its code calls the method", async () => {
    const { html } = await open("/docs/service.org.v2.OrganizationService/ListOrganizations");
    const shown = /data-language="TypeScript">[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(html)?.[1] ?? "";
    const code = shown
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    const folder = mkdtempSync(join(tmpdir(), "doorward-sample-"));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "sample.mts"), code);
    const env = { DOORWARD_TOKEN: server.ownerToken };
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "sample.mts")], { env });
    assert.match(stdout, /result/);
  });

  await t.test("searches in a file that browsers keep, and that names pages, methods, fields and errors", async () => {
    const { html } = await open("/docs");
    const address = /data-search="([^"]+)"/.exec(html)?.[1] ?? "";
    const { response, html: body } = await open(address);
    assert.match(response.headers.get("cache-control") ?? "", /immutable/);
    assert.ok(gzipSync(body).length < 40_000, `${gzipSync(body).length} bytes`);
    const index = JSON.parse(body);
    assert.equal(index.methods.length, server.app.methods.size);
    assert.ok(index.fields["organizationId"].length > 2);
    assert.ok(index.errors["user.not_found"].length > 2);
    assert.ok(index.pages.length > 10);
    assert.equal((await open("/docs/index/other.json")).response.status, 404);
  });

  await t.test("tells programs of the browser about a method", async () => {
    const { response, html: body } = await open("/docs/contract/service.user.v2.UserService/CreateUser");
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.match(response.headers.get("content-security-policy") ?? "", /sandbox/);
    const { method, types } = JSON.parse(body);
    assert.equal(method.name, "CreateUser");
    assert.ok(types[method.request].fields.length > 3);
    assert.equal((await open("/docs/contract/service.user.v2.UserService/Nothing")).response.status, 404);
    assert.equal((await open("/docs/contract/__proto__/Nothing")).response.status, 404);
  });

  await t.test("is strict about what runs, sets no cookie, and is kept until it changes", async () => {
    const { response } = await open("/docs");
    assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(response.headers.get("set-cookie"), null);
    assert.equal(response.headers.get("cache-control"), "no-cache");
    const etag = response.headers.get("etag") ?? "";
    assert.match(response.headers.get("content-security-policy") ?? "", /trusted-types 'none'$/);
    assert.doesNotMatch(response.headers.get("content-security-policy") ?? "", /unsafe|nonce|sha256/);
    const again = await open("/docs", { "if-none-match": etag });
    assert.equal(again.response.status, 304);
    assert.equal(again.html, "");
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
