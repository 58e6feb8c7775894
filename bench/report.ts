import type { Contender, Readiness } from "./contenders.ts";
import type { Limits } from "./limits.ts";
import type { Figures } from "./measure.ts";
import type { ScenarioName } from "./scenario/scenario.ts";

/** Everything that a run found out. */
export interface Report {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Whether servers and their databases had one core, and the load another. */
  readonly isPinned: boolean;
  /** Whether PostgreSQL had statistics of its tables. */
  readonly withStatistics: boolean;
  readonly start: readonly (Contender["start"] & { readonly contender: string })[];
  readonly limits: Limits;
  readonly figures: readonly Figures[];
}

/** Operations per second and core that the design asks for on the embedded database; PostgreSQL: half. */
const targetsPerCore = ({ rs256, argon2id }: Limits): Readonly<Partial<Record<ScenarioName, number>>> => ({
  client_credentials: 10_000,
  client_credentials_jwt: 8_000,
  introspect: 16_000,
  introspect_jwt: 16_000,
  user_info: 16_000,
  // RSA signatures and password hashes have limits of their own.
  code_exchange: Math.min(5_000, rs256 * 0.9),
  code_exchange_es256: 5_000,
  refresh: Math.min(5_000, rs256 * 0.9),
  refresh_es256: 5_000,
  add_session: 10_000,
  password_login: argon2id * 0.8,
});

/** The report as a page. */
export function writeReport(report: Report): string {
  const { date, commit, machine, node, connections, rounds, seconds, limits } = report;
  const scenarios = [...new Set(report.figures.map(({ scenario }) => scenario))];
  return [
    `# ${date}, commit ${commit}`,
    "",
    `${machine}, Node ${node}. ${connections} connections, median of ${rounds} rounds of ${seconds} s, contenders in turn.`,
    report.isPinned
      ? "Servers and their databases share one core, and the load has another; *others* is the share of the first that neither had."
      : "Servers, databases and the load share all cores.",
    `PostgreSQL ${report.withStatistics ? "analyzed its tables before each scenario" : "never had statistics of its tables"}.`,
    "*CPU* is processor time of server and database together for 1,000 operations, in brackets that of the database. Ratios are",
    "against oidc-provider: how much of that it needs for what the product needs 1 for, and in brackets the rate of the product for its 1.",
    "",
    `One core here makes ${limits.rs256.toFixed(0)} signatures by RS256 a second, and ${limits.argon2id.toFixed(0)} hashes by Argon2id.`,
    "",
    ...startTable(report),
    ...scenarios.flatMap((scenario) => scenarioTable(report, scenario)),
  ].join("\n");
}

function startTable({ start }: Report): string[] {
  const words = (readiness: Readiness | undefined): string =>
    readiness === undefined
      ? ""
      : `${readiness.readyMilliseconds.toFixed(0)} (${readiness.readyCpuMilliseconds.toFixed(0)}) ms`;
  const rows = start.map(({ contender, empty, warm, idleMebibytes }) => [
    contender,
    words(empty),
    words(warm),
    `${idleMebibytes.toFixed(0)} MiB`,
  ]);
  return table(["start: ready after (CPU)", "empty", "warm, best of 3", "idle memory"], rows);
}

function scenarioTable({ figures, limits }: Report, scenario: ScenarioName): string[] {
  const of = figures.filter((each) => each.scenario === scenario);
  const peer = (engine: string | undefined): Figures | undefined =>
    of.find(({ contender }) => contender === `oidc-provider ${engine}`);
  const target = targetsPerCore(limits)[scenario];
  const rows = of.map((each) => [
    each.contender,
    each.databaseCpuPer1000 === undefined
      ? together(each).toFixed(3)
      : `${together(each).toFixed(3)} (${each.databaseCpuPer1000.toFixed(3)})`,
    ratioTo(peer(each.contender.split(" ").at(-1)), each),
    ratioTo(peer("memory"), each),
    each.rate.toFixed(0),
    each.p50.toFixed(1),
    each.p95.toFixed(1),
    each.p99.toFixed(1),
    each.others === undefined ? "" : `${(each.others * 100).toFixed(0)} %`,
    targetOf(each, target),
    each.rss.toFixed(0),
  ]);
  return table(
    [
      scenario,
      "CPU s / 1,000",
      "same engine",
      "in memory",
      "per s",
      "p50 ms",
      "p95 ms",
      "p99 ms",
      "others",
      "of target",
      "MiB",
    ],
    rows,
  );
}

const together = ({ cpuPer1000, databaseCpuPer1000 = 0 }: Figures): number => cpuPer1000 + databaseCpuPer1000;

function ratioTo(peer: Figures | undefined, figures: Figures): string {
  if (peer === undefined || figures.contender.startsWith("oidc-provider")) return "";
  return `${(together(peer) / together(figures)).toFixed(2)} × (${(figures.rate / peer.rate).toFixed(2)} ×)`;
}

const perCore = ({ cpuPer1000 }: Figures): number => 1000 / cpuPer1000;

function targetOf(figures: Figures, target: number | undefined): string {
  if (target === undefined || !figures.contender.startsWith("doorward")) return "";
  const isHalf = figures.contender === "doorward postgres" && figures.scenario !== "password_login";
  const wanted = isHalf ? target / 2 : target;
  return `${((perCore(figures) / wanted) * 100).toFixed(0)} %`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line), ""];
}
