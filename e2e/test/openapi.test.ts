import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { methods } from "@doorward/api/methods";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { hasPostgres } from "../../server/test/support/databases/postgres.ts";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc/oidc.ts";
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
  await t.test("describes what the server answers, including refusals", () => checkAnswers(server, document));
  await t.test("tells what the listed operations answered, of which golden files are kept", () =>
    checkGolden(document),
  );
  await t.test("makes a client that calls a running server of each engine with types that hold", async (each) => {
    const other = hasPostgres() ? [await startOidcServer(each, { engine: "postgres" })] : [];
    await checkClient([server, ...other], document);
  });
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

/** Says what is wrong with an answer by the schema that the document has for it; undefined when nothing is. */
function judgeBy(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ["int32", "int64", "double"]) ajv.addFormat(format, true);
  ajv.addSchema(document, "doc");
  return (verb: string, path: string, status: number, answer: unknown): string | undefined => {
    const item = document.paths[path]?.[verb.toLowerCase()];
    if (item === undefined) return `${verb} ${path} is not in the document`;
    const response = item.responses[status] ?? item.responses.default;
    const { $ref = undefined } = response;
    const content =
      $ref === undefined ? response.content : document.components.responses[$ref.split("/").at(-1)].content;
    const validate = ajv.compile({ $ref: `doc${content["application/json"].schema.$ref}` });
    if (validate(answer)) return undefined;
    return `${verb} ${path} ${status}: ${JSON.stringify(validate.errors)} ${JSON.stringify(answer)}`;
  };
}

const golden = fileURLToPath(new URL("../../server/test/golden/json/", import.meta.url));

function checkGolden(document: Document): void {
  const judge = judgeBy(document);
  const patterns = Object.keys(document.paths)
    // Fixed paths come before those with variables.
    .sort((left, right) => left.split("{").length - right.split("{").length)
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, "[^/]+").replaceAll(".", "\\.")}$`),
    }));
  const complaints: string[] = [];
  const files = globSync("**/*.json", { cwd: golden });
  for (const file of files) {
    const { request, response } = JSON.parse(readFileSync(golden + file, "utf8"));
    const [verb = "", called = ""] = request.call.split(" ");
    const fitting = patterns.filter(
      ({ path, pattern }) => pattern.test(called) && verb.toLowerCase() in document.paths[path],
    );
    const complaint = judge(verb, fitting[0]?.path ?? called, response.status, response.body);
    if (complaint !== undefined) complaints.push(`${file}: ${complaint}`);
  }
  assert.ok(files.length > 40);
  assert.deepEqual(complaints, []);
}

async function checkAnswers(server: OidcServer, document: Document): Promise<void> {
  const judge = judgeBy(document);
  let successes = 0;
  for (const [verb, path, body] of answers) {
    const { status, body: answer } = await server.rest(verb, path.replace("{userId}", server.user.userId), { body });
    assert.equal(judge(verb, path.replace(/\/v2\/users\/0$/, "/v2/users/{userId}"), status, answer), undefined);
    if (status < 300) successes++;
  }
  assert.ok(successes >= 8, `${successes} of ${answers.length} succeeded`);
}

/** Services with operations that the program knows, and listed operations of the large ones. */
const used = [
  ...["user", "project", "authorization", "internal_permission"].map((area) => `service.${area}.v2.`),
  "/v2/policies/security",
  "/auth/v1/usergrants/me/_search",
  "/email/_search",
  "/admin/v1/events/_search",
  ...["default", "deafult"].map((word) => `/text/${word}/message/passwordreset/{language}`),
  "/text/message/passwordreset/{language}",
];

async function checkClient(servers: readonly OidcServer[], document: Document): Promise<void> {
  const { makeCalls } = await compileClient(partOf(document, used), program);
  for (const { origin, ownerToken, organizationId, app } of servers) {
    const made = (await (makeCalls as (...parameters: unknown[]) => Promise<unknown>)(
      origin,
      ownerToken,
      organizationId,
    )) as Record<string, unknown>;
    assert.equal(made["loginName"], "grace@doorward.localhost");
    assert.equal(made["refusal"], "user.not_found");
    assert.equal(made["unauthenticated"], 401);
    assert.equal(typeof made["total"], "number");
    assert.ok(made["projects"]);
    const instance = await app.domain.findInstanceByHost("localhost");
    const subject = "Legen Sie ein neues Passwort fest";
    assert.deepEqual(made["listed"], [instance?.instanceId, 0, 0, true, subject, "user", 0, "IAM_LOGIN_CLIENT"]);
  }
}

/**
 * Returns the operations of some services and at some paths, with their components: the compiler takes long for all.
 */
function partOf(document: Document, names: readonly string[]): Document {
  const paths = Object.entries<object>(document.paths).filter(
    ([path, item]) =>
      names.includes(path) ||
      Object.values<{ tags: string[] }>(item as never).some(({ tags: [tag = ""] }) =>
        names.some((name) => name.startsWith("service.") && tag.startsWith(name)),
      ),
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
