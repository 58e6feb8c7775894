import assert from "node:assert/strict";
import type { Ending, Engine } from "../databases/databases.ts";
import { type Template, templateOf } from "../databases/templates.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../people/system-user.ts";
import type { Start } from "./each-server.ts";
import { recordedEvents } from "./recorded-events.ts";
import { type RestAnswer, type ServerFacts, startToFill, type TestServer } from "./server.ts";

export const management = "service.management.v1.ManagementService";

/**
 * A server, the organization that calls are about, and two strangers: the owner of another organization, and of another
 * instance.
 */
export interface Managed {
  readonly server: TestServer;
  /** The organization of the calls. */
  readonly home: string;
  /** Another organization, and its owner. */
  readonly other: string;
  readonly otherOwner: string;
  /** The owner of another instance of the same server. */
  readonly otherInstanceOwner: string;
  /** Calls a method of the first generation that must succeed. */
  v1(method: string, request: object, headers?: Readonly<Record<string, string>>): Promise<RestAnswer["body"]>;
  /** Calls a method that must succeed, by its whole name. */
  call(method: string, request: object): Promise<RestAnswer["body"]>;
}

/** What is to be known of strangers that were made before. */
type Strangers = Pick<Managed, "home" | "other" | "otherOwner" | "otherInstanceOwner">;

/** Starts a server with strangers on it. */
export async function startManaged(t: Ending, start: Start): Promise<Managed> {
  let strangers: Strangers | undefined;
  const template = async (engine: Engine) => {
    const made = await managedTemplate(engine);
    strangers = made.facts;
    return made;
  };
  const { config } = systemUser(t);
  const server = await start(t, { config, template });
  assert.ok(strangers, "the server was started on another database");
  const call: Managed["call"] = async (method, request) => succeeded(method, await server.connect(method, request));
  return {
    server,
    ...strangers,
    call,
    v1: async (method, request, headers = {}) =>
      succeeded(method, await server.connect(`${management}/${method}`, request, { headers })),
  };
}

function managedTemplate(engine: Engine): Promise<Template<ServerFacts & Strangers>> {
  return templateOf({
    name: "managed",
    engine,
    fill: async (t, location) => {
      const { config, tokenFor } = systemUser(t);
      const server = await startToFill(t, location, { config });
      const other = await addOrganization(server, "Other");
      const eve = await addPerson(server, { username: "eve", organizationId: other });
      await appoint(server, eve, { organizationId: other }, ["ORG_OWNER"]);
      return {
        ownerToken: server.ownerToken,
        home: await defaultOrganization(server),
        other,
        otherOwner: (await sessionOf(server, eve)).token,
        otherInstanceOwner: (await createSecondInstance(server, tokenFor(server))).pat,
      };
    },
  });
}

function succeeded(method: string, { status, body }: RestAnswer) {
  assert.equal(status, 200, `${method} ${JSON.stringify(body)}`);
  return body;
}

/** A method of the first generation, and what is to be said of it. */
export interface Deed {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Fields of the request that name things which only some can see: with another value nothing is there. */
  readonly names: readonly string[];
  /** Reads by the second generation what the method did. */
  readonly effect?: () => Promise<unknown>;
  readonly expected?: unknown;
  /** The same once more: the same answer without an event, or the id of a refusal, or nothing that could be said. */
  readonly again: "same" | "differs" | { readonly refused: string };
}

/**
 * Asks for a deed in each case in which it must be refused, then does it, and does it again. The cases are things that
 * are not there, the owner of another organization, with and without naming the organization, and the owner of another
 * instance. Tells what it answered.
 */
export async function perform(managed: Managed, deed: Deed): Promise<RestAnswer["body"]> {
  const { server } = managed;
  const { method, request } = deed;
  const name = `${management}/${method}`;
  const before = (await recordedEvents(server)).length;
  await refuseStrangers(managed, deed);
  assert.equal((await recordedEvents(server)).length, before, `${method} changed something for a stranger`);

  const body = await managed.v1(method, request);
  if (deed.effect !== undefined) assert.deepEqual(await deed.effect(), deed.expected, method);
  const after = (await recordedEvents(server)).length;
  const { status, body: repeated } = await server.connect(name, request);
  if (deed.again === "same") {
    assert.deepEqual([status, withoutView(repeated)], [200, withoutView(body)], `${method} again`);
  } else if (deed.again !== "differs") {
    assert.equal(errorId(repeated), deed.again.refused, `${method} again: ${JSON.stringify(repeated)}`);
  }
  if (deed.again !== "differs") assert.equal((await recordedEvents(server)).length, after, `${method} again`);
  return body;
}

async function refuseStrangers(managed: Managed, { method, request, names }: Deed): Promise<void> {
  const { server, home, otherOwner, otherInstanceOwner } = managed;
  const name = `${management}/${method}`;
  for (const field of names) {
    const absent = await server.connect(name, { ...request, [field]: "404" });
    assert.equal(absent.status, 404, `${method} with another ${field}: ${JSON.stringify(absent.body)}`);
  }
  if (names.length > 0) {
    const [first = ""] = names;
    const nowhere = await server.connect(name, { ...request, [first]: "404" }, { token: otherOwner });
    const hidden = await server.connect(name, request, { token: otherOwner });
    assert.deepEqual([hidden.status, hidden.body], [nowhere.status, nowhere.body], method);
    assert.ok([403, 404].includes(hidden.status), `${method} for a stranger: ${hidden.status}`);
    const elsewhere = await server.byHost(secondHost, "POST", `/${name}`, { token: otherInstanceOwner, body: request });
    assert.equal(elsewhere.status, 404, `${method} from another instance: ${JSON.stringify(elsewhere.body)}`);
  }
  const named = await server.connect(name, request, { token: otherOwner, headers: { "x-service-orgid": home } });
  assert.equal(named.status, 403, `${method} in an organization of others`);
  assert.equal((await server.connect(name, request, { token: otherInstanceOwner })).status, 401);
}

/** The id of a refusal. */
export const errorId = (body: RestAnswer["body"]): string => body.details?.[0]?.debug?.id ?? JSON.stringify(body);

const withoutView = (body: RestAnswer["body"]): unknown => ({
  ...body,
  ...(body.details?.viewTimestamp !== undefined && { details: { ...body.details, viewTimestamp: "" } }),
});

/** Sends a list request with each of the queries, and compares what is found by name. */
export async function expectFound(
  list: (request: object) => Promise<RestAnswer["body"]>,
  nameOf: (record: RestAnswer["body"]) => string,
  cases: readonly (readonly [queries: readonly object[], names: readonly string[]])[],
): Promise<void> {
  for (const [queries, names] of cases) {
    const { details, result = [] } = await list({ query: { asc: true }, queries });
    assert.deepEqual(result.map(nameOf).sort(), [...names].sort(), JSON.stringify(queries));
    assert.equal(Number(details.totalResult ?? 0), names.length, JSON.stringify(queries));
  }
}
