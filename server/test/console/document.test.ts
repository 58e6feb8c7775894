import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { addHost } from "../../src/domain/instance/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { exchange, rawRequest } from "../support/http/raw-http.ts";
import { testCall } from "../support/operations/call.ts";
import { builtFiles, makeDirectory, writeBuild } from "../support/servers/console-build.ts";
import { startServer } from "../support/servers/server.ts";
import { openConsole, startConsole } from "./support.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

test("every address of the console that is no file shows its document", async (t) => {
  const server = await startConsole(t);
  const clientId = await openConsole(server);
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    server.rest("GET", path, { token: null, headers });
  const { body: home } = await get("/ui/console/");
  assert.equal(
    home,
    `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="doorward-client-id" content="${clientId}">
<meta name="doorward-languages" content="ar,bg,cs,de,en,es,fr,hu,id,it,ja,ko,mk,nl,pl,pt,ro,ru,sv,tr,uk,zh">
<title>Doorward</title>
<link rel="icon" href="${/href="(\/ui\/assets\/favicon\.[\w-]+\.svg)"/.exec(home)?.[1]}">
<link rel="stylesheet" href="/ui/console/assets/main-Ax.css">
<link rel="modulepreload" href="/ui/console/assets/vendor-C9a_.js">
<script type="module" src="/ui/console/assets/main-Bq1x.js"></script>
</head>
<body>
<div id="root"></div>
<noscript><p>The console needs JavaScript.</p></noscript>
</body>
</html>
`,
  );
  for (const path of [
    "/ui/console/users/123",
    "/ui/console/orgs/1/projects/2~x",
    "/ui/console/?tab=1",
    "/ui/console/a.b",
  ]) {
    const { status, body } = await get(path);
    assert.deepEqual([status, body], [200, home], path);
  }
  for (const path of [
    "/ui/console//x",
    "/ui/console/assets/%2e%2e/.vite/manifest.json",
    "/ui/console/assets/../.vite/manifest.json",
    "/ui/console/%2e%2e/login",
    "/ui/console/a%00b",
    "/ui/consoles",
  ]) {
    assert.equal(
      (await exchange(server.port, rawRequest({ path, headers: [["host", `localhost:${server.port}`]] })))?.status,
      404,
      path,
    );
  }
  const moved = await get("/ui/console?tab=1");
  assert.deepEqual([moved.status, moved.headers.get("location")], [308, "/ui/console/?tab=1"]);
  const german = await get("/ui/console/", { "accept-language": "de" });
  assert.match(german.body, /<html lang="de" dir="ltr">[\s\S]*Die Konsole benötigt JavaScript\./);
  const arabic = await get("/ui/console/users", { "accept-language": "ar" });
  assert.match(arabic.body, /<html lang="ar" dir="rtl">/);
  const chosen = await get("/ui/console/users?language=de&tab=1");
  assert.deepEqual([chosen.status, chosen.headers.get("location")], [303, "/ui/console/users?tab=1"]);
});

test("the document and the end of a sign-in load nothing from elsewhere, and are not kept", async (t) => {
  const server = await startConsole(t);
  for (const path of ["/ui/console/", "/ui/console/users", "/ui/console/return?code=secret&state=1"]) {
    const { headers, body, status } = await server.rest("GET", path, { token: null });
    assert.equal(status, 200);
    assert.doesNotMatch(body, /secret/);
    const said = Object.fromEntries(headers);
    assert.deepEqual(
      {
        policy: said["content-security-policy"]?.split("; "),
        cache: said["cache-control"],
        type: said["content-type"],
        opener: said["cross-origin-opener-policy"],
        resource: said["cross-origin-resource-policy"],
        referrer: said["referrer-policy"],
        frames: said["x-frame-options"],
        sniff: said["x-content-type-options"],
        cookie: said["set-cookie"],
      },
      {
        policy,
        cache: "no-store",
        type: "text/html; charset=utf-8",
        opener: "same-origin",
        resource: "same-origin",
        referrer: "same-origin",
        frames: "DENY",
        sniff: "nosniff",
        cookie: undefined,
      },
      path,
    );
  }
  const returned = await server.rest("GET", "/ui/console/return", { token: null });
  assert.match(returned.body, /<body><\/body>/);
  const secure = await startConsole(t, { config: { baseUrl: "https://localhost" } });
  const { headers } = await secure.byHost("localhost", "GET", "/ui/console/", { token: null });
  assert.equal(headers.get("strict-transport-security"), "max-age=31536000");
});

test("files of the build are kept forever and sent as browsers can read them; others do not exist", async (t) => {
  const server = await startConsole(t);
  const get = async (name: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${server.origin}/ui/console/${name}`, {
      headers,
    });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };
  for (const [name, type] of [
    ["assets/main-Bq1x.js", "text/javascript; charset=utf-8"],
    ["assets/main-Ax.css", "text/css; charset=utf-8"],
    ["assets/en-E1.json", "application/json; charset=utf-8"],
    ["assets/mark-F2.svg", "image/svg+xml"],
    ["assets/sans-G3.woff2", "font/woff2"],
  ] as const) {
    const { status, headers, body } = await get(name);
    assert.deepEqual([status, headers.get("content-type"), body.toString()], [200, type, builtFiles[name]]);
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("vary"), "accept-encoding");
    const again = await get(name, { "if-none-match": headers.get("etag") ?? "" });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
  }
  const main = "assets/main-Bq1x.js";
  const brotli = await get(main, { "accept-encoding": "gzip, br" });
  assert.equal(brotli.headers.get("content-encoding"), "br");
  assert.equal(brotliDecompressSync(brotli.body).toString(), builtFiles[main]);
  const gzip = await get(main, { "accept-encoding": "gzip" });
  assert.equal(gunzipSync(gzip.body).toString(), builtFiles[main]);
  for (const name of [
    "assets/main-Bq1y.js",
    "assets/notes.txt",
    "assets/",
    "assets/x/y.js",
    "assets/..%2f.vite%2fmanifest.json",
  ]) {
    const { status, headers } = await get(name);
    assert.deepEqual([status, headers.get("cache-control")], [404, "no-store"], name);
  }
});

test("a console that was not built says so, until it is", async (t) => {
  const consoleDirectory = makeDirectory(t);
  const server = await startServer(t, { consoleDirectory });
  const get = (path: string) => server.rest("GET", path, { token: null });
  const answer = await get("/ui/console/users");
  assert.equal(answer.status, 503);
  assert.match(answer.body, /The console was not built[\s\S]*npm run build -w console/);
  assert.equal((await get("/ui/console/assets/main-Bq1x.js")).status, 404);
  writeBuild(consoleDirectory);
  assert.equal((await get("/ui/console/users")).status, 200);
});

test("a browser at another host of the instance is sent to the issuer's", async (t) => {
  const server = await startConsole(t, { config: { baseUrl: "https://localhost" } });
  const { domain } = server.app;
  const instance = await domain.findInstanceByHost("localhost");
  assert.ok(instance);
  const call = testCall({ instanceId: instance.instanceId, now: domain.clock() });
  await domain.database.change(call, (tx) => addHost(tx, "other.example"));
  for (const [path, location] of [
    ["/ui/console/", "https://localhost/ui/console/"],
    ["/ui/console/users?tab=1", "https://localhost/ui/console/users?tab=1"],
  ] as const) {
    const { status, headers } = await server.byHost("other.example", "GET", path, { token: null });
    assert.deepEqual([status, headers.get("location"), headers.get("cache-control")], [307, location, "no-store"]);
  }
  assert.equal((await server.byHost("localhost", "GET", "/ui/console/", { token: null })).status, 200);
});
