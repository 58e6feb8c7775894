import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ignored = new Set(["node_modules", "dist", ".doorward", "coverage", ".git"]);

/** Paths below `root` (with `/`) that match a glob, in order; nothing of node_modules or built files. */
export function listFiles(root: string, glob: string | string[]): string[] {
  return globSync(glob, { cwd: root, exclude: (name) => ignored.has(name.split("/").at(-1) ?? name) })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** Paths of all files below `root`, those with a dot in front too, in order; nothing of node_modules or built files. */
export function listAllFiles(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !ignored.has(name))
    .flatMap((entry) => {
      if (entry.isDirectory()) return listAllFiles(root, `${folder}${entry.name}/`);
      return entry.isFile() ? [`${folder}${entry.name}`] : [];
    })
    .sort();
}
