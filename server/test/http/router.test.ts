import assert from "node:assert/strict";
import { test } from "node:test";
import { createRouter } from "../../src/http/router.ts";
import type { WebRoute } from "../../src/web/index.ts";

const routeAt = (path: string, methods: readonly string[] = ["GET"]): WebRoute =>
  ({ path, methods, protocol: "plain", handler: async () => ({ status: 200, headers: {}, body: path }) }) as never;

test("every route of a list is found, the first as well as the last", () => {
  const routes = [routeAt("/a"), routeAt("/a/:id", ["GET", "POST"]), routeAt("/b")];
  const router = createRouter(routes);
  assert.deepEqual(
    ["/a", "/a/1", "/b", "/c"].map((path) => router.find("GET", path)?.route),
    [...routes, undefined],
  );
  assert.equal(router.find("POST", "/a/1")?.variables["id"], "1");
  assert.equal(router.find("POST", "/a"), undefined);
  assert.deepEqual(router.methodsOf("/a/1"), ["GET", "POST"]);
});

test("a second server with the same paths answers with routes of its own", () => {
  const [one, other] = [
    [routeAt("/a"), routeAt("/b")],
    [routeAt("/a"), routeAt("/b")],
  ];
  const [first, second, third] = [createRouter(one), createRouter(other), createRouter([routeAt("/b"), routeAt("/a")])];
  assert.equal(first.find("GET", "/a")?.route, one[0]);
  assert.equal(second.find("GET", "/a")?.route, other[0]);
  assert.equal(third.find("GET", "/a")?.route.path, "/a");
});
