import { globSync } from "node:fs";

const ignored = new Set(["node_modules", "dist", ".doorward", "coverage", ".git"]);

/** Paths below `root` (with `/`) that match a glob, in order; nothing of node_modules or built files. */
export function listFiles(root: string, glob: string | string[]): string[] {
  return globSync(glob, { cwd: root, exclude: (name) => ignored.has(name.split("/").at(-1) ?? name) })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}
