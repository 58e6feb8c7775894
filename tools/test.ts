import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { listFiles } from "./files.ts";
import { preparePlace } from "./run/place.ts";
import { type FileResult, runTestFile } from "./run/test-file.ts";
import { checks, inSeconds, runSteps, type Step } from "./step.ts";

const usage = `npm test                     everything: checks, contract, tests of all workspaces
npm test -- PATH…            only the test files whose path has one of these in it, or begins with it when it ends in /
npm test -- --quick          tests alone, without the files that take long: browsers, crashes, models, races, matrices
npm test -- --jobs N PATH…   N files at a time (2)
npm test -- --long PATH…     the long version of suites that have one, one file at a time, with what they print
npm test -- --seed N PATH…   the random choices that N makes, as a failed test named it`;

const parts = ["server", "api", "login", "console", "tools", "e2e", "bench", "examples"];
/** What a quick run leaves out: programs of their own, and suites that ask for everything. */
const slow = [
  ...["e2e/", "tools/", "server/test/access/", "server/test/cli/", "server/test/crash/", "server/test/hostile/"],
  ...[
    "server/test/matrix/",
    "server/test/model/",
    "server/test/own-writes/",
    "server/test/races/",
    "server/test/bad-input/",
  ],
  ...["server/test/docs/", "server/test/tour/", "server/test/jobs/soak", "server/test/authorization/large-project"],
];
/** What looks at the clock as a person would: nothing else runs beside it. */
const alone = ["e2e/test/pages-speed.test.ts"];
const isCi = process.env["CI"] === "true";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    long: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    seed: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.long) process.env["DOORWARD_TEST_LONG"] = "true";
if (values.seed !== undefined) process.env["DOORWARD_TEST_SEED"] = values.seed;
if (values.help) console.log(usage);
else process.exitCode = await main(positionals, values.long ? 1 : Number(values.jobs));

async function main(wanted: readonly string[], jobs: number): Promise<number> {
  const started = performance.now();
  const steps = wanted.length === 0 && !values.quick ? await runSteps([...checks, ...contractChecks()]) : [];
  const files = listFiles(
    process.cwd(),
    parts.map((part) => `${part}/**/*.test.ts`),
  )
    .filter((file) => wanted.length === 0 || wanted.some((part) => matches(file, part)))
    .filter((file) => !values.quick || !slow.some((part) => file.startsWith(part)));
  if (files.length === 0) {
    console.error(`no test file matches ${wanted.join(", ")}`);
    return 1;
  }
  const place = await preparePlace(files);
  let results: FileResult[];
  try {
    results = await runFiles(files, jobs);
  } finally {
    await place.close();
  }
  return summarize(steps, results, performance.now() - started);
}

// `api/` is the folder at the top, `session` any file with that in its path.
function matches(file: string, part: string): boolean {
  return part.endsWith("/") ? file.startsWith(part) : file.includes(part);
}

/** The contract is judged by the script of its workspace, when there is one. */
function contractChecks(): Step[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  return "contract:check" in scripts
    ? [{ name: "contract", command: ["npm", "run", "--silent", "contract:check"] }]
    : [];
}

async function runFiles(files: readonly string[], jobs: number): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const work = async (waiting: string[]): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await runTestFile(next, { isLong: values.long });
      results.push(result);
      print(result);
    }
  };
  const together = files.filter((file) => !alone.includes(file));
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, () => work(together)));
  await work(files.filter((file) => alone.includes(file)));
  return results;
}

function print({ file, passed, failed, skipped, milliseconds, report }: FileResult): void {
  const notRun = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
  console.log(`${failed > 0 ? "FAIL" : "ok  "} ${file}: ${passed} passed${notRun} (${inSeconds(milliseconds)})`);
  if (report !== "") console.log(report);
}

function summarize(steps: { isOk: boolean }[], results: readonly FileResult[], milliseconds: number): number {
  const sum = (list: readonly FileResult[], count: (result: FileResult) => number): number =>
    list.reduce((total, result) => total + count(result), 0);
  console.log("");
  for (const part of parts) {
    const ofPart = results.filter(({ file }) => file.startsWith(`${part}/`));
    if (ofPart.length === 0) continue;
    const counts = `${sum(ofPart, ({ passed }) => passed)} passed, ${sum(ofPart, ({ failed }) => failed)} failed`;
    const busy = inSeconds(sum(ofPart, (result) => result.milliseconds));
    console.log(
      `${part.padEnd(10)}${counts}, ${sum(ofPart, ({ skipped }) => skipped.length)} skipped (${ofPart.length} files, ${busy})`,
    );
  }
  const skips = results.flatMap(({ file, skipped }) => skipped.map((name) => `${file}: ${name}`));
  for (const skip of skips) console.log(`skipped   ${skip}`);
  const failedFiles = results.filter(({ failed }) => failed > 0).map(({ file }) => file);
  for (const file of failedFiles) console.log(`failed    ${file}`);
  const failedSteps = steps.filter(({ isOk }) => !isOk).length;
  const failed = sum(results, (result) => result.failed) + failedSteps + (isCi ? skips.length : 0);
  const passed = sum(results, (result) => result.passed) + steps.length - failedSteps;
  if (isCi && skips.length > 0) console.log("with CI=true nothing may be skipped");
  console.log(`total time ${inSeconds(milliseconds)}`);
  console.log(`${passed} passed, ${failed} failed, ${isCi ? 0 : skips.length} skipped`);
  return failed === 0 ? 0 : 1;
}
