import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTypescript, { astToString } from "openapi-typescript";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

/**
 * Generates the types of a document with openapi-typescript, checks `program` against them (it imports them from
 * `./schema.js`), and returns what the program exports. What the compiler finds is thrown.
 */
export async function compileClient(document: object, program: string): Promise<Record<string, unknown>> {
  const directory = await mkdtemp(join(tmpdir(), "doorward-openapi-"));
  try {
    await symlink(packages, join(directory, "node_modules"));
    await writeFile(join(directory, "package.json"), '{"type":"module"}');
    await writeFile(join(directory, "schema.d.ts"), astToString(await openapiTypescript(document as never)));
    await writeFile(join(directory, "calls.ts"), program);
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--types", "node"];
    const compiler = join(packages, "@typescript/native/bin/tsc");
    await promisify(execFile)(process.execPath, [compiler, ...options, "calls.ts"], { cwd: directory }).catch(
      ({ stdout }: { stdout: string }) => {
        throw new Error(`the compiler refuses the program:\n${stdout}`);
      },
    );
    return (await import(join(directory, "calls.ts"))) as Record<string, unknown>;
  } finally {
    await rm(directory, { recursive: true });
  }
}
