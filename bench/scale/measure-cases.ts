import { existsSync, readFileSync } from "node:fs";
import { createApi } from "../product/api.ts";
import type { StartedProduct } from "../product/start-product.ts";
import { type Case, casesOf } from "./cases.ts";
import type { Where } from "./fill.ts";
import { personOf } from "./people.ts";

/** Milliseconds by the clock, of one case at one size. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What was measured of one database. */
export interface Measured {
  readonly times: ReadonlyMap<string, Times>;
  /** Share of the calls that took longer because something else ran on this machine's processors. */
  readonly disturbed: number;
}

/**
 * Calls each case so many times, one call after another. Calls from which the host of this machine took processor time
 * do not count and are made again, until there are ten times as many: then all count.
 */
export async function measureCases(
  product: StartedProduct,
  where: Where,
  size: number,
  repeats: number,
): Promise<Measured> {
  const api = createApi(product.origin, product.ownerToken);
  const times = new Map<string, Times>();
  const all: Clocked[] = [];
  for (const each of [...casesOf(where, size), ...writesOf(where)]) {
    const answer = await api(each.path, bodyOf(each));
    if ("body" in each && isEmpty(answer)) throw new Error(`${each.name} finds nothing, so it would measure nothing`);
    const wanted = "growsWithSize" in each ? Math.ceil(repeats / 10) : repeats;
    const calls: Clocked[] = [];
    while (undisturbed(calls).length < wanted && calls.length < 10 * wanted) {
      const body = bodyOf(each);
      calls.push(await clock(() => api(each.path, body)));
    }
    times.set(
      each.name,
      summarize((undisturbed(calls).length < wanted ? calls : undisturbed(calls)).map(({ ms }) => ms)),
    );
    all.push(...calls);
  }
  return { times, disturbed: 1 - undisturbed(all).length / all.length };
}

interface Clocked {
  readonly ms: number;
  readonly isDisturbed: boolean;
}

const undisturbed = (calls: readonly Clocked[]): readonly Clocked[] => calls.filter(({ isDisturbed }) => !isDisturbed);

async function clock(run: () => Promise<unknown>): Promise<Clocked> {
  const before = stolen();
  const started = performance.now();
  await run();
  return { ms: performance.now() - started, isDisturbed: stolen() > before };
}

/**
 * Returns the hundredths of a second that the host took from this machine since boot (`steal` of proc_stat(5)), or 0.
 */
function stolen(): number {
  const file = "/proc/stat";
  return existsSync(file) ? Number(/^cpu +(?:\d+ +){7}(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0) : 0;
}

const isEmpty = (answer: object): boolean =>
  !Object.values(answer).some((member) => Array.isArray(member) && member.length > 0);

interface Write extends Omit<Case, "body"> {
  readonly makeBody: () => object;
}

const bodyOf = (each: Case | Write): object => ("makeBody" in each ? each.makeBody() : each.body);

/** Writes, each to rows that earlier calls left alone. */
function writesOf({ organizationId, projectId }: Where): Write[] {
  const machine = counter(Date.now());
  const withoutRole = counter(0);
  const changed = counter(0);
  const service = "/service.user.v2.UserService";
  return [
    {
      name: "a user is added",
      path: `${service}/CreateUser`,
      makeBody: () => ({ organizationId, username: `machine${machine()}`, machine: { name: "machine" } }),
    },
    {
      name: "a role is assigned",
      path: "/service.authorization.v2.AuthorizationService/CreateAuthorization",
      makeBody: () => {
        // Every tenth has a role already.
        const number = withoutRole();
        const { userId } = personOf(number + Math.floor(number / 9) + 1);
        return { userId, projectId, organizationId, roleKeys: ["reader"] };
      },
    },
    {
      name: "a user is changed",
      path: `${service}/UpdateUser`,
      makeBody: () => {
        const number = changed();
        const { userId, familyName } = personOf(number);
        return { userId, human: { profile: { givenName: `Changed${number}`, familyName } } };
      },
    },
  ];
}

function counter(first: number): () => number {
  let next = first;
  return () => next++;
}

function summarize(taken: number[]): Times {
  const sorted = taken.sort((a, b) => a - b);
  // The nearest rank: of 100 calls, p99 is the slowest but one.
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
