import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { listFiles } from "./files.ts";
import type { FileResult } from "./run/file-result.ts";
import { groupFiles, reasonForOwnProcess, type TestGroup } from "./run/groups.ts";
import { timeOf, timeOfMachine } from "./run/processor-time.ts";
import { runGroup } from "./run/run-group.ts";
import { prepareSharedResources, type SharedResources } from "./run/shared-resources.ts";
import { type ProcessorUse, printFile, summarize } from "./run/summary.ts";
import { type Tier, tiersOf } from "./run/tiers.ts";
import { keepTimes, readLastTimes, readRecordedTimes, recordTimes } from "./run/times.ts";
import { checks, runSteps, type Step, type StepResult } from "./step.ts";

const usage = `npm test                     checks, contract, and what people and protocols see; both engines, browser, foreign clients
npm run test:quick           rules and HTTP on SQLite
npm run test:long            every method for every kind of caller, every filter of every list, hostile input, crashes, models, galleries, soak
npm test -- PATH…            only the test files whose path has one of these in it, or begins with it when it ends in /
npm test -- --jobs N PATH…   N processes at a time (two more than there are processors)
npm test -- --whole PATH…    all of suites that usually take a part, one process at a time, with what they print
npm test -- --seed N PATH…   the random choices that N makes, as a failed test named it
npm test -- --report FILE    writes what came of each file, with the names of its tests, as JSON
npm test -- --record         writes the times of long files to tools/run/times.json`;

const parts = ["server", "api", "login", "console", "tools", "e2e", "bench", "examples"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // Two more than processors: while tests wait for databases, browsers and other processes, a processor would be
    // idle.
    jobs: { type: "string", default: String(availableParallelism() + 2) },
    tier: { type: "string", default: "standard" },
    whole: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    report: { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.whole) process.env["DOORWARD_TEST_WHOLE"] = "true";
if (values.seed !== undefined) process.env["DOORWARD_TEST_SEED"] = values.seed;
if (values.tier === "quick") process.env["DOORWARD_TEST_ENGINES"] = "sqlite";
if (values.help) console.log(usage);
else process.exitCode = await main(positionals, values.whole ? 1 : Number(values.jobs));

async function main(wanted: readonly string[], jobs: number): Promise<number> {
  const started = performance.now();
  const machine = timeOfMachine();
  const files = wantedFiles(wanted, values.tier as Tier);
  if (files.length === 0) {
    console.error(`no test file matches ${wanted.join(", ")}`);
    return 1;
  }
  const steps = wanted.length === 0 && values.tier === "standard" ? [...checks, ...contractChecks()] : [];
  const shared = await prepareSharedResources(files);
  const stepResults: StepResult[] = [];
  const results: FileResult[] = [];
  let shares = shared.used();
  try {
    const work = [
      ...steps.map((step) => async () => void stepResults.push(...(await runSteps([step])))),
      ...groupsOf(files)
        .filter(({ isAlone }) => !isAlone)
        .map((group) => () => runTests(group, results)),
    ];
    await inParallel(work, jobs);
    for (const group of groupsOf(files).filter(({ isAlone }) => isAlone)) await runTests(group, results);
    shares = shared.used();
  } finally {
    await shared.close();
  }
  keepTimes(results);
  if (values.record) recordTimes(results);
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(results, undefined, 1));
  const isCi = process.env["CI"] === "true";
  const milliseconds = performance.now() - started;
  return summarize({ parts, steps: stepResults, results, milliseconds, processors: useSince(machine, shares), isCi });
}

function useSince(before: ReturnType<typeof timeOfMachine>, shares: ReturnType<SharedResources["used"]>): ProcessorUse {
  const { busy, idle } = timeOfMachine();
  // What the files shared has ended as well.
  const started = timeOf("self").ended - shares.database - shares.browser;
  return { ...shares, started, busy: busy - before.busy, idle: idle - before.idle };
}

function wantedFiles(wanted: readonly string[], tier: Tier): string[] {
  const files = listFiles(
    process.cwd(),
    parts.map((part) => `${part}/**/*.test.ts`),
  );
  if (wanted.length === 0) return files.filter((file) => tiersOf(file).includes(tier));
  return files.filter((file) => wanted.some((part) => matches(file, part)));
}

// `api/` is the folder at the top, `session` any file with that in its path.
function matches(file: string, part: string): boolean {
  return part.endsWith("/") ? file.startsWith(part) : file.includes(part);
}

function groupsOf(files: readonly string[]): TestGroup[] {
  const last = readLastTimes();
  return groupFiles(
    files.map((path) => ({
      path,
      ownProcess: reasonForOwnProcess(readFileSync(path, "utf8")),
      lastTime: last.get(path),
    })),
    readRecordedTimes(),
  );
}

async function runTests(group: TestGroup, results: FileResult[]): Promise<void> {
  results.push(...(await runGroup(group, { isWhole: values.whole, onFile: printFile })));
}

/** The contract, where there is one. Its types are those of the program at the root, which the checks judge. */
function contractChecks(): Step[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  return "contract:sources" in scripts
    ? [{ name: "contract", command: ["npm", "run", "--silent", "contract:sources"] }]
    : [];
}

async function inParallel(work: readonly (() => Promise<void>)[], jobs: number): Promise<void> {
  const waiting = [...work];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker));
}
