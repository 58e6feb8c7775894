import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { methods } from "@doorward/api/methods";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc.ts";
import { compileClient } from "../support/openapi-client.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document of foreign shape, looked at by its own validator.
type Document = any;

async function readDocument(server: OidcServer): Promise<Document> {
  const response = await fetch(`${server.origin}/docs/openapi.json`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json");
  return response.json();
}

test("the OpenAPI document", async (t) => {
  const server = await startOidcServer(t);
  const document = await readDocument(server);
  await t.test("is OpenAPI 3.1, and has every route and every method without one", () => checkPaths(document));
  await t.test("tells what the server answers, refusals too", () => checkAnswers(server, document));
  await t.test("makes a client that calls a running server with types that hold", () => checkClient(server, document));
});

async function checkPaths(document: Document): Promise<void> {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, String(JSON.stringify(errors)).slice(0, 2000));
  assert.match(document.openapi, /^3\.1\./);

  const shape = (verb: string, path: string): string => `${verb.toLowerCase()} ${path.replace(/\{[^}]*\}/g, "{}")}`;
  const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => shape(verb, path)),
  );
  const expected = methods.flatMap(({ service, method, routes }) =>
    routes.length === 0 ? [shape("post", `/${service}/${method}`)] : routes.map(({ verb, path }) => shape(verb, path)),
  );
  assert.deepEqual(described.sort(), expected.sort());

  const referred = new Set(
    Array.from(JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g), ([, pointer]) => pointer),
  );
  assert.ok(referred.size > 500);
  for (const pointer of referred) {
    const found = pointer
      ?.split("/")
      .slice(1)
      .reduce((owner, name) => owner?.[name], document);
    assert.ok(found, `${pointer} is not in the document`);
  }
}

// What REST answers, by the path of the document; `{id}` is the user's.
const answers = [
  ["GET", "/v2/users/{userId}", undefined],
  ["GET", "/v2/users/0", undefined],
  ["POST", "/v2/users", {}],
  ["POST", "/v2/organizations/_search", {}],
  ["POST", "/v2/sessions/search", {}],
  ["POST", "/v2/sessions", { checks: { user: { loginName: "ada@doorward.localhost" } } }],
  ["GET", "/v2/settings/security", undefined],
  ["GET", "/v2/settings", undefined],
  ["POST", "/v2/users/new", {}],
  ["POST", "/service.project.v2.ProjectService/ListProjects", {}],
  ["POST", "/service.application.v2.ApplicationService/ListApplications", {}],
  ["POST", "/service.project.v2.ProjectService/GetProject", {}],
] as const;

async function checkAnswers(server: OidcServer, document: Document): Promise<void> {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ["int32", "int64", "double"]) ajv.addFormat(format, true);
  ajv.addSchema(document, "doc");
  let successes = 0;
  for (const [verb, path, body] of answers) {
    const { status, body: answer } = await server.rest(verb, path.replace("{userId}", server.user.userId), { body });
    const item = document.paths[path.replace(/\/v2\/users\/0$/, "/v2/users/{userId}")]?.[verb.toLowerCase()];
    assert.ok(item, `${verb} ${path} is not in the document`);
    const response = item.responses[status] ?? item.responses.default;
    const { $ref = undefined } = response;
    const content =
      $ref === undefined ? response.content : document.components.responses[$ref.split("/").at(-1)].content;
    const validate = ajv.compile({ $ref: `doc${content["application/json"].schema.$ref}` });
    assert.ok(
      validate(answer),
      `${verb} ${path} ${status}: ${JSON.stringify(validate.errors)} ${JSON.stringify(answer)}`,
    );
    if (status < 300) successes++;
  }
  assert.ok(successes >= 8, `${successes} of ${answers.length} succeeded`);
}

async function checkClient(server: OidcServer, document: Document): Promise<void> {
  const { makeCalls } = await compileClient(
    partOf(document, ["service.user.v2.UserService", "service.project.v2.ProjectService"]),
    program,
  );
  const made = (await (makeCalls as (...parameters: unknown[]) => Promise<unknown>)(
    server.origin,
    server.ownerToken,
    server.organizationId,
  )) as Record<string, unknown>;
  assert.equal(made["loginName"], "grace@doorward.localhost");
  assert.equal(made["refusal"], "user.not_found");
  assert.equal(made["unauthenticated"], 401);
  assert.equal(typeof made["total"], "number");
  assert.ok(made["projects"]);
}

/** The operations of some services, with the components that they need: types of all of it take a compiler long. */
function partOf(document: Document, tags: readonly string[]): Document {
  const paths = Object.entries<object>(document.paths).filter(([, item]) =>
    Object.values<{ tags: string[] }>(item as never).some((operation) => tags.includes(operation.tags[0] ?? "")),
  );
  const components: Record<string, Record<string, unknown>> = { ...document.components, schemas: {} };
  const texts = [JSON.stringify(paths), JSON.stringify({ ...document.components, schemas: {} })];
  for (const text of texts) {
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const { schemas = {} } = components;
      if (name in schemas) continue;
      schemas[name] = document.components.schemas[name];
      texts.push(JSON.stringify(schemas[name]));
    }
  }
  return { ...document, paths: Object.fromEntries(paths), components };
}

// Text, because the types that it is checked against are generated when it runs.
const program = readFileSync(new URL("../support/openapi-program.txt", import.meta.url), "utf8");
