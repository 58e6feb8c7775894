import assert from "node:assert/strict";
import { test } from "node:test";
import { exchange } from "../support/http/raw-http.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

const browser = ["accept", "text/html,application/xhtml+xml,*/*;q=0.8"] as const;

type Header = readonly [name: string, value: string];

async function ask({ port }: TestServer, path: string, headers: readonly Header[]) {
  const answer = (await exchange(port, { path, headers })) ?? assert.fail();
  return { ...answer, type: answer.headers.get("content-type") ?? "" };
}

test("a browser that opens an unknown address sees a page, a program one line", async (t) => {
  const server = await startServer(t);
  for (const path of ["/nosuch", "/a/b/c", "/favicon.gif"]) {
    const shown = await ask(server, path, [browser]);
    assert.equal(shown.status, 404, path);
    assert.match(shown.type, /^text\/html/);
    assert.match(shown.body, /<h1[^>]*>This page does not exist<\/h1>/);
    for (const accept of ["*/*", "application/json", "text/htmlx"]) {
      const told = await ask(server, path, [["accept", accept]]);
      assert.equal(told.status, 404);
      assert.match(told.type, /^text\/plain/, accept);
    }
  }
  // What has a protocol answers in it, whatever a browser says.
  assert.match((await ask(server, "/v2/nosuch", [browser])).type, /^application\/json/);
});

test("a host that no instance has is named beside the one that this server answers for", async (t) => {
  const server = await startServer(t);
  const other = ["host", "proxy.internal:8080"] as const;
  for (const path of ["/", "/ui/login", "/nosuch"]) {
    const shown = await ask(server, path, [other, browser]);
    assert.equal(shown.status, 404, path);
    assert.match(shown.body, /This server does not answer for this host/);
    assert.match(shown.body, /The request is for the host proxy\.internal:8080\. This server answers for localhost:/);
    assert.doesNotMatch(shown.body, /href="\/"/, "no link leads on");
  }
  const markup = await ask(server, "/", [["host", "<b>x</b>"], browser]);
  assert.doesNotMatch(markup.body, /<b>x/);
});
