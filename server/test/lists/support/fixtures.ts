import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Method } from "../../../src/rpc/index.ts";
import { isLong } from "../../support/data/random.ts";
import type { Engine } from "../../support/databases/databases.ts";
import { type Template, templateOf } from "../../support/databases/templates.ts";
import { systemUser } from "../../support/people/system-user.ts";
import { type ServerFacts, startServer, startToFill, type TestServer } from "../../support/servers/server.ts";
import { firstLists } from "./first-lists.ts";
import type { Item, List } from "./list.ts";
import { lists as secondLists } from "./lists.ts";
import { makeMoreThings, type Things } from "./more-things.ts";
import { type Ask, makeThings } from "./things.ts";

/** Every list that comes in pages. */
export const lists: Readonly<Record<string, List>> = { ...secondLists, ...firstLists };

/** A server with something in each of its lists. */
export interface ListsFixtures {
  readonly server: TestServer;
  readonly things: Things;
  /** Whether one of many cases is tried: a part of them in the short version, another part on each engine. */
  takesPart(each: unknown, index: number, all: readonly unknown[]): boolean;
  /** The answer to a list request, whatever it is. */
  ask(method: string, given: object): ReturnType<TestServer["rest"]>;
  /** One page of a list: its rows and its total. */
  read(method: string, given: object): Promise<{ readonly rows: readonly Item[]; readonly total: number }>;
}

/** A server with something in each of its lists, and when the last of it was made. */
interface ListsFacts extends ServerFacts {
  readonly things: Things;
  readonly now: number;
}

function listsTemplate(engine: Engine): Promise<Template<ListsFacts>> {
  return templateOf({
    name: "lists",
    engine,
    fill: async (t, location) => {
      const { config, tokenFor } = systemUser(t);
      const server = await startToFill(t, location, { config });
      const askBy =
        (tokenOf: () => string): Ask =>
        async (method, body, { organization, token = tokenOf() } = {}) => {
          const headers = organization === undefined ? {} : { "x-service-orgid": organization };
          const answer = await server.rest("POST", `/service.${method}`, { body, token, headers });
          assert.equal(answer.status, 200, `${method} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
          return answer.body;
        };
      const asOwner = askBy(() => server.ownerToken);
      const few = await makeThings(
        server,
        asOwner,
        askBy(() => tokenFor(server)),
      );
      const things = await makeMoreThings({ ask: asOwner, clock: server.clock }, few);
      return { ownerToken: server.ownerToken, things, now: server.clock.now };
    },
  });
}

/** Starts a server that has something in each of its lists. */
export async function startLists(t: TestContext, engine: Engine): Promise<ListsFixtures> {
  const template = await listsTemplate(engine);
  const { things, now } = template.facts;
  const { config, tokenFor } = systemUser(t);
  const server = await startServer(t, { engine, config, template: async () => template });
  server.clock.now = now;
  const ask: ListsFixtures["ask"] = (method, given) => {
    const list = lists[method] ?? assert.fail(method);
    const organization = list.organization?.(things);
    return server.rest("POST", `/service.${method}`, {
      body: { ...list.request?.(things), ...(list.always && { queries: list.always }), ...given },
      token: list.isOfSystem ? tokenFor(server) : server.ownerToken,
      headers: organization === undefined ? {} : { "x-service-orgid": organization },
    });
  };
  const part = engine === "sqlite" ? 0 : 1;
  return {
    server,
    things,
    ask,
    takesPart: (_each, index, all) =>
      isLong() || (all.length < 10 ? index === 0 || index % 2 === part : index % 4 === part + 1),
    read: async (method, given) => {
      const { status, body } = await ask(method, given);
      assert.equal(status, 200, `${method} ${JSON.stringify(given)}: ${JSON.stringify(body)}`);
      const { totalResult = 0 } = body.pagination ?? body.details;
      return { rows: body[lists[method]?.rows ?? ""] ?? [], total: Number(totalResult) };
    },
  };
}

/** The lists of the contract that are built, by their names without the first word. */
export async function listMethodsOf({ app }: TestServer): Promise<readonly (Method & { readonly list: string })[]> {
  const found: (Method & { readonly list: string })[] = [];
  for (const method of app.methods.values()) {
    if (!/\/List/.test(method.name) || (await method.loadImplementation()) === undefined) continue;
    found.push({ ...method, list: method.name.replace(/^service\./, "") });
  }
  return found;
}
