// `npm run bench`: the product under load, beside npm's oidc-provider. See README.md.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Contender, startContenders } from "./contenders.ts";
import { measureLimits } from "./limits.ts";
import { type Figures, measure } from "./measure.ts";
import { type BenchOptions, readOptions, usage } from "./options.ts";
import { chooseCores } from "./process/cores.ts";
import { type Report, writeReport } from "./report.ts";

async function main(): Promise<void> {
  if (process.argv.includes("--help")) return console.log(usage);
  const options = readOptions(process.argv.slice(2));
  const cores = chooseCores();
  const contenders = await startContenders(options);
  try {
    const limits = await measureLimits();
    const figures: Figures[] = [];
    for (const scenario of options.scenarios) {
      if (process.stderr.isTTY) console.error(`${scenario} …`);
      figures.push(...(await measure(scenario, contenders.all, { options, cores })));
    }
    publish(toReport(options, contenders.all, { limits, figures, isPinned: cores.ofServers !== undefined }), options);
  } finally {
    await contenders.stop();
  }
}

function toReport(
  options: BenchOptions,
  contenders: readonly Contender[],
  found: Pick<Report, "limits" | "figures" | "isPinned">,
): Report {
  return {
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
    commit: commitName(),
    machine: `${availableParallelism()} × ${cpus()[0]?.model ?? process.arch}`,
    node: process.versions.node,
    connections: options.connections,
    rounds: options.rounds,
    seconds: options.seconds,
    withStatistics: options.withStatistics,
    start: contenders.map(({ name, start }) => ({ contender: name, ...start })),
    ...found,
  };
}

function commitName(): string {
  const git = (...rest: string[]): string => execFileSync("git", rest, { cwd: import.meta.dirname, encoding: "utf8" });
  try {
    const isChanged = git("status", "--porcelain").trim() !== "";
    return git("rev-parse", "--short", "HEAD").trim() + (isChanged ? " with changes" : "");
  } catch {
    return "unknown";
  }
}

function publish(report: Report, { isWritten }: BenchOptions): void {
  const page = writeReport(report);
  console.log(page);
  if (!isWritten) return;
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const name = `${report.date.replace(" ", "-").replace(":", "")}-${report.commit.split(" ")[0]}`;
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(join(folder, `${name}.md`), page);
}

await main();
