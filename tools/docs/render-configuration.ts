import {
  fallbackText,
  fileKeyOf,
  flagOf,
  type Setting,
  settingNames,
  settings,
} from "../../server/src/config/index.ts";

/** The page `docs/configuration.md`: every setting, from the table that the program reads. */
export function renderConfiguration(): string {
  return `${[introduction, renderTable(), renderFile(), more].join("\n\n")}\n`;
}

const introduction = `# Configuration

<!-- Written by \`npm run docs:pages\` from the table of settings. Do not edit. -->

Every setting can be a flag, an environment variable, or an entry of a YAML file that \`--config\` names; the first that is given counts:
**flag > environment > file > default**. An environment variable that is empty counts as not given, except where empty means "none".

\`doorward config show\` tells what holds and who decided it, \`doorward config check\` everything that is wrong, without starting anything.
\`doorward doctor\` looks at what the settings lead to as well.`;

function renderTable(): string {
  const rows = settingNames.map((name) => {
    const { environment, description, isSecret }: Setting = settings[name];
    const variable = isSecret ? `\`${environment}\`<br>\`${environment}_FILE\`` : `\`${environment}\``;
    const flag = isSecret ? "" : `\`--${flagOf(name)}\``;
    return `| ${variable} | ${flag} | \`${fileKeyOf(name)}\` | ${escapeCell(fallbackText(name))} | ${escapeCell(description)} |`;
  });
  return ["| Environment | Flag | File | Default | |", "|---|---|---|---|---|", ...rows].join("\n");
}

function renderFile(): string {
  return `## The file

Names are those of the column "File". Lists are YAML lists, or text with commas. A name that is no setting is refused.

\`\`\`yaml
base_url: https://id.example.com
database_url: postgres://doorward@database.example.com/doorward?sslmode=verify-full
trusted_proxies: [10.0.0.0/8]
workers: 4
\`\`\``;
}

const more = `## PostgreSQL

Version 15 or newer, a database encoded in UTF-8, and a user who owns it, because Doorward makes its tables by itself. It also makes the extension
\`pg_trgm\` (part of PostgreSQL's contributed modules), which finds names by what they contain; where the user may not, have it made before
the first start: \`create extension pg_trgm\`. Without it everything works, but such searches read all users.

## Secrets

A secret is given by its variable, or by the file that the variable with \`_FILE\` names (one line; white space around it does not count). It
has no flag, because command lines are seen by everybody on the machine, and it is never printed: \`config show\` says \`[secret]\`.

## Bootstrap settings

The settings that begin with \`DOORWARD_BOOTSTRAP_\` act on an empty database alone. On any other one they do nothing, so they can stay where they
are. The file of \`DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE\` is written once, with mode 0600.

## What \`dev\` does by itself

\`dev\` makes the data directory and \`master.key\` in it, listens on the loopback address, calls itself \`http://localhost:<port>\`, allows
outbound requests to the loopback address, and keeps mail instead of sending it. \`start\` does none of that: it refuses to run without a base
URL and a master key, and on a base URL without TLS that is not on this machine.

## Exchange the master key

The first key of \`DOORWARD_MASTER_KEY\` encrypts, all of them decrypt. With several nodes, first put the new key behind the present one on every node
(\`old,new\`), then before it (\`new,old\`). The job \`reencrypt\` writes everything that stands under a former key again under the first one, within ten
minutes of a start. When \`doorward doctor\` says that nothing stands under former keys any more, take the old one away. Registration access tokens
(RFC 7591) are sealed and not stored: those from before end with their key.`;

const escapeCell = (text: string): string =>
  text.replaceAll("|", "\\|").replaceAll("<port>", "&lt;port&gt;").replaceAll("<data dir>", "&lt;data dir&gt;");
