import assert from "node:assert/strict";
import { test } from "node:test";
import { earlierMethods, methods } from "@doorward/api/methods";
import { actionsOf } from "../action/support/actions.ts";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

const all = [...methods, ...earlierMethods];

const noLimits = { authorization: 0, token: 0, introspection: 0, login: 0, signUp: 0, registration: 0, keys: 0 };

/** Names under the alias, by the rule of the interface: the word may also stand inside a name or a path. */
const aliasOf = (name: string): string =>
  name.replace(/^service\./, "zitadel.").replace(/\/(\w*?)Service(?=[A-Z])/, "/$1Zitadel");
const aliasPath = (path: string): string => path.replace(/\/service(?=\/)/, "/zitadel");

test("every method has its name under an alias of the namespace word, also where the word is inside (Z5)", async (t) => {
  const server = await startServer(t, { config: { rateLimits: noLimits } });
  assert.ok(all.length > 900);
  const inside = all.filter(({ method }) => /Service(?=[A-Z])/.test(method)).map(({ method }) => method);
  assert.deepEqual(inside, ["ListMyServicePermissions"]);
  for (const { service, method } of all) {
    const name = `${service}/${method}`;
    const [own, aliased] = [await askStranger(server.origin, name), await askStranger(server.origin, aliasOf(name))];
    assert.notEqual(own, 404, name);
    assert.equal(aliased, own, aliasOf(name));
  }
});

test("every route that has the word in its path has it under an alias (Z5)", async (t) => {
  const server = await startServer(t);
  const routes = all.flatMap((method) => method.routes).filter(({ path }) => aliasPath(path) !== path);
  assert.deepEqual(routes.map(({ path }) => path).toSorted(), [
    "/auth/v1/permissions/service/me/_search",
    "/management/v1/service/docs",
  ]);
  for (const { verb, path } of routes) {
    const body = verb === "GET" ? {} : { body: {} };
    const own = await server.rest(verb, path, body);
    assert.equal(own.status, 200, path);
    assert.deepEqual((await server.rest(verb, aliasPath(path), body)).body, own.body);
    assert.equal((await server.rest(verb, path.replace("/service/", "/other/"), body)).status, 404);
  }
  const name = "zitadel.auth.v1.AuthService/ListMyZitadelPermissions";
  const listed = await server.connect(name, {});
  assert.ok(listed.body.result.includes("iam.write"), JSON.stringify(listed.body));
  const other = await server.connect("service.auth.v1.AuthService/ListMyZitadelPermissions", {});
  assert.equal(other.status, 404, "our word has our name");
  const actions = actionsOf(server);
  await actions.set({ request: { method: `/${name}` } }, [await actions.createTarget("https://hooks.example/")]);
});

async function askStranger(origin: string, name: string): Promise<number> {
  const answer = await fetch(`${origin}/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  return answer.status;
}
