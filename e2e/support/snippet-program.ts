import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Ending } from "../../server/test/support/databases/databases.ts";
import { fetch } from "../../server/test/support/http/fetch.ts";

/** Runs code that the console shows for a program, with the variables beside it, until the program answers. */
export async function runSnippet(t: Ending, code: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const program = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { PATH: process.env["PATH"], ...variables },
    stdio: ["ignore", "inherit", "inherit"],
  });
  t.after(async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
  });
  const deadline = performance.now() + 15_000;
  for (;;) {
    assert.equal(program.exitCode, null, "the program ended");
    try {
      await fetch(new URL("/login", variables["DOORWARD_REDIRECT_URI"]), { redirect: "manual" });
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((wait) => setTimeout(wait, 50));
    }
  }
}
