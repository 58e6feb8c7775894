import type { KeyObject } from "node:crypto";
import type { OidcSetup, TestClient } from "../../support/oidc.ts";
import type { Chance } from "../../support/random.ts";
import type { TestApi } from "../../support/server.ts";

/** The server that is killed, and what was made on it once. */
export type Target = TestApi &
  OidcSetup & {
    /** A client whose access tokens are JWTs. */
    readonly jwtClient: TestClient;
    /** A session that may answer authorization requests; nobody writes to it. */
    readonly session: { readonly sessionId: string; readonly sessionToken: string };
    /** Of a service account without any role. */
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

/** The answer to a write never came: nobody knows whether it happened. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** One kind of writes, with its own account of what the server said. */
export interface Workload {
  readonly name: string;
  /** One write. Throws `Lost` when its answer did not come. */
  write(chance: Chance): Promise<void>;
  /**
   * Compares what the server has with what it said, and settles what was lost; tells what is wrong. `recent`: what was touched since the
   * last look, and a few others; `all`: everything, and afterwards the subjects are worn out.
   */
  check(chance: Chance, extent: "recent" | "all"): Promise<readonly string[]>;
}

/** Whatever comes of a request whose connection may be cut. A failure of the server is a mistake, never an answer. */
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

/** The body of an answer that has to be good. */
export async function goodAnswer<Answer extends { readonly status: number; readonly body: unknown }>(
  asking: Promise<Answer>,
): Promise<Answer["body"]> {
  const { status, body } = await answerOf(asking);
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

// What `fetch` says when nobody listens, and when the answer breaks off.
const isCut = (error: unknown): boolean =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);

/** Subjects of writes: while one is written to it is nobody else's, and stays in doubt when no answer comes. */
export interface Pool<Item> {
  /** Takes one for a write, when one is free. */
  take(chance: Chance): Item | undefined;
  /** Puts one back, or in, after its answer came. */
  giveBack(item: Item): void;
  /** One that is written to for the first time, so that it is looked at whatever comes of it. */
  doubt(item: Item): void;
  /** Takes what has to be looked at; what can be written to again is given back by whoever looked. */
  toCheck(chance: Chance, extent: "recent" | "all"): readonly Item[];
}

// Beside what was touched, so many of the others are looked at after each crash.
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
