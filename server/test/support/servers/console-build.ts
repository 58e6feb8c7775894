import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ending } from "../databases/databases.ts";

/** The files of a build, by their path in `dist`. */
export const builtFiles = {
  "assets/main-Bq1x.js": `export const main = "${"main ".repeat(400)}";\n`,
  "assets/vendor-C9a_.js": "export const vendor = 1;\n",
  "assets/users-D0.js": "export const users = 1;\n",
  "assets/main-Ax.css": "body{margin:0}\n",
  "assets/en-E1.json": '{"title":"Users"}\n',
  "assets/mark-F2.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  "assets/sans-G3.woff2": "wOF2 font",
  "assets/notes.txt": "no file of the console",
  ".vite/manifest.json": JSON.stringify({
    "src/main.tsx": {
      file: "assets/main-Bq1x.js",
      isEntry: true,
      imports: ["_vendor-C9a_.js"],
      dynamicImports: ["src/users.tsx"],
      css: ["assets/main-Ax.css"],
    },
    "_vendor-C9a_.js": { file: "assets/vendor-C9a_.js" },
    "src/users.tsx": { file: "assets/users-D0.js", isDynamicEntry: true, imports: ["src/main.tsx"] },
  }),
} as const;

/** Writes a build of the console into a directory, as Vite does. */
export function writeBuild(directory: string): void {
  for (const [name, content] of Object.entries(builtFiles)) {
    const file = join(directory, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Returns a directory that is removed after the test. */
export function makeDirectory(t: Ending): string {
  const directory = mkdtempSync(join(tmpdir(), "doorward-console-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Returns a directory with a build of the console, which is removed after the test. */
export function makeBuild(t: Ending): string {
  const directory = makeDirectory(t);
  writeBuild(directory);
  return directory;
}
