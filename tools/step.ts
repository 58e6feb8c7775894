import { spawn } from "node:child_process";
import process from "node:process";
import { listAllFiles } from "./files.ts";
import { fingerprint, fingerprintFiles, fingerprintRules, type Memory, openMemory } from "./memory.ts";

/** One part of a run: its result, duration and output. */
export interface StepResult {
  readonly name: string;
  readonly isOk: boolean;
  readonly milliseconds: number;
  readonly output: string;
}

export interface Step {
  readonly name: string;
  /** Program and arguments; `node` is the one that runs this. */
  readonly command: readonly [string, ...string[]];
  /**
   * Matches the paths of all files that decide the outcome, beside the installed packages. A step that succeeded is not
   * run again while these are what they were.
   */
  readonly judges?: RegExp;
}

const typedSources = /\.(?:[cm]?[jt]sx?|jsonc?)$|^\.[^/]+$/;

/** The steps that judge the sources without running them; the longest come first. */
export const checks: readonly Step[] = [
  {
    name: "typed lint",
    command: ["node", "node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"],
    judges: typedSources,
  },
  { name: "types", command: ["node", "tools/types.ts"], judges: typedSources },
  { name: "dependency rules", command: ["node", "tools/dependency/check.ts"] },
  { name: "format and lint", command: ["node", "tools/format.ts"] },
  { name: "conventions", command: ["node", "tools/conventions/check.ts"] },
  {
    name: "unused code and packages",
    command: ["node", "node_modules/knip/bin/knip.js", "--treat-config-hints-as-errors"],
    judges: /^(?!.*\.(?:md|proto|sql)$)/,
  },
];

async function runChangedStep(step: Step, root: string): Promise<StepResult & { readonly isKnown: boolean }> {
  const started = performance.now();
  const known = step.judges === undefined ? undefined : openStepMemory(step, step.judges, root);
  if (known?.memory.get(known.print) !== undefined) {
    return { name: step.name, isOk: true, milliseconds: performance.now() - started, output: "", isKnown: true };
  }
  const result = await runStep(step);
  if (result.isOk) known?.memory.keep(new Map([[known.print, ""]]));
  return { ...result, isKnown: false };
}

// Fingerprinted before the step runs: what changes while it runs is judged again by the next run.
function openStepMemory(
  { name, command }: Step,
  judges: RegExp,
  root: string,
): { readonly memory: Memory; readonly print: string } {
  const memory = openMemory(root, `step-${name.replaceAll(" ", "-")}`, fingerprintRules(root));
  const paths = listAllFiles(root).filter((path) => judges.test(path));
  return { memory, print: fingerprint([...command, fingerprintFiles(root, paths)]) };
}

// Most of what a check keeps is made at once: a larger space for new objects takes a seventh of its processor time
// away.
const memoryOptions = ["--max-semi-space-size=64"];

/** Runs a program to its end and keeps what it prints. */
function runStep({ name, command: [program, ...parameters] }: Step): Promise<StepResult> {
  const { promise, resolve, reject } = Promise.withResolvers<StepResult>();
  const started = performance.now();
  const isNode = program === "node";
  const child = spawn(isNode ? process.execPath : program, [...(isNode ? memoryOptions : []), ...parameters], {
    // The compiler and the typed lint are written in Go and end soon: collecting garbage takes a fifth of their time
    // and saves a tenth of their memory.
    env: { GOGC: "off", ...process.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.on("error", reject);
  child.on("close", (code) => {
    resolve({ name, isOk: code === 0, milliseconds: performance.now() - started, output });
  });
  return promise;
}

/**
 * Runs steps, one after another unless told how many at a time. Prints a line for each as it ends, and everything that
 * a failed one printed. Resolves with the results in the order of the steps.
 */
export async function runSteps(steps: readonly Step[], { concurrency = 1 } = {}): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const waiting = [...steps.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, step] = next;
      const result = await runChangedStep(step, process.cwd());
      results[index] = result;
      const time = result.isKnown ? "unchanged" : inSeconds(result.milliseconds);
      const line = `${result.isOk ? "ok  " : "FAIL"} ${step.name} (${time})`;
      console.log(result.isOk ? line : `${line}\n${result.output.trimEnd()}`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return results;
}

/** Milliseconds as people read them: `3.2 s`. */
export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
