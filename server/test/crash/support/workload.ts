import type { KeyObject } from "node:crypto";
import type { Chance } from "../../support/data/random.ts";
import type { OidcSetup, TestClient } from "../../support/oidc/oidc.ts";
import type { TestApi } from "../../support/servers/server.ts";

/** The server that is killed, and what was created on it once. */
export type Target = TestApi &
  OidcSetup & {
    /** A client with JWT access tokens. */
    readonly jwtClient: TestClient;
    /** A session that may answer authorization requests; it is never written to. */
    readonly session: { readonly sessionId: string; readonly sessionToken: string };
    /** Of a service account without a role. */
    readonly strangerToken: string;
    /** Service accounts, one of each format of access tokens. */
    readonly robots: readonly Robot[];
  };

/** A service account with a secret and a key. */
export interface Robot {
  readonly userId: string;
  readonly basic: { readonly authorization: string };
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** The answer to a write never came: it is unknown whether it happened. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** One kind of write, with its own account of what the server acknowledged. */
export interface Workload {
  readonly name: string;
  /** One write. Throws `Lost` when its answer did not come. */
  write(chance: Chance): Promise<void>;
  /**
   * Compares what the server has with what it acknowledged, and settles what was lost; returns what is wrong.
   * `recent`: what was touched since the
   * last look, and a few others; `all`: everything, and afterwards the subjects are worn out.
   */
  check(chance: Chance, extent: "recent" | "all"): Promise<readonly string[]>;
}

/** Returns the answer to a request that may be cut off. A failure of the server is an error, never an answer. */
export async function answerOf<Answer extends { readonly status: number; readonly body: unknown }>(
  asking: Promise<Answer>,
): Promise<Answer> {
  const answer = await asking.catch((error: unknown) => {
    if (isCut(error)) throw new Lost("the answer was lost", { cause: error });
    throw error;
  });
  if (answer.status >= 500) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Returns the body of an answer that has to succeed. */
export async function goodAnswer<Answer extends { readonly status: number; readonly body: unknown }>(
  asking: Promise<Answer>,
): Promise<Answer["body"]> {
  const { status, body } = await answerOf(asking);
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

// The errors of `fetch` when the port is closed, and when the answer breaks off.
const isCut = (error: unknown): boolean =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);

/** Subjects of writes: a subject has one writer at a time, and stays in doubt when no answer comes. */
export interface Pool<Item> {
  /** Takes a free one for a write, if any. */
  take(chance: Chance): Item | undefined;
  /** Puts one back, or in, after its answer came. */
  giveBack(item: Item): void;
  /** Adds one that is written to for the first time, so that it is checked whatever the outcome. */
  doubt(item: Item): void;
  /** Takes what has to be checked; the checker gives back what can be written to again. */
  toCheck(chance: Chance, extent: "recent" | "all"): readonly Item[];
}

// Besides what was touched, this many of the others are checked after each crash.
const othersPerCheck = 20;

export function createPool<Item extends object>(): Pool<Item> {
  const all = new Set<Item>();
  const touched = new Set<Item>();
  let free: Item[] = [];
  const doubt = (item: Item): void => {
    all.add(item);
    touched.add(item);
  };
  return {
    doubt,
    take: (chance) => {
      const item = takeAny(free, chance);
      if (item !== undefined) doubt(item);
      return item;
    },
    giveBack: (item) => {
      doubt(item);
      free.push(item);
    },
    toCheck: (chance, extent) => {
      const others = [...all].filter((item) => !touched.has(item));
      const chosen = extent === "all" ? others : Array.from({ length: othersPerCheck }, () => takeAny(others, chance));
      const list = new Set([...touched, ...chosen.filter((item) => item !== undefined)]);
      touched.clear();
      free = free.filter((item) => !list.has(item));
      return [...list];
    },
  };
}

function takeAny<Item>(list: Item[], chance: Chance): Item | undefined {
  const last = list.pop();
  if (last === undefined) return undefined;
  const index = chance.below(list.length + 1);
  if (index === list.length) return last;
  const item = list[index];
  list[index] = last;
  return item;
}

/** Runs so many at a time and gathers what they found. */
export async function gather<Item>(
  items: readonly Item[],
  look: (item: Item) => Promise<readonly string[]>,
): Promise<string[]> {
  const waiting = [...items];
  const found: string[] = [];
  const work = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) found.push(...(await look(item)));
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return found;
}
