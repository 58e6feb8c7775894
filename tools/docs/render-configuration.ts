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

A setting can be given as a flag, an environment variable, or an entry of the YAML file that \`--config\` names. The first that is given counts:
**flag > environment > file > default**. An empty environment variable counts as not given, except where empty means "none".

\`doorward config show\` shows the effective values and where each comes from. \`doorward config check\` reports everything that is wrong, without
starting anything. \`doorward doctor\` also checks the consequences of the settings.`;

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

The names are in the column "File". Lists are YAML lists, or text with commas. Unknown names are refused.

\`\`\`yaml
base_url: https://id.example.com
database_url: postgres://doorward@database.example.com/doorward?sslmode=verify-full
trusted_proxies: [10.0.0.0/8]
workers: 4
\`\`\``;
}

const more = `## PostgreSQL

Doorward needs PostgreSQL 15 or newer, a database encoded in UTF-8, and a database user that owns it, because Doorward creates its own tables. It
also creates the extension \`pg_trgm\` (part of PostgreSQL's contributed modules), which finds names by their substrings. If the database user may
not create extensions, ask an administrator of the database to run \`create extension pg_trgm\` before the first start. Without the extension
everything works, but such searches read all users.

## Secrets

Give a secret in its variable, or in the file that the variable with \`_FILE\` names (one line; surrounding white space is ignored). Secrets have no
flag, because every user of the machine can see command lines, and they are never printed: \`config show\` says \`[secret]\`.

## Bootstrap settings

The settings that begin with \`DOORWARD_BOOTSTRAP_\` only affect an empty database, so you can leave them set. The files of
\`DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE\` and \`DOORWARD_BOOTSTRAP_MACHINE_KEY_FILE\` are written once, with mode 0600. Both are credentials of one service
account with the role \`IAM_OWNER\`.

## What \`dev\` does by itself

\`dev\` creates the data directory with a \`master.key\`, listens on the loopback address, uses \`http://localhost:<port>\` as its base URL, allows
outbound requests to the loopback address, and keeps email instead of sending it. \`start\` does none of this. It refuses to run without a base URL
and a master key, and with a base URL without TLS unless that names this machine.

## Replacing the master key

The first key of \`DOORWARD_MASTER_KEY\` encrypts; all of them decrypt. With several nodes, first add the new key after the current one on every node
(\`old,new\`), then put it first (\`new,old\`). Within ten minutes of a start, the job \`reencrypt\` encrypts everything that uses a former key again
under the first one. Once \`doorward doctor\` says that nothing uses former keys any more, remove the old key. Registration access tokens (RFC 7591)
are sealed but not stored: those issued before end with their key.`;

const escapeCell = (text: string): string =>
  text.replaceAll("|", "\\|").replaceAll("<port>", "&lt;port&gt;").replaceAll("<data dir>", "&lt;data dir&gt;");
