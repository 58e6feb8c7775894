import { inSeconds } from "../step.ts";
import type { FileResult } from "./file-result.ts";

/** A suite that a quick run leaves to the others; `server/test/support` skips it with this reason. */
const leftToOthers = "left to npm test";

/** Ends the reason where the compiler or interpreter of another language is missing: clients that need it are extra. */
const isExtra = "which npm test does not install";

/** What the processors did in a run, in milliseconds of all of them together. */
export interface ProcessorUse {
  readonly database: number;
  readonly browser: number;
  /** Of all processes that the runner started, but for those two. */
  readonly started: number;
  /** Of everything on the machine. */
  readonly busy: number;
  readonly idle: number;
}

/** The result of a run. */
export interface Outcome {
  readonly parts: readonly string[];
  readonly steps: readonly { readonly isOk: boolean }[];
  readonly results: readonly FileResult[];
  readonly milliseconds: number;
  readonly processors: ProcessorUse;
  /** Nothing may be skipped, but for what is extra. */
  readonly isCi: boolean;
}

/** Prints totals of each part, what was skipped and which files failed. Returns the exit code. */
export function summarize({ parts, steps, results, milliseconds, processors, isCi }: Outcome): number {
  console.log("");
  for (const part of parts) {
    const ofPart = results.filter(({ file }) => file.startsWith(`${part}/`));
    if (ofPart.length > 0) console.log(`${part.padEnd(10)}${counts(ofPart)} (${ofPart.length} files, ${busy(ofPart)})`);
  }
  const skips = results.flatMap(({ file, skipped }) => skipped.map((name) => ({ file, name })));
  const left = skips.filter(({ name }) => name.endsWith(leftToOthers));
  const missing = skips.filter((skip) => !left.includes(skip));
  for (const { file, name } of missing) console.log(`skipped   ${file}: ${name}`);
  if (left.length > 0) console.log(`${left.length} suites on PostgreSQL are ${leftToOthers}`);
  for (const { file, failed } of results) if (failed > 0) console.log(`failed    ${file}`);
  const failedSteps = steps.filter(({ isOk }) => !isOk).length;
  const refused = isCi ? missing.filter(({ name }) => !name.endsWith(isExtra)) : [];
  const failed = sum(results, (result) => result.failed) + failedSteps + refused.length;
  const passed = sum(results, (result) => result.passed.length) + steps.length - failedSteps;
  if (refused.length > 0) console.log("with CI=true nothing may be skipped that can be installed");
  if (processors.busy > 0) console.log(`processors ${tellUse(processors, results)}`);
  console.log(`total time ${inSeconds(milliseconds)}`);
  console.log(`${passed} passed, ${failed} failed, ${missing.length - refused.length} skipped`);
  return failed === 0 ? 0 : 1;
}

/** One line for a file, and what it has to say when it failed. */
export function printFile({ file, passed, failed, skipped, milliseconds, report }: FileResult): void {
  const notRun = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
  console.log(`${failed > 0 ? "FAIL" : "ok  "} ${file}: ${passed.length} passed${notRun} (${inSeconds(milliseconds)})`);
  if (report !== "") console.log(report);
}

function counts(results: readonly FileResult[]): string {
  const passed = sum(results, (result) => result.passed.length);
  const failed = sum(results, (result) => result.failed);
  return `${passed} passed, ${failed} failed, ${sum(results, ({ skipped }) => skipped.length)} skipped`;
}

function busy(results: readonly FileResult[]): string {
  const wall = inSeconds(sum(results, (result) => result.milliseconds));
  return `${wall}, ${inSeconds(sum(results, (result) => result.cpuMilliseconds))} of CPU`;
}

function tellUse({ database, browser, started, busy, idle }: ProcessorUse, results: readonly FileResult[]): string {
  const files = sum(results, ({ cpuMilliseconds }) => cpuMilliseconds);
  const others = busy - started - database - browser;
  const uses = { files, PostgreSQL: database, Chromium: browser, "checks and starts": started - files, others, idle };
  return Object.entries(uses)
    .map(([name, used]) => `${name} ${inSeconds(Math.max(0, used))}`)
    .join(", ");
}

const sum = (list: readonly FileResult[], count: (result: FileResult) => number): number =>
  list.reduce((total, result) => total + count(result), 0);
