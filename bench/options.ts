import { parseArgs } from "node:util";
import { type ScenarioName, scenarioNames } from "./scenario/scenario.ts";

const engines = ["sqlite", "postgres"] as const;
export type Engine = (typeof engines)[number];

export interface BenchOptions {
  readonly scenarios: readonly ScenarioName[];
  readonly engines: readonly Engine[];
  /** Whether oidc-provider runs beside the product. */
  readonly withPeers: boolean;
  /** Another checkout; its product takes part as well. */
  readonly baseline: string | undefined;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Seconds of warming up before the first round of a scenario. */
  readonly warmUpOperations: number;
  /**
   * Whether PostgreSQL knows what is in its tables (`analyze` before each scenario). Without, it never does, as in the
   * first minutes.
   */
  readonly withStatistics: boolean;
  /** Whether the product also takes part with a database on PostgreSQL that nothing but the product analyzes. */
  readonly withFirstDay: boolean;
  /** Seconds and no files: only that everything works. */
  readonly isQuick: boolean;
  readonly isWritten: boolean;
}

export const usage = `npm run bench -- [options]
  --scenarios a,b     only these: ${scenarioNames.join(", ")}
  --engines a,b       sqlite, postgres (default both)
  --no-peers          leave oidc-provider out
  --baseline dir      the product of another checkout takes part as well (before and after a change)
  --connections n     kept connections, each with one request at a time (default 32)
  --rounds n          rounds of each scenario, in turn with the peers (default 3)
  --seconds n         of the timed part of a round (default 1.5)
  --no-analyze        PostgreSQL never has statistics, as in the first minutes of an instance
  --first-day         the product takes part with such a database as well, in turn with the analyzed one
  --quick             seconds in all, SQLite only: fails when something does not work, says nothing about speed
  --no-write          print only, leave bench/results/ as it is`;

/** Reads the command line. Throws for unknown options. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    allowNegative: true,
    options: {
      scenarios: { type: "string" },
      engines: { type: "string" },
      peers: { type: "boolean", default: true },
      baseline: { type: "string" },
      connections: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      analyze: { type: "boolean", default: true },
      "first-day": { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: true },
    },
  });
  const isQuick = values.quick;
  return {
    scenarios: choose(values.scenarios, scenarioNames),
    engines: isQuick && values.engines === undefined ? ["sqlite"] : choose(values.engines, engines),
    withPeers: values.peers,
    baseline: values.baseline,
    connections: positive(values.connections, isQuick ? 8 : 32),
    rounds: positive(values.rounds, isQuick ? 1 : 3),
    seconds: positive(values.seconds, isQuick ? 0.2 : 1.5),
    warmUpSeconds: isQuick ? 0.1 : 0.5,
    warmUpOperations: isQuick ? 0 : 5_000,
    withStatistics: values.analyze,
    withFirstDay: values["first-day"],
    isQuick,
    isWritten: values.write && !isQuick,
  };
}

function choose<Name extends string>(text: string | undefined, known: readonly Name[]): readonly Name[] {
  if (text === undefined) return known;
  return text.split(",").map((name) => {
    const found = known.find((candidate) => candidate === name);
    if (found === undefined) throw new Error(`${name} is none of ${known.join(", ")}`);
    return found;
  });
}

function positive(text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (!(value > 0)) throw new Error(`${text} is not a positive number`);
  return value;
}
