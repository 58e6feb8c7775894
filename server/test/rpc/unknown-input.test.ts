import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../support/server.ts";

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
