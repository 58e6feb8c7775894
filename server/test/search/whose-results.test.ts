import assert from "node:assert/strict";
import { test } from "node:test";
import { type MatrixFixtures, makeMatrixFixtures } from "../access/support/fixtures.ts";
import { frozenMessage } from "../access/support/frozen.ts";
import { inParallel } from "../access/support/in-parallel.ts";
import type { Principal } from "../access/support/model.ts";
import { isLong } from "../support/data/random.ts";
import { type Engine, eachEngine } from "../support/databases/databases.ts";
import { isTurnOf } from "../support/databases/turns.ts";
import type { TestServer } from "../support/servers/server.ts";

/** Something that a list shows: what begins like the text, or equals it, finds it. */
interface Listed {
  readonly kind: string;
  readonly id: string;
  readonly organizationId: string;
  readonly names: readonly string[];
  readonly ids: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: answers of lists are read field by field.
type Answer = any;

const services = {
  users: "service.user.v2.UserService/ListUsers",
  organizations: "service.org.v2.OrganizationService/ListOrganizations",
  projects: "service.project.v2.ProjectService/ListProjects",
  grants: "service.project.v2.ProjectService/ListProjectGrants",
  applications: "service.application.v2.ApplicationService/ListApplications",
  groups: "service.group.v2.GroupService/ListGroups",
} as const;

const everything = { pagination: { limit: 1000 } };

/** Calls lists as a principal; where the principal may not call one, it shows nothing. */
const listAs =
  (server: TestServer, { token }: Principal) =>
  async (method: string, body: object, organization?: string): Promise<Answer> => {
    const headers = organization === undefined ? {} : { "x-service-orgid": organization };
    const { status, body: answer } = await server.rest("POST", `/${method}`, { token, body, headers });
    return status === 200 ? answer : {};
  };

type List = ReturnType<typeof listAs>;

/** Returns everything with a name that the lists show. */
async function readLists(list: List, organizations: readonly string[]): Promise<Listed[]> {
  const [users, orgs, projects, grants, applications, groups] = await Promise.all([
    list(services.users, { query: { limit: 1000 } }),
    list(services.organizations, { query: { limit: 1000 } }),
    list(services.projects, everything),
    list(services.grants, everything),
    list(services.applications, everything),
    list(services.groups, everything),
  ]);
  const ofKind = (
    kind: string,
    answers: Answer[] | undefined,
    read: (item: Answer) => Omit<Listed, "kind">,
  ): Listed[] => (answers ?? []).map((item) => ({ kind, ...read(item) }));
  return [
    ...(users.result ?? []).map((user: Answer): Listed => {
      const { human, machine, userId, username, preferredLoginName, details } = user;
      const { profile = {}, email = {}, phone = {} } = human ?? {};
      const own = [profile.givenName, profile.familyName, profile.nickName, profile.displayName, email.email];
      const names = [...own, phone.phone, machine?.name, username, preferredLoginName].filter(Boolean);
      const kind = human === undefined ? "SERVICE_ACCOUNT" : "USER";
      return { kind, id: userId, organizationId: details.resourceOwner, names, ids: [userId] };
    }),
    ...ofKind("ORGANIZATION", orgs.result, ({ id, name }) => ({ id, organizationId: id, names: [name], ids: [id] })),
    ...ofKind("PROJECT", projects.projects, ({ projectId: id, organizationId, name }) => ({
      id,
      organizationId,
      names: [name],
      ids: [id],
    })),
    ...ofKind("PROJECT_GRANT", grants.projectGrants, (grant) => ({
      id: `${grant.projectId}/${grant.grantedOrganizationId}`,
      organizationId: grant.organizationId,
      names: [grant.projectName, grant.grantedOrganizationName],
      ids: [],
    })),
    ...ofKind("APPLICATION", applications.applications, (application) => ({
      id: application.applicationId,
      organizationId: "",
      names: [application.name],
      ids: [
        application.applicationId,
        application.oidcConfiguration?.clientId,
        application.apiConfiguration?.clientId,
      ].filter(Boolean),
    })),
    ...ofKind("GROUP", groups.groups, ({ id, organizationId, name }) => ({
      id,
      organizationId,
      names: [name],
      ids: [id],
    })),
    ...(await readProviders(list, organizations)),
  ];
}

async function readProviders(list: List, organizations: readonly string[]): Promise<Listed[]> {
  const answers = await Promise.all([
    list("service.admin.v1.AdminService/ListProviders", { query: { limit: 1000 } }),
    ...organizations.map((organization) =>
      list("service.management.v1.ManagementService/ListProviders", { query: { limit: 1000 } }, organization),
    ),
  ]);
  const all: Answer[] = answers.flatMap(({ result }) => result ?? []);
  return [...new Map(all.map((each) => [each.id, each])).values()].map(({ id, name, owner, details }) => ({
    kind: "IDENTITY_PROVIDER",
    id,
    organizationId: owner === "IDP_OWNER_TYPE_SYSTEM" ? "" : details.resourceOwner,
    names: [name],
    ids: [id],
  }));
}

/** Returns what lists show that are asked for the text itself. */
async function readById(list: List, text: string): Promise<Listed[]> {
  const begins = { domain: text, method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" };
  const ids = { ids: [text] };
  const attempts = "service.sign_in_attempt.v2.SignInAttemptService/ListSignInAttempts";
  const [domains, entities, sessions, targets, authorizations, events, own, shown] = await Promise.all([
    list(services.organizations, { queries: [{ domainQuery: begins }] }),
    list(services.applications, { filters: [{ entityIdFilter: { entityId: text } }] }),
    list("service.session.v2.SessionService/ListSessions", { queries: [{ idsQuery: ids }] }),
    list("service.action.v2.ActionService/ListTargets", { filters: [{ inTargetIdsFilter: { targetIds: [text] } }] }),
    list("service.authorization.v2.AuthorizationService/ListAuthorizations", { filters: [{ authorizationIds: ids }] }),
    list("service.admin.v1.AdminService/ListEvents", { aggregateId: text, limit: 1 }),
    list(attempts, { filters: [{ inIdsFilter: ids }] }),
    list(attempts, { filters: [{ referenceFilter: { reference: text } }] }),
  ]);
  const found = (kind: string, answers: Answer[] = [], id: (item: Answer) => string = (item) => item.id): Listed[] =>
    answers.map((item) => ({ kind, id: id(item), organizationId: "", names: [], ids: [text] }));
  return [
    ...found("ORGANIZATION", domains.result),
    ...found("APPLICATION", entities.applications, ({ applicationId }) => applicationId),
    ...found("SESSION", sessions.sessions),
    ...found("TARGET", targets.targets),
    ...found("AUTHORIZATION", authorizations.authorizations),
    ...found("EVENTS", events.events, () => text),
    ...found("SIGN_IN_ATTEMPT", own.attempts),
    ...found("SIGN_IN_ATTEMPT", shown.attempts),
  ];
}

const isFound = ({ names, ids }: Listed, text: string): boolean =>
  ids.includes(text) || names.some((name) => name.toLowerCase().startsWith(text.toLowerCase()));

/** Returns the ids by kind. */
function groupOf(found: readonly { readonly kind: string; readonly id: string }[]): ReadonlyMap<string, string[]> {
  const groups = Map.groupBy(found, ({ kind }) => kind);
  return new Map([...groups].map(([kind, each]) => [kind, [...new Set(each.map(({ id }) => id))]]));
}

async function searchAs(server: TestServer, { token }: Principal, text: string): Promise<Answer[]> {
  const { status, body } = await server.rest("POST", "/v2/search", { token, body: { text } });
  assert.equal(status, 200, JSON.stringify(body));
  return (body.results ?? []).map(({ kind, ...result }: Answer) => ({
    ...result,
    kind: kind.replace("SEARCH_RESULT_KIND_", ""),
  }));
}

/** Texts about everything that the tenants hold: beginnings of names, and each id. */
function textsOf({ tenants }: MatrixFixtures): { readonly names: string[]; readonly ids: string[] } {
  const all = Object.values(tenants);
  const names = all.flatMap(({ canary, objects }) => [
    canary,
    canary.slice(0, 3).toUpperCase(),
    `${canary} p`,
    `${canary}-m`,
    (objects["domain"] ?? "").slice(0, -4),
  ]);
  const ids = all.flatMap(({ objects }) => [
    ...Object.entries(objects).flatMap(([name, id]) => (notIds.includes(name) ? [] : [id])),
    `https://wiki.example/${objects["project"]}`,
  ]);
  return {
    names: [...new Set([...names, "Home of", "partner", "second", "caller", "osprey", "+4179", "admin"])],
    ids: [...new Set(ids)],
  };
}

const notIds = ["publicKey", "host", "userCode"];

/** Callers of whom it is known which kinds of things they find. */
const known = ["IAM_OWNER", "ORG_OWNER", "PROJECT_GRANT_OWNER", "service account of the same organization"];

// The short version searches a sixteenth of the ids as each caller, always the same ones; and a text on one of the
// engines.
const textsFor = (
  { names, ids }: ReturnType<typeof textsOf>,
  { name: caller, index: number, engine }: { readonly name: string; readonly index: number; readonly engine: Engine },
): string[] =>
  [...names, ...ids.filter((_id, index) => isLong() || index % 16 === number % 16)].filter(
    (text) => known.includes(caller) || isTurnOf(engine, `${caller} ${text}`),
  );

/** Returns what a search as the principal finds otherwise than the lists. */
async function compare(
  server: TestServer,
  principal: Principal,
  { text, all }: { readonly text: string; readonly all: readonly Listed[] },
): Promise<{ readonly different: string[]; readonly kinds: string[] }> {
  const byId = /^[\d.]+$|[.]/.test(text) ? await readById(listAs(server, principal), text) : [];
  const shown = groupOf([...all.filter((each) => isFound(each, text)), ...byId]);
  const results = (await searchAs(server, principal, text)).map((result) =>
    // A grant has an id of its own, which version 2 does not list.
    result.kind === "PROJECT_GRANT"
      ? { ...result, id: `${result.projectId}/${result.grantedOrganizationId}`, isById: result.id === text }
      : result,
  );
  const found = groupOf(results.filter(({ isById }) => isById !== true));
  const kinds = [...new Set([...shown.keys(), ...found.keys()])];
  const different = kinds.flatMap((kind) => {
    const [expected = [], actual = []] = [shown.get(kind), found.get(kind)];
    const isSame = expected.length > 8 ? actual.length === 8 : actual.length === expected.length;
    if (isSame && actual.every((id) => expected.includes(id))) return [];
    return [`${principal.name}, ${text}, ${kind}: ${actual.join(", ")} instead of ${expected.join(", ")}`];
  });
  return { different, kinds: results.map(({ kind }) => kind) };
}

eachEngine((_open, engine) => {
  test("callers find what the lists show them, and nothing else", async (t) => {
    const fixtures = await makeMatrixFixtures(t, engine);
    const { server, tenants } = fixtures;
    const organizations = Object.values(tenants).map(({ objects }) => objects["organization"] ?? "");
    const texts = textsOf(fixtures);
    const kindsOf = new Map<string, Set<string>>();
    const complaints: string[] = [];
    const callers = fixtures.principals.filter(
      ({ token, isUnknown, position }) => token !== null && isUnknown !== true && position?.level !== "system",
    );
    await inParallel([...callers.entries()], async ([index, principal]) => {
      const all = await readLists(listAs(server, principal), organizations);
      const seen = new Set<string>();
      kindsOf.set(principal.name, seen);
      for (const text of textsFor(texts, { name: principal.name, index, engine })) {
        const { different, kinds } = await compare(server, principal, { text, all });
        complaints.push(...different);
        for (const kind of kinds) seen.add(kind);
      }
    });
    // Jobs cannot write either.
    const unexpected = server.errorLog.splice(0).filter((line) => !line.includes(frozenMessage));
    assert.deepEqual([...complaints, ...unexpected], []);
    const kinds = (name: string): string[] => [...(kindsOf.get(name) ?? [])].toSorted();
    const named = ["APPLICATION", "GROUP", "IDENTITY_PROVIDER", "ORGANIZATION", "PROJECT", "PROJECT_GRANT"];
    for (const kind of [...named, "SERVICE_ACCOUNT", "USER"]) {
      assert.ok(kinds("IAM_OWNER").includes(kind), `the owner of the instance finds no ${kind}`);
      assert.ok(kinds("ORG_OWNER").includes(kind), `the owner of the organization finds no ${kind}`);
    }
    assert.deepEqual(kinds("service account of the same organization"), ["SERVICE_ACCOUNT"], "nothing but itself");
    assert.ok(kinds("PROJECT_GRANT_OWNER").includes("PROJECT_GRANT"));
  });
});
