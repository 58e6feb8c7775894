import { spawn } from "node:child_process";
import process from "node:process";

/** One part of a run: what came of it, how long it took, and what it printed. */
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
}

/** The steps that judge the sources without running them. Seconds, not minutes. */
export const checks: readonly Step[] = [
  {
    name: "format and lint",
    command: ["node", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
  },
  { name: "typed lint", command: ["node", "node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"] },
  { name: "types", command: ["node", "tools/types.ts"] },
  { name: "dependency rules", command: ["node", "tools/dependency/check.ts"] },
];

/** Runs a program to its end and keeps what it prints. */
export function runStep({ name, command: [program, ...parameters] }: Step): Promise<StepResult> {
  const { promise, resolve, reject } = Promise.withResolvers<StepResult>();
  const started = performance.now();
  const child = spawn(program === "node" ? process.execPath : program, parameters, {
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

/** Runs steps one after another, prints a line for each and everything that a failed one printed. */
export async function runSteps(steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    const result = await runStep(step);
    results.push(result);
    console.log(`${result.isOk ? "ok  " : "FAIL"} ${step.name} (${inSeconds(result.milliseconds)})`);
    if (!result.isOk) console.log(result.output.trimEnd());
  }
  return results;
}

/** Milliseconds as people read them: `3.2 s`. */
export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
