import type { Page, Piece, Untruth } from "./page.ts";

/** A command with its subcommands and flags, whatever parses it. */
export interface KnownCommand {
  readonly name: string;
  readonly flags: ReadonlySet<string>;
  readonly subcommands: ReadonlyMap<string, KnownCommand>;
}

export interface KnownCommands {
  readonly doorward: KnownCommand;
  /** Scripts of a folder's package.json; `""` is the repository. */
  scriptsIn(folder: string): ReadonlySet<string>;
}

/** Commands on a page that do not exist: npm scripts, subcommands and flags of `doorward`. */
export function checkCommands(page: Page, known: KnownCommands): Untruth[] {
  const folder = page.path.split("/").slice(0, -1).join("/");
  return [...page.spans, ...page.commandLines].flatMap((piece) =>
    commandsIn(piece).flatMap((words) => {
      const message = words[0] === "npm" ? judgeScript(words, folder, known) : judgeDoorward(words, known.doorward);
      return message === undefined ? [] : [{ path: page.path, text: words.join(" "), line: piece.line, message }];
    }),
  );
}

// `A=b npm run x && doorward y  # comment` has two commands.
function commandsIn({ text }: Piece): string[][] {
  return text
    .replace(/(^|\s)#\s.*$/, "")
    .split(/\s*(?:&&|\|\||;|\||\$\(|\))\s*/)
    .map((command) => command.replace(/^\$ /, "").replace(/^(?:[A-Z_]+=\S*\s+)*/, ""))
    .map((command) => command.replace(/^(?:npx|exec) /, "").split(/\s+/))
    .filter(([program = "", ...rest]) => /^(?:npm|doorward)$/.test(program) && rest.length > 0);
}

const shorthand = new Set(["start", "test", "stop", "restart"]);

function judgeScript(words: readonly string[], folder: string, known: KnownCommands): string | undefined {
  const [, verb = "", script = ""] = words;
  const name = verb === "run" ? script : shorthand.has(verb) ? verb : undefined;
  if (name === undefined || !/^[a-z][\w:-]*$/.test(name)) return undefined;
  const separator = words.indexOf("--");
  const workspace = workspaceOf(separator === -1 ? words : words.slice(0, separator));
  const folders = workspace === undefined ? ["", folder] : [workspace];
  if (!folders.some((one) => known.scriptsIn(one).has(name))) return `no package.json has a script ${name}`;
  if (name !== "doorward" || separator === -1) return undefined;
  return judgeDoorward(["doorward", ...words.slice(separator + 1)], known.doorward);
}

// `npm run build -w console`: the scripts of that folder alone.
function workspaceOf(words: readonly string[]): string | undefined {
  const option = words.findIndex((word) => word === "-w" || word === "--workspace");
  return option === -1 ? undefined : words[option + 1];
}

function judgeDoorward([, ...words]: readonly string[], program: KnownCommand): string | undefined {
  let command = program;
  for (const word of words) {
    if (/^--[a-z]/.test(word)) {
      const [flag = word] = word.split("=", 1);
      if (flag !== "--help" && !command.flags.has(flag)) return `${command.name} has no flag ${flag}`;
    } else if (/^[a-z][a-z-]*$/.test(word) && command.subcommands.size > 0) {
      const inner = command.subcommands.get(word);
      if (inner === undefined) return `${command.name} has no command ${word}`;
      command = inner;
    }
  }
  return undefined;
}
