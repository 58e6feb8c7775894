import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";

/** What sources use of the contract. */
export interface Usage {
  /** Values that they import, by the path of the module: the part after `@doorward/api/`. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every word in them: a method whose name is none of these is not called. */
  readonly words: ReadonlySet<string>;
}

const statement = /import\s+(type\s+)?\{([^}]*)\}\s+from\s+"@doorward\/api\/([\w/]+)"/g;

/** Reads what the sources of a folder use of the contract. */
export async function readUsage(folder: string): Promise<Usage> {
  const imports = new Map<string, Set<string>>();
  const words = new Set<string>();
  for await (const name of glob("**/*.{ts,tsx}", { cwd: folder })) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, typeOnly, names = "", path = ""] of text.matchAll(statement)) {
      if (typeOnly !== undefined) continue;
      const values = imports.get(path) ?? new Set();
      imports.set(path, values);
      for (const each of names.split(",").map((part) => part.trim())) {
        if (each !== "" && !each.startsWith("type ")) values.add(each.split(" ")[0] as string);
      }
    }
    for (const [word] of text.matchAll(/\w+/g)) words.add(word);
  }
  return { imports, words };
}
