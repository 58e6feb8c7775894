import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../support/servers/server.ts";

test("/docs/openapi.json", async (t) => {
  const server = await startServer(t);
  const address = `${server.origin}/docs/openapi.json`;
  const first = await fetch(address);
  // biome-ignore lint/suspicious/noExplicitAny: parts of the document are compared with what is expected.
  const document = (await first.json()) as any;
  const { schemas } = document.components;
  const operation = (path: string, verb: string) => document.paths[path][verb];

  await t.test("says who may call, whether it is built, and how it is named", () => {
    const listed = operation("/v2/users", "post");
    assert.equal(listed.operationId, "UserService_ListUsers");
    assert.deepEqual(listed.tags, ["service.user.v2.UserService"]);
    assert.equal(listed["x-state"], "built");
    assert.equal(listed.security, undefined);
    assert.deepEqual(document.security, [{ bearer: [] }]);
    const unbuilt = operation("/v2/actions/targets", "post");
    assert.equal(unbuilt["x-permission"], "action.target.write");
    assert.match(unbuilt.description, /Needs the permission `action\.target\.write`/);
    const open = operation("/auth/v1/healthz", "get");
    assert.deepEqual(open.security, []);
    assert.equal(operation("/v2/sessions", "post").responses[201].description, "Success");
  });

  await t.test("says of every method what the server says", async () => {
    for (const item of Object.values<object>(document.paths)) {
      for (const { tags, operationId, "x-state": state } of Object.values<Operation>(item as never)) {
        const method = server.app.methods.get(`${tags[0]}/${operationId.split("_")[1]}`);
        assert.ok(method, operationId);
        const isBuilt = method.isHealth || (await method.loadImplementation()) !== undefined;
        assert.equal(state, isBuilt ? "built" : "unimplemented", operationId);
      }
    }
  });

  await t.test("gives each route its own name, and variables one name on one path", () => {
    const ids = Object.values<object>(document.paths).flatMap((item) =>
      Object.values<{ operationId: string }>(item as never).map(({ operationId }) => operationId),
    );
    assert.equal(new Set(ids).size, ids.length);
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{[^}]*\}/g, "{}"));
    assert.equal(new Set(shapes).size, shapes.length);
  });

  await t.test("asks for what the server asks for, with its limits", () => {
    const { required, properties } = schemas["service.user.v2.CreateUserRequest"];
    assert.deepEqual(required, ["organizationId"]);
    assert.equal(properties.organizationId.minLength, 1);
    assert.equal(properties.organizationId.maxLength, 200);
    assert.equal(properties.organizationId.description, "The organization that the user will belong to.");
    assert.match(properties.human.description, /Not together with `machine`/);
    assert.deepEqual(schemas["service.user.v2.CreateUserRequest.Human.Input"].required, ["profile", "email"]);
  });

  await t.test(
    "takes 64-bit integers in both forms, and answers REST with numbers and every field, Connect with text",
    () => {
      const details = schemas["service.object.v2.ListDetails"];
      assert.equal(details.properties.totalResult.type, "integer");
      assert.equal(details.properties.totalResult.format, "int64");
      assert.ok(details.required.includes("totalResult"));
      const asked = schemas["service.object.v2.ListQuery.Input"].properties.offset;
      assert.deepEqual(asked.type, ["integer", "string"]);
      const connect = schemas["service.filter.v2.PaginationResponse.Connect"];
      assert.equal(connect.properties.totalResult.type, "string");
      assert.equal(connect.required, undefined);
      assert.equal(details.properties.timestamp.format, "date-time");
    },
  );

  await t.test("puts path variables into the path and nowhere else", () => {
    const got = operation("/v2/users/{userId}", "get");
    assert.deepEqual(got.parameters[0].name, "userId");
    assert.equal(got.parameters[0].in, "path");
    assert.equal(got.requestBody, undefined);
    const changed = operation("/v2/sessions/{sessionId}", "patch");
    const name = changed.requestBody.content["application/json"].schema.$ref.split("/").at(-1);
    assert.equal(schemas[name].properties.sessionId, undefined);
    assert.ok(schemas[name].properties.checks);
  });

  await t.test("is sent once, compressed where it may be, to pages of any origin", async () => {
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^W\/"/);
    assert.equal((await fetch(address, { headers: { "if-none-match": etag } })).status, 304);
    const plain = await server.rest("GET", "/docs/openapi.json", {
      token: null,
      headers: { "accept-encoding": "identity" },
    });
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.deepEqual(plain.body, document);
    assert.equal(first.headers.get("content-encoding"), "gzip");
    assert.equal(first.headers.get("access-control-allow-origin"), "*");
    assert.equal(first.headers.get("vary"), "accept-encoding");
  });
});

interface Operation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly "x-state": string;
}
