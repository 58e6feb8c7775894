import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PostgresServer } from "../../server/test/support/databases/postgres.ts";
import { cpuSeconds, cpuSecondsOfChildren } from "../process/usage.ts";
import { createApi } from "../product/api.ts";
import type { ConsoleCall } from "./console-call.ts";
import type { Prepared } from "./prepare.ts";

/** What a call cost. */
export interface Cost {
  readonly name: string;
  readonly isSearch: boolean;
  /** Milliseconds by the clock. */
  readonly p50: number;
  readonly p95: number;
  /** How many times longer than a trivial call, which was made in turn with it. */
  readonly ratio: number;
  /** Milliseconds of processor time of the server and its database, for each call. */
  readonly cpu: number;
}

/** A call that reads a constant: what each call costs at least, by its token, its transport and its audience. */
const trivial = "/service.admin.v1.AdminService/GetSupportedLanguages";

/** How often each call is made, on which server. */
interface Run {
  readonly repeats: number;
  readonly server: PostgresServer | undefined;
}

/** What a trivial call costs, by which the others are measured. */
export async function measureUnit({ product }: Prepared, { server }: Pick<Run, "server">): Promise<Cost> {
  const api = createApi(product.origin, product.ownerToken);
  const count = 200;
  for (let warm = 0; warm < 50; warm++) await api(trivial, {});
  const before = cpuSecondsOf(product.pid, server);
  const times: number[] = [];
  for (let made = 0; made < count; made++) times.push(await clock(() => api(trivial, {})));
  const cpu = ((cpuSecondsOf(product.pid, server) - before) * 1000) / count;
  return { name: "a trivial call", isSearch: false, ...summarize(times), ratio: 1, cpu };
}

/** Makes a call so many times as each of its callers, and a trivial one after each. */
export async function measureCall(
  { product, organizationOwner }: Prepared,
  call: ConsoleCall,
  { repeats, server, unit }: Run & { readonly unit: Cost },
): Promise<readonly Cost[]> {
  const owner = createApi(product.origin, product.ownerToken);
  const callers = [
    ["", product.ownerToken],
    [" (owner of an organization)", organizationOwner],
  ] as const;
  const costs: Cost[] = [];
  for (const [caller, token] of call.isOfOwners === true ? callers : callers.slice(0, 1)) {
    const api = createApi(product.origin, token, call.organizationId);
    const run = (): Promise<unknown> => api(`/${call.method}`, call.body);
    for (let warm = 0; warm < 2; warm++) await run();
    const times: number[] = [];
    const trivials: number[] = [];
    const before = cpuSecondsOf(product.pid, server);
    for (let count = 0; count < repeats; count++) {
      times.push(await clock(run));
      trivials.push(await clock(() => owner(trivial, {})));
    }
    const used = ((cpuSecondsOf(product.pid, server) - before) * 1000) / repeats - unit.cpu;
    const { p50, p95 } = summarize(times);
    const ratio = p50 / summarize(trivials).p50;
    costs.push({
      name: `${call.name}${caller}`,
      isSearch: call.isSearch === true,
      p50,
      p95,
      ratio,
      cpu: Math.max(0, used),
    });
  }
  return costs;
}

/** Processor time of the product and its database. */
const cpuSecondsOf = (pid: number, server: PostgresServer | undefined): number =>
  cpuSeconds(pid) + (server === undefined ? 0 : cpuOf(server));

/** Processor time of a server and its backends, those that ended too. */
function cpuOf({ directory }: PostgresServer): number {
  const pid = Number(readFileSync(join(directory, "data/postmaster.pid"), "utf8").split("\n", 1)[0]);
  return cpuSecondsOfChildren(pid);
}

async function clock(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function summarize(taken: readonly number[]): { readonly p50: number; readonly p95: number } {
  const sorted = taken.toSorted((a, b) => a - b);
  // The nearest rank.
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
