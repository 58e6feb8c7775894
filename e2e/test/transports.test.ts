import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { GetUserByIDRequestSchema, GetUserByIDResponseSchema } from "@doorward/api/service/user/v2/user_operations_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { ErrorDetailSchema } from "@doorward/api/service/v1/error_pb";
import { credentials, Client as GrpcClient, Metadata, type ServiceError } from "@grpc/grpc-js";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc/oidc.ts";

const path = "/service.user.v2.UserService/GetUserByID";

type Answer = { readonly json: unknown } | { readonly code: number; readonly id: string };

/** Asks for a user over one transport; an answer is its JSON, a refusal its code and slug. */
type Ask = (userId: string, token: string | undefined) => Promise<Answer>;

function overConnect(transport: Transport): Ask {
  const users = createClient(UserService, transport);
  return async (userId, token) => {
    try {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await users.getUserByID({ userId }, { headers });
      return { json: toJson(GetUserByIDResponseSchema, response) };
    } catch (error) {
      const refused = ConnectError.from(error);
      return { code: refused.code, id: refused.findDetails(ErrorDetailSchema)[0]?.id ?? "" };
    }
  };
}

function overGrpcJs(t: TestContext, port: number): Ask {
  const grpc = new GrpcClient(`localhost:${port}`, credentials.createInsecure());
  t.after(() => grpc.close());
  return (userId, token) =>
    new Promise((resolve) => {
      const metadata = new Metadata();
      if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
      grpc.makeUnaryRequest(
        path,
        (request: { userId: string }) =>
          Buffer.from(
            toBinary(GetUserByIDRequestSchema, { $typeName: "service.user.v2.GetUserByIDRequest", ...request }),
          ),
        (bytes: Buffer) => fromBinary(GetUserByIDResponseSchema, bytes),
        { userId },
        metadata,
        (error: ServiceError | null, response) => {
          if (error === null && response !== undefined) resolve({ json: toJson(GetUserByIDResponseSchema, response) });
          else resolve({ code: error?.code ?? 0, id: slugOf(error) });
        },
      );
    });
}

// The details travel as bytes; the slug stands in them as it is.
function slugOf(error: ServiceError | null): string {
  const details = error?.metadata.get("grpc-status-details-bin")[0];
  return (
    /\b(?:user|field|authentication)\.[a-z]+(?:_[a-z]+)*/.exec(Buffer.from(details ?? "").toString("latin1"))?.[0] ?? ""
  );
}

function overRest(server: OidcServer): Ask {
  return async (userId, token) => {
    const { status, body } = await server.rest("GET", `/v2/users/${userId}`, { token: token ?? null });
    return status === 200 ? { json: body } : { code: body.code, id: body.details[0].id };
  };
}

test("every transport gives the same answers and the same refusals", async (t) => {
  const server = await startOidcServer(t);
  const baseUrl = server.origin;
  const transports: Record<string, Ask> = {
    "Connect over HTTP/1.1": overConnect(createConnectTransport({ baseUrl, httpVersion: "1.1" })),
    "Connect over HTTP/2": overConnect(createConnectTransport({ baseUrl, httpVersion: "2" })),
    "Connect, binary": overConnect(createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: true })),
    "gRPC by connect-node": overConnect(createGrpcTransport({ baseUrl })),
    "gRPC-Web": overConnect(createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })),
    "gRPC by grpc-js": overGrpcJs(t, server.port),
  };
  const expected = await overConnect(createConnectTransport({ baseUrl, httpVersion: "1.1" }))(
    server.user.userId,
    server.ownerToken,
  );
  assert.ok("json" in expected);
  for (const [name, ask] of Object.entries(transports)) {
    assert.deepEqual(await ask(server.user.userId, server.ownerToken), expected, name);
    assert.deepEqual(await ask("1", server.ownerToken), { code: Code.NotFound, id: "user.not_found" }, name);
    assert.deepEqual(await ask("1", undefined), { code: Code.Unauthenticated, id: "authentication.required" }, name);
    assert.deepEqual(await ask("", server.ownerToken), { code: Code.InvalidArgument, id: "field.required" }, name);
  }
  const rest = overRest(server);
  const answered = await rest(server.user.userId, server.ownerToken);
  assert.equal("json" in answered && (answered.json as { user: { userId: string } }).user.userId, server.user.userId);
  assert.deepEqual(await rest("1", server.ownerToken), { code: Code.NotFound, id: "user.not_found" });
  assert.deepEqual(await rest("1", undefined), { code: Code.Unauthenticated, id: "authentication.required" });
});

test("REST shows every field with implicit presence, and 64-bit integers as numbers", async (t) => {
  const server = await startOidcServer(t);
  const { body } = await server.rest("GET", `/v2/users/${server.user.userId}`);
  assert.equal(typeof body.details.sequence, "number");
  assert.equal(body.user.human.passwordChangeRequired, false);
  const empty = await server.rest("POST", "/v2/users", { body: { queries: [{ inUserIdsQuery: { userIds: ["1"] } }] } });
  assert.deepEqual(empty.body.result, []);
  assert.equal(empty.body.details.totalResult, 0);
});
