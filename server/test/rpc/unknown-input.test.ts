import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

type Server = Awaited<ReturnType<typeof startServer>>;

const createApplication = "service.application.v2.ApplicationService/CreateApplication";

async function addProject(server: Server): Promise<string> {
  const { body } = await server.rest("POST", "/management/v1/projects", { body: { name: "Shop" } });
  return body.id;
}

const oidc = { redirectUris: ["https://app.example/callback"], responseTypes: ["OIDC_RESPONSE_TYPE_CODE"] };

test("an unknown name of an enum is refused with the field and the known names (R6)", async (t) => {
  const server = await startServer(t);
  const projectId = await addProject(server);
  const path = `/management/v1/projects/${projectId}/apps/oidc`;
  const older = await server.rest("POST", path, { body: { name: "a", ...oidc, authMethodType: "NONE" } });
  assert.deepEqual([older.status, older.body.details[0].id], [400, "field.unknown_name"]);
  assert.match(older.body.message, /^authMethodType .*\bOIDC_AUTH_METHOD_TYPE_NONE\b/);

  const overConnect = { projectId, name: "a", ...oidc, authMethodType: "NONE", more: 1 };
  const oldest = await server.connect("service.management.v1.ManagementService/AddOIDCApp", overConnect);
  assert.deepEqual([oldest.status, oldest.body.code], [400, "invalid_argument"]);
  assert.match(oldest.body.message, /^authMethodType .*\bOIDC_AUTH_METHOD_TYPE_NONE\b/);

  const configuration = { oidcConfiguration: { ...oidc, authMethodType: "NONE" } };
  const newer = await server.connect(createApplication, { projectId, name: "a", ...configuration });
  assert.deepEqual([newer.status, newer.body.code], [400, "invalid_argument"]);
  assert.match(newer.body.message, /^oidcConfiguration\.authMethodType .*\bOIDC_AUTH_METHOD_TYPE_NONE\b/);
  const inList = { ...oidc, responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "CODE"] };
  const listed = await server.connect(createApplication, { projectId, name: "a", oidcConfiguration: inList });
  assert.match(listed.body.message, /^oidcConfiguration\.responseTypes\[1\] /);

  const known = { body: { name: "a", ...oidc, authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" } };
  assert.equal((await server.rest("POST", path, known)).status, 200);
  assert.equal((await server.rest("POST", path, { body: { name: "b", ...oidc, authMethodType: 2 } })).status, 200);
});

test("no transport, encoding or spelling of it hides an unknown name of an enum (R6)", async (t) => {
  const server = await startServer(t);
  const projectId = await addProject(server);
  const framed = (bytes: Buffer, isCompressed = false): Buffer => {
    const head = Buffer.alloc(5);
    head.writeUInt8(isCompressed ? 1 : 0);
    head.writeUInt32BE(bytes.length, 1);
    return Buffer.concat([head, bytes]);
  };
  const plain = (bytes: Buffer) => bytes;
  type Encode = (bytes: Buffer) => Buffer;
  const encodings: readonly (readonly [headers: Record<string, string>, encode: Encode])[] = [
    [{ "content-type": "application/json" }, plain],
    [{ "content-type": "Application/JSON" }, plain],
    [{ "content-type": "application/json; charset=utf-8" }, plain],
    [{ "content-type": "application/json", "content-encoding": "identity" }, plain],
    [{ "content-type": "application/json", "content-encoding": "gzip" }, gzipSync],
    [{ "content-type": "application/json", "content-encoding": "br" }, brotliCompressSync],
    [{ "content-type": "application/grpc-web+json" }, framed],
    [{ "content-type": "application/GRPC-Web+JSON" }, framed],
    [{ "content-type": "application/grpc-web-text+json" }, (bytes) => Buffer.from(framed(bytes).toString("base64"))],
    [{ "content-type": "application/grpc-web+json", "grpc-encoding": "identity" }, framed],
    [
      { "content-type": "application/grpc-web+json", "grpc-encoding": "gzip" },
      (bytes) => framed(gzipSync(bytes), true),
    ],
  ];
  const applications = async (): Promise<number> => {
    const { body } = await server.rest("POST", `/management/v1/projects/${projectId}/apps/_search`, { body: {} });
    return Number(body.details.totalResult ?? 0);
  };
  const add = async (headers: Record<string, string>, encode: Encode, authMethodType: string) => {
    const name = `${authMethodType} ${Math.trunc(server.clock.now)} ${(await applications()) + 1}`;
    const message = Buffer.from(JSON.stringify({ projectId, name, ...oidc, authMethodType }));
    const answer = await fetch(`${server.origin}/service.management.v1.ManagementService/AddOIDCApp`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.ownerToken}`, ...headers },
      body: encode(message),
    });
    return answer.text();
  };
  let taken = 0;
  for (const [headers, encode] of encodings) {
    const before = await applications();
    const said = await add(headers, encode, "NONE");
    assert.equal(await applications(), before, `${JSON.stringify(headers)}: ${said}`);
    await add(headers, encode, "OIDC_AUTH_METHOD_TYPE_NONE");
    taken += (await applications()) - before;
  }
  assert.ok(taken >= 6, `the positive control passes for ${taken}`);
});

test("an unknown field is refused by v2, in body and query, and by Connect (U23)", async (t) => {
  const server = await startServer(t);
  const refused = await server.rest("POST", "/v2/users", { body: { filterz: [] } });
  assert.deepEqual([refused.status, refused.body.details[0].id], [400, "field.unknown"]);
  assert.match(refused.body.message, /filterz .*\bqueries\b/);
  const nested = await server.rest("POST", "/v2/users", { body: { queries: [{ emailQuery: { emailAdress: "a" } }] } });
  assert.match(nested.body.message, /queries\[0\]\.emailQuery\.emailAdress .*\bemailAddress\b/);
  const inQuery = await server.rest("GET", "/v2/settings/login?ctx.orgIdd=1");
  assert.deepEqual([inQuery.status, inQuery.body.details[0].id], [400, "field.unknown"]);
  assert.match(inQuery.body.message, /ctx\.orgIdd/);
  const connected = await server.connect("service.user.v2.UserService/ListUsers", { filterz: [] });
  assert.deepEqual([connected.status, connected.body.code], [400, "invalid_argument"]);
  assert.match(connected.body.message, /filterz/);
  assert.equal((await server.rest("POST", "/v2/users", { body: { queries: [], sorting_column: 1 } })).status, 200);
  assert.equal((await server.rest("GET", "/v2/settings/login?ctx.instance=true")).status, 200);
});

test("v1 ignores unknown fields and names them in a header, whatever they hold (U23)", async (t) => {
  const server = await startServer(t);
  const body = { name: "Shop", "colour: €;": "blue", queries: { more: 1 } };
  const created = await server.rest("POST", "/management/v1/projects", { body });
  assert.equal(created.status, 200);
  assert.equal(created.headers.get("warning"), '299 - "ignored, not in the contract: colour? ??, queries"');
  const connected = await server.connect("service.management.v1.ManagementService/AddProject", {
    name: "Kiosk",
    more: 1,
  });
  assert.equal(connected.status, 200);
  const usual = await server.rest("POST", "/management/v1/projects", { body: { name: "Store" } });
  assert.equal(usual.headers.get("warning"), null);
});
