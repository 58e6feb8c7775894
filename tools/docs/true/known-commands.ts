import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { KnownCommand } from "./check-commands.ts";
import type { FileIndex } from "./file-index.ts";

/** What the command line of the product understands. */
export function toKnownCommand(command: Command): KnownCommand {
  return {
    name: command.name(),
    flags: new Set(command.options.flatMap(({ long }) => long ?? [])),
    subcommands: new Map(command.commands.map((inner) => [inner.name(), toKnownCommand(inner)])),
  };
}

/** Scripts of the package.json of a folder. */
export function readScripts(root: string, files: FileIndex, folder: string): ReadonlySet<string> {
  const path = folder === "" ? "package.json" : `${folder}/package.json`;
  if (!files.has(path)) return new Set();
  const { scripts = {} } = JSON.parse(readFileSync(join(root, path), "utf8")) as { scripts?: Record<string, string> };
  return new Set(Object.keys(scripts));
}
