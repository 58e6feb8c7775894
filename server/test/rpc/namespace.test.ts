import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

const method = "user.v2.UserService/GetUserByID";

test("calls in an alias of the namespace word are answered in that word", async (t) => {
  const server = await startServer(t);
  for (const word of ["service", "zitadel"]) {
    await t.test(`${word}: Connect`, async () => {
      const refused = await server.connect(`${word}.${method}`, { userId: "1" });
      assert.equal(refused.status, 404);
      assert.equal(refused.body.details[0].type, `${word}.v1.ErrorDetail`);
      const unreadable = await server.connect(`${word}.${method}`, { userId: 1 });
      assert.equal(unreadable.body.details[0].type, `${word}.v1.ErrorDetail`);
      const stranger = await server.connect(`${word}.${method}`, {}, { token: null });
      assert.equal(stranger.body.details[0].type, `${word}.v1.ErrorDetail`);
    });

    for (const [name, createTransport] of [
      ["gRPC", (options: Options) => createGrpcTransport(options)],
      ["gRPC-Web", (options: Options) => createGrpcWebTransport({ ...options, httpVersion: "1.1" })],
    ] as const) {
      await t.test(`${word}: ${name}`, async () => {
        const transport = createTransport({ baseUrl: server.origin, interceptors: [callAs(word, server.origin)] });
        const headers = { authorization: `Bearer ${server.ownerToken}` };
        const asking = createClient(UserService, transport).getUserByID({ userId: "1" }, { headers });
        const refused = ConnectError.from(await asking.catch((error: unknown) => error));
        assert.equal(refused.code, Code.NotFound);
        assert.deepEqual(
          refused.details.map((detail) => "type" in detail && detail.type),
          [`${word}.v1.ErrorDetail`],
        );
      });
    }

    await t.test(`${word}: the organization header counts, and names the word of a REST answer`, async () => {
      const headers = { [`x-${word}-orgid`]: "1" };
      const refused = await server.rest("GET", "/v2/users/1", { headers });
      assert.equal(refused.body.details[0].id, "organization.context_unknown");
      assert.equal(refused.body.details[0]["@type"], `type.googleapis.com/${word}.v1.ErrorDetail`);
      const called = await server.connect(`${word}.${method}`, { userId: "1" }, { headers });
      assert.equal(called.body.code, "permission_denied");
    });

    await t.test(`${word}: pages of other origins may send the header and call`, async () => {
      for (const path of ["/v2/users/1", `/${word}.${method}`]) {
        const answer = await fetch(server.origin + path, { method: "OPTIONS" });
        assert.equal(answer.status, 204, path);
        const allowed = answer.headers.get("access-control-allow-headers")?.split(", ") ?? [];
        assert.ok(allowed.includes(`x-${word}-orgid`), path);
        assert.ok(allowed.includes("x-grpc-web"), path);
        assert.match(answer.headers.get("access-control-allow-methods") ?? "", path.startsWith("/v2") ? /GET/ : /POST/);
      }
    });
  }
});

test("a word that is not an alias is nothing: not as path, not as header", async (t) => {
  const server = await startServer(t, { config: { namespaceAliases: ["acme"] } });
  for (const word of ["zitadel", "other", "constructor"]) {
    const called = await server.connect(`${word}.${method}`, { userId: "1" });
    assert.equal(called.status, 404, word);
    assert.notEqual(called.body?.details?.[0]?.id, "user.not_found", word);
    const asked = await server.rest("GET", "/v2/users/1", { headers: { [`x-${word}-orgid`]: "1" } });
    assert.equal(asked.body.details[0].id, "user.not_found", word);
    const preflight = await fetch(`${server.origin}/v2/users/1`, { method: "OPTIONS" });
    assert.doesNotMatch(preflight.headers.get("access-control-allow-headers") ?? "", new RegExp(`x-${word}-orgid`));
  }
  const known = await server.connect(`acme.${method}`, { userId: "1" });
  assert.equal(known.body.details[0].type, "acme.v1.ErrorDetail");
});

interface Options {
  readonly baseUrl: string;
  readonly interceptors: Interceptor[];
}

/** Sends a call to the same method under another word. */
const callAs =
  (word: string, origin: string): Interceptor =>
  (next) =>
  (request) =>
    next({ ...request, url: request.url.replace(`${origin}/service.`, `${origin}/${word}.`) });
