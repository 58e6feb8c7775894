import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { rulesOf } from "../../src/rpc/reference/schema-of-rules.ts";
import { countStatements } from "../support/databases/counted-statements.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { changes, type ListFixtures } from "./support/long-lists.ts";

// Every list of a request that changes something is here: what it costs must not follow its length.

/** Why the length of a list does not lengthen a unit of work. Names end with what is written here. */
const harmless: Readonly<Record<string, readonly RegExp[]>> = {
  "each entry is a unit of work of its own": [
    /\.DataOrg\./,
    /\.ImportDataOrg\.orgs$/,
    /\.BulkSetLimitsRequest\.limits$/,
  ],
  "stored as one document": [
    /\.(redirect_uris|post_logout_redirect_uris|additional_origins|grant_types|response_types|scopes|links|texts)$/,
    /\.(allowed_origins|allowed_urls|claim_namespaces|second_factors|multi_factors|SelectLanguages\.list)$/,
    /\.(improved_performance|descriptions|notifications|UserAgent\.header|HeaderValues\.values)$/,
    /SessionRequest\.metadata$/,
  ],
  "users of a job, and the conditions that name them": [
    /\.JobUsers\.user_ids$/,
    /\.queries$/,
    /Query\.user_(ids|emails)$/,
  ],
  "compared with the roles that were offered": [/\.AcceptAppointmentRequest\.roles$/],
  "at most 20, 10 and 100 by the operation": [
    /\.SetExecutionRequest\.targets$/,
    /\.action_ids$/,
    /\.(idp_links|idps)$/,
  ],
};

/** Lists with a number of entries that a unit of work may handle one by one. */
const mostOneByOne = 100;

/** How many rows the list of one call may write. */
const mostRows = 1000;

/** Lists that write few rows however long they are. */
const withFewRows = [/(Member|Administrator|SetUpOrg)Request\.roles$/, /\.Admin\.roles$/];

type Lists = Map<string, { readonly field: DescField; readonly methods: Set<string> }>;

async function listsOfChanges({ app }: TestServer): Promise<Lists> {
  const lists: Lists = new Map();
  for (const method of app.methods.values()) {
    if (/\/(List|Search|Get|Find|Export|Is)/.test(method.name) || method.isHealth) continue;
    if ((await method.loadImplementation()) === undefined) continue;
    collect((await method.loadDescriptor()).input, method.name, lists, new Set());
  }
  return lists;
}

function collect(message: DescMessage, method: string, lists: Lists, seen: Set<DescMessage>): void {
  if (seen.has(message) || message.typeName.startsWith("google.")) return;
  seen.add(message);
  for (const field of message.fields) {
    if (field.fieldKind === "list" || field.fieldKind === "map") {
      const name = `${message.typeName}.${field.name}`;
      const list = lists.get(name) ?? { field, methods: new Set() };
      list.methods.add(method);
      lists.set(name, list);
    }
    if (field.message !== undefined) collect(field.message, method, lists, seen);
  }
}

function mostOf(field: DescField): number {
  const kind = rulesOf(field)?.kind;
  return Number((kind?.case === "repeated" ? kind.value.maxItems : undefined) ?? Number.POSITIVE_INFINITY);
}

test("every list of a change is short, or is known to cost one statement", async (t) => {
  const lists = await listsOfChanges(await startServer(t));
  const patterns = Object.values(harmless).flat();
  const counted = new Set(changes.flatMap(({ lists: names }) => names));
  const unknown = [...lists].filter(
    ([name, { field }]) =>
      mostOf(field) > mostOneByOne && !counted.has(name) && !patterns.some((pattern) => pattern.test(name)),
  );
  assert.deepEqual(
    unknown.map(([name]) => name),
    [],
  );
  assert.deepEqual(
    [...counted].filter((name) => !lists.has(name)),
    [],
  );
  assert.deepEqual(patterns.filter((pattern) => ![...lists.keys()].some((name) => pattern.test(name))).map(String), []);
  // Each entry is a row, or removes one. The writer is kept for as long as it takes to write all of them.
  for (const name of changes.flatMap((each) => each.lists)) {
    if (withFewRows.some((pattern) => pattern.test(name))) continue;
    assert.ok(mostOf(lists.get(name)?.field ?? assert.fail(name)) <= mostRows, name);
  }
});

const sizes = [2, 12] as const;
/** What is read again now and then because it is kept for some time, and what jobs of the instance send. */
const others = 2;

eachServer((start) => {
  test("a change with a long list sends no statement more often than one with a short list", async (t) => {
    const server = await start(t);
    const fixtures = await makeFixtures(server);
    const counted = countStatements(server.app.domain.database, { isOfInstances: true });
    const complaints: string[] = [];
    for (const { method, request } of changes) {
      const sent: string[][] = [];
      for (const size of sizes) {
        const body = await request(fixtures, size);
        sent.push((await counted.during(() => fixtures.ask(method, body))).map(withoutLengths));
      }
      const [few = [], many = []] = sent;
      assert.ok(few.length > 0, method);
      for (const [statement, times] of Map.groupBy(many, (each) => each)) {
        const before = few.filter((each) => each === statement).length;
        if (times.length > before + others)
          complaints.push(`${method}: ${before} and ${times.length} times ${statement}`);
      }
    }
    assert.deepEqual(complaints, []);
  });

  test("roles added in bulk are refused before anything is written", async (t) => {
    const server = await start(t);
    const fixtures = await makeFixtures(server);
    const counted = countStatements(server.app.domain.database);
    const { ask, projectId } = fixtures;
    const bulk = (roles: readonly string[]) => ({ projectId, roles: roles.map((key) => ({ key, displayName: "R" })) });
    const method = "/service.management.v1.ManagementService/BulkAddProjectRoles";
    const headers = { "x-service-orgid": fixtures.organizationId };
    const refusedBy = async (roles: readonly string[]) => {
      let refused: unknown;
      const sent = await counted.during(async () => {
        const { status, body } = await server.rest("POST", method, { body: bulk(roles), headers });
        refused = [status, body.message];
      });
      const writes = sent.filter((statement) => /^(insert|update|delete)/.test(statement));
      return [refused, writes.filter((statement) => /project/.test(statement))];
    };
    const taken = [[409, "The project already has a role with this key."], []];
    assert.deepEqual(await refusedBy(["new", "newer", "new"]), taken);
    assert.deepEqual(await refusedBy(["new", "r0"]), taken);
    const tooMany = Array.from({ length: 1001 }, (_, index) => `m${index}`);
    assert.equal((await server.rest("POST", method, { body: bulk(tooMany), headers })).status, 400);
    await ask("management.v1.ManagementService/BulkAddProjectRoles", bulk(tooMany.slice(1)));
  });

  test("of metadata with one key, the last value counts", async (t) => {
    const { ask, userIds } = await makeFixtures(await start(t));
    const [id] = userIds;
    const metadata = ["AAEC", "AwQF"].map((value) => ({ key: "twice", value }));
    await ask("management.v1.ManagementService/BulkSetUserMetadata", { id, metadata });
    const read = await ask("management.v1.ManagementService/GetUserMetadata", { id, key: "twice" });
    assert.equal(read.metadata.value, "AwQF");
  });
});

/** The statement without the lengths of its lists and of the rows that it inserts. */
const withoutLengths = (statement: string): string =>
  statement.replaceAll(/\((?:\?,\s*)*\?\)(?:,\s*\((?:\?,\s*)*\?\))*/g, "(…)");

async function makeFixtures(server: TestServer): Promise<ListFixtures> {
  const organizationId = await defaultOrganization(server);
  const ask: ListFixtures["ask"] = async (method, body) => {
    const headers = { "x-service-orgid": organizationId };
    const answer = await server.rest("POST", `/service.${method}`, { body, headers });
    assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const userIds: string[] = [];
  for (const index of Array.from({ length: sizes[1] }).keys()) {
    const user = { organizationId, username: `robot-${index}`, machine: { name: "Robot" } };
    userIds.push((await ask("user.v2.UserService/CreateUser", user)).id);
  }
  const { projectId } = await ask("project.v2.ProjectService/CreateProject", { organizationId, name: "P" });
  const roles = Array.from({ length: sizes[1] }, (_, index) => ({ key: `r${index}`, displayName: "R" }));
  await ask("management.v1.ManagementService/BulkAddProjectRoles", { projectId, roles });
  return { ask, organizationId, projectId, userIds };
}
