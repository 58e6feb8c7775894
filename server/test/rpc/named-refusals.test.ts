import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

test("a value of the wrong form is refused with its field, on every way to send it (R7)", async (t) => {
  const server = await startServer(t);
  const create = { rest: "/v2/users/new", call: "service.user.v2.UserService/CreateUser" };
  const list = { rest: "/v2/users", call: "service.user.v2.UserService/ListUsers" };
  const target = { rest: "/v2/actions/targets", call: "service.action.v2.ActionService/CreateTarget" };
  for (const [{ rest, call }, body, id, message] of [
    [create, { human: "x" }, "field.wrong_type", /^human /],
    [create, { human: { profile: [] } }, "field.wrong_type", /^human\.profile /],
    [create, { human: { profile: { gender: {} } } }, "field.wrong_type", /^human\.profile\.gender /],
    [create, { human: { profile: { gender: 1.5 } } }, "field.wrong_type", /^human\.profile\.gender /],
    [create, { human: {}, machine: {} }, "field.one_of_several", /: human, machine\.$/],
    [list, { queries: [{}, 5] }, "field.wrong_type", /^queries\[1\] /],
    [list, { query: [] }, "field.wrong_type", /^query /],
    [target, { timeout: "soon" }, "field.wrong_type", /^timeout /],
    [target, { timeout: 5 }, "field.wrong_type", /^timeout /],
  ] as const) {
    const overRest = await server.rest("POST", rest, { body });
    assert.deepEqual([overRest.status, overRest.body.details[0].id], [400, id], JSON.stringify(body));
    assert.match(overRest.body.message, message);
    const overConnect = await server.connect(call, body);
    assert.deepEqual([overConnect.status, overConnect.body.details[0].debug.id], [400, id], JSON.stringify(body));
    assert.match(overConnect.body.message, message);
  }
  const absent = await server.rest("POST", list.rest, { body: { query: null, queries: [] } });
  assert.equal(absent.status, 200, "null is absent");
});

test("a wrong HTTP method is told the right one, also of calls and of verbs that look like ids (R7)", async (t) => {
  const server = await startServer(t);
  for (const [method, path] of [
    ["GET", "/service.user.v2.UserService/ListUsers"],
    ["PUT", "/zitadel.user.v2.UserService/ListUsers"],
    ["GET", "/management/v1/users/_search"],
    ["DELETE", "/management/v1/projects/_search"],
    ["GET", "/admin/v1/orgs/_search"],
  ] as const) {
    const answer = await server.rest(method, path);
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"], `${method} ${path}`);
    const [{ id, debug }] = answer.body.details;
    assert.equal(id ?? debug.id, "request.wrong_method");
  }
  const none = await server.rest("GET", "/management/v1/users/_unknown");
  assert.equal(none.body.details[0].id, "user.not_found", "an id may begin with an underscore");
});

test("what is no HTTP request, or has too much of a header, is answered in JSON (R7)", async (t) => {
  const server = await startServer(t);
  for (const [lines, status, id] of [
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${"a".repeat(40_000)}\r\n\r\n`, 431, "request.headers_too_large"],
    ["NONSENSE / HTTP/9.1\r\n\r\n", 400, "request.malformed"],
  ] as const) {
    const [head = "", body = ""] = (await send(server, lines)).split("\r\n\r\n");
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(head, /^content-type: application\/json\r?$/im);
    assert.equal(Number(/content-length: (\d+)/i.exec(head)?.[1]), Buffer.byteLength(body));
    assert.equal(JSON.parse(body).details[0].id, id);
  }
  assert.equal((await fetch(`${server.origin}/debug/healthz`)).status, 200);
});

function send({ port }: TestServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}

test("OpenAPI says what an unsigned number may be, and which fields exclude one another (R7)", async (t) => {
  const server = await startServer(t);
  const { components } = (await (await fetch(`${server.origin}/docs/openapi.json`)).json()) as {
    components: { schemas: Record<string, { properties: Record<string, { minimum?: number }>; not?: object }> };
  };
  const schemaOf = (name: string) => components.schemas[name] ?? components.schemas[`${name}.Input`];
  const { limit, offset } = schemaOf("service.object.v2.ListQuery")?.properties ?? {};
  assert.deepEqual([limit?.minimum, offset?.minimum], [0, 0]);
  const choice = schemaOf("service.user.v2.CreateUserRequest")?.not;
  assert.deepEqual(choice, { anyOf: [{ required: ["human", "machine"] }] });
});
