import type { Contender } from "./contenders.ts";
import { makeLoad } from "./load/make-load.ts";
import type { BenchOptions } from "./options.ts";
import { busySeconds, type Cores } from "./process/cores.ts";
import { cpuSeconds, cpuSecondsOfChildren, rssMebibytes } from "./process/usage.ts";
import type { ScenarioName } from "./scenario/scenario.ts";
import { hasScenario } from "./scenario/scenarios.ts";

/**
 * One contender in one scenario: medians over the rounds, and the lowest processor time, because others only add to it.
 */
export interface Figures {
  readonly contender: string;
  readonly scenario: ScenarioName;
  /** Operations answered per second, client and server on the same machine. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Seconds of the server's processor time for 1,000 operations, of all its threads. */
  readonly cpuPer1000: number;
  /** The same for the PostgreSQL server behind it. */
  readonly databaseCpuPer1000: number | undefined;
  /** Share of their core that others had, 0 to 1; undefined when they are not pinned to one. */
  readonly others: number | undefined;
  /** Memory of the server after the run, in MiB. */
  readonly rss: number;
}

/** Runs a scenario on every contender that has it, in turn, several rounds: disturbances of the machine affect all. */
export async function measure(
  scenario: ScenarioName,
  contenders: readonly Contender[],
  { options, cores }: { readonly options: BenchOptions; readonly cores: Cores },
): Promise<Figures[]> {
  const able = contenders.filter(({ target }) => hasScenario(target.kind, scenario));
  const rounds = new Map<Contender, Figures[]>(able.map((contender) => [contender, []]));
  for (const { pid, databasePid, analyze } of able) {
    if (options.withStatistics) await analyze?.();
    for (const server of [pid, databasePid]) if (server !== undefined) cores.pinServer(server);
  }
  for (let round = 0; round < options.rounds; round++) {
    // Another contender is first in each round: the order makes a difference of up to 15 %.
    const first = round % Math.max(able.length, 1);
    for (const contender of [...able.slice(first), ...able.slice(0, first)]) {
      rounds.get(contender)?.push(await measureOnce({ scenario, contender, options, cores, round }));
    }
  }
  return [...rounds.values()].map(summarize);
}

interface Round {
  readonly scenario: ScenarioName;
  readonly contender: Contender;
  readonly options: BenchOptions;
  readonly cores: Cores;
  readonly round: number;
}

async function measureOnce({ scenario, contender, options, cores, round }: Round): Promise<Figures> {
  const { pid, databasePid } = contender;
  const look = () => ({
    own: cpuSeconds(pid),
    database: databasePid === undefined ? undefined : cpuSecondsOfChildren(databasePid),
    busy: cores.ofServers === undefined ? undefined : busySeconds(cores.ofServers),
  });
  let before = look();
  let after = before;
  const order = {
    port: contender.target.port,
    connections: options.connections,
    warmUpSeconds: options.warmUpSeconds,
    // The first round also runs code that was never optimized.
    warmUpOperations:
      round === 0 ? Math.min(options.warmUpOperations, mostWarmUp[scenario] ?? Number.POSITIVE_INFINITY) : 0,
    seconds: options.seconds,
    mostPerSecond: mostPerSecond[scenario] ?? 0,
  };
  const marks = {
    begin: () => {
      before = look();
    },
    end: () => {
      after = look();
    },
  };
  const result = await makeLoad(order, scenario, contender.target, marks, cores.pinLoad);
  const own = after.own - before.own;
  const database =
    after.database === undefined || before.database === undefined ? undefined : after.database - before.database;
  const busy = after.busy === undefined || before.busy === undefined ? undefined : after.busy - before.busy;
  const per1000 = (seconds: number): number => (seconds / result.operations) * 1000;
  return {
    contender: contender.name,
    scenario,
    rate: result.operations / result.seconds,
    p50: result.p50,
    p95: result.p95,
    p99: result.p99,
    cpuPer1000: per1000(own),
    databaseCpuPer1000: database === undefined ? undefined : per1000(database),
    others: busy === undefined ? undefined : Math.max(0, (busy - own - (database ?? 0)) / result.seconds),
    rss: rssMebibytes(pid),
  };
}

// Where each request works once, this many are prepared for each second. A faster server ends the round early.
const mostPerSecond: Partial<Record<ScenarioName, number>> = {
  code_exchange: 1_000,
  code_exchange_es256: 1_000,
  jwt_profile: 1_000,
  device_code: 500,
  client_credentials_dpop: 2_000,
  user_info_dpop: 3_000,
};
// Scenarios that are costly to prepare, or slow by design.
const mostWarmUp: typeof mostPerSecond = {
  code_exchange: 1_000,
  code_exchange_es256: 1_000,
  jwt_profile: 1_000,
  device_code: 500,
  client_credentials_dpop: 1_000,
  user_info_dpop: 1_000,
  password_login: 0,
};

function summarize(rounds: readonly Figures[]): Figures {
  const [first] = rounds;
  if (first === undefined) throw new Error("no rounds");
  const of = (value: (figures: Figures) => number): number => {
    const sorted = rounds.map(value).sort((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  };
  const least = (value: (figures: Figures) => number): number => Math.min(...rounds.map(value));
  return {
    contender: first.contender,
    scenario: first.scenario,
    rate: of(({ rate }) => rate),
    p50: of(({ p50 }) => p50),
    p95: of(({ p95 }) => p95),
    p99: of(({ p99 }) => p99),
    cpuPer1000: least(({ cpuPer1000 }) => cpuPer1000),
    databaseCpuPer1000:
      first.databaseCpuPer1000 === undefined ? undefined : least((each) => each.databaseCpuPer1000 ?? 0),
    others: first.others === undefined ? undefined : of(({ others }) => others ?? 0),
    rss: of(({ rss }) => rss),
  };
}
