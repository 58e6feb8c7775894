import type { Command } from "commander";

/** The page `docs/commands.md`: every command with what its `--help` says. */
export function renderCommands(program: Command): string {
  const leaves = leavesOf(program);
  return `${[introduction, renderOverview(leaves), ...leaves.map(renderCommand)].join("\n\n")}\n`;
}

const introduction = `# Commands

<!-- Written by \`npm run docs:pages\` from the help of the commands. Do not edit. -->

\`doorward <command>\`; in a clone of the repository, and in a production install, \`npx doorward <command>\`.

- Results go to standard output, everything else to standard error. \`--json\` prints the result as JSON on one line, also for failures:
  \`{"error": {"problem", "setting", "fix"}}\`.
- Exit codes: 0 ok, 1 failed, 2 wrong usage or settings.
- No command needs a terminal; colors appear only on one, and never with \`NO_COLOR\`.
- Settings are flags of the commands that use them; [configuration.md](configuration.md) lists them. Secrets have no flag.`;

function renderOverview(leaves: readonly Command[]): string {
  const rows = leaves.map((command) => `| [${nameOf(command)}](#${anchorOf(command)}) | ${command.description()} |`);
  return ["| Command | |", "|---|---|", ...rows].join("\n");
}

function renderCommand(command: Command): string {
  const text = withoutSettings(helpOf(command)).trim();
  return [`## ${nameOf(command)}`, ...notesAbout(command), `\`\`\`text\n${text}\n\`\`\``].join("\n\n");
}

/** Commands that do something, in the order of the help. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** What `--help` prints, at a width that does not depend on a terminal. */
export function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => (text += part),
    getOutHelpWidth: () => 110,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text;
}

// The same lines for every command; the page of the settings has them.
function withoutSettings(help: string): string {
  const names = Array.from(help.matchAll(/^Settings:\n((?: .*\n)+)/gm), ([, block = ""]) =>
    Array.from(block.matchAll(/^ {2}(--[a-z-]+)/gm), ([, flag]) => flag),
  ).flat();
  const all = names.length > 8 ? "all, as flags" : names.join(", ");
  return help.replace(/^Settings:\n(?: .*\n)+/m, `Settings: ${all} (configuration.md)\n`);
}

// What the help of a group says behind its commands, once for the whole group.
function notesAbout(command: Command): string[] {
  const group = command.parent;
  if (group === null || group.parent === null || group.commands[0] !== command) return [];
  const help = helpOf(group);
  const mark = "display help for command";
  const notes = help
    .slice(help.lastIndexOf(mark) + mark.length)
    .trim()
    .replaceAll("\n", " ");
  return notes === "" ? [] : [notes];
}

const nameOf = (command: Command): string => {
  const above = command.parent;
  return above === null || above.parent === null ? command.name() : `${nameOf(above)} ${command.name()}`;
};

const anchorOf = (command: Command): string => nameOf(command).replaceAll(" ", "-");
