/**
 * Writes api/src from proto/: messages and services by protoc-gen-es, then the tables of generate-methods.ts and the
 * descriptors of generate-descriptors.ts. `--check` writes nothing; it generates beside and fails when api/src is not
 * what proto/ says.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDescriptors } from "./generate-descriptors.ts";
import { writeMethodTables } from "./generate-methods.ts";

const root = join(import.meta.dirname, "..");
const generated = join(import.meta.dirname, "src");

async function generateInto(directory: string): Promise<void> {
  run("buf", ["generate", "--output", directory]);
  const image = run("buf", ["build", "--exclude-source-info", "--output", "-"]);
  await writeMethodTables(image, join(directory, "api/src"));
  writeDescriptors(run("buf", ["build", "--output", "-"]), join(directory, "api/src"));
}

function run(command: string, parameters: readonly string[]): Buffer {
  return execFileSync(join(root, "node_modules/.bin", command), parameters, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Names of files that differ between two directories, or exist in one of them only. */
function differences(left: string, right: string): readonly string[] {
  const [a, b] = [contents(left), contents(right)];
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name)).sort();
}

function contents(directory: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(directory.length + 1), readFileSync(path, "latin1")];
    }),
  );
}

if (process.argv.includes("--check")) {
  const directory = mkdtempSync(join(tmpdir(), "doorward-contract-"));
  try {
    await generateInto(directory);
    const stale = differences(generated, join(directory, "api/src"));
    if (stale.length > 0) {
      console.error(`api/src is not what proto/ says; run \`npm run contract:generate\`:\n  ${stale.join("\n  ")}`);
      process.exitCode = 1;
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
} else {
  await generateInto(root);
}
