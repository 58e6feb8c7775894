import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

/** Calls a function of a Python program by its name, with named arguments. Throws what it raised. */
// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
export type PythonProgram = (name: string, given?: object) => Promise<any>;

// That of the system, which has Debian's packages. Another has to have the libraries of the tests.
const python = process.env["DOORWARD_TEST_PYTHON"] ?? "/usr/bin/python3";

/** Why tests with a library of Python are skipped; `false` when they run. Under `CI=true` they run, and fail. */
export function reasonWithoutPython(module: string, debianPackage: string): string | false {
  if (process.env["CI"] === "true" || spawnSync(python, ["-c", `import ${module}`]).status === 0) return false;
  return `Python's ${module} is missing: apt-get install ${debianPackage}`;
}

/** Starts a program of this folder; it ends with the test, or when this process does. */
export function startPython(t: TestContext, program: string): PythonProgram {
  const child = spawn(python, ["-B", join(import.meta.dirname, program)], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => end(child));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (name, given = {}) => {
    child.stdin.write(`${JSON.stringify([name, given])}\n`);
    const { value: line, done } = await answers.next();
    assert.ok(done !== true, `${program} ended in ${name}`);
    const answer = JSON.parse(line) as { readonly value?: unknown; readonly error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.stdin?.end();
  await exited;
}
