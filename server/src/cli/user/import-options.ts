import { parseDomain } from "../../base/names/host.ts";
import { CommandError } from "../command-error.ts";
import { csvFields, type SourceKind } from "./source-kinds.ts";
import type { ColumnMap } from "./sources/csv.ts";

/** Options of `user import` as they are given. */
export interface ImportOptions {
  readonly from: SourceKind;
  readonly organization?: string;
  readonly newIds?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly provider?: readonly string[];
  readonly project?: string;
  readonly clientRoles?: string;
  readonly passwordHashes?: string;
  readonly hashConfig?: string;
  readonly map?: readonly string[];
  readonly delimiter?: string;
  readonly missingEmailDomain?: string;
  readonly concurrency: string;
}

/** Options that only some kinds of files have. */
const kindsOfOptions: readonly (readonly [keyof ImportOptions, string, readonly SourceKind[]])[] = [
  ["clientRoles", "--client-roles", ["keycloak"]],
  ["passwordHashes", "--password-hashes", ["auth0"]],
  ["hashConfig", "--hash-config", ["firebase"]],
  ["map", "--map", ["csv"]],
  ["delimiter", "--delimiter", ["csv", "cognito"]],
];

/** Refuses options that have no effect, before anything is read or asked. */
export function checkOptions(options: ImportOptions): void {
  for (const [name, flag, kinds] of kindsOfOptions) {
    if (options[name] === undefined || kinds.includes(options.from)) continue;
    throw new CommandError(`${flag} is for --from ${kinds.join(" and --from ")}`, { fix: `leave out ${flag}` });
  }
  if (options.clientRoles !== undefined && options.project === undefined) {
    throw new CommandError("--client-roles needs a project whose roles users get", { fix: "name it with --project" });
  }
  if (options.missingEmailDomain !== undefined && parseDomain(options.missingEmailDomain) === undefined) {
    throw new CommandError(`${options.missingEmailDomain} is not a domain`, {
      fix: "use one of your own, or one of example",
    });
  }
}

/** Reads `--provider google=123`. */
export function readProviders(given: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    given.map((pair) => {
      const cut = pair.lastIndexOf("=");
      if (cut < 1 || cut === pair.length - 1) {
        throw new CommandError(`--provider ${pair} does not name a provider`, {
          fix: "use the name there and the id here, for example --provider google=123",
        });
      }
      return [pair.slice(0, cut), pair.slice(cut + 1)];
    }),
  );
}

const mostConcurrency = 32;

/** Reads `--concurrency`. */
export function readConcurrency(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= mostConcurrency) return count;
  throw new CommandError(`--concurrency ${text} is not a number from 1 to ${mostConcurrency}`, { fix: "use 8" });
}

/** Reads `--map` options: `email=E-Mail`. */
export function parseColumns(given: readonly string[]): ColumnMap {
  const columns = new Map<string, string>(csvFields.map((field) => [field, field]));
  for (const pair of given) {
    const cut = pair.indexOf("=");
    const [field, column] = [pair.slice(0, cut), pair.slice(cut + 1)];
    const isKnown = (csvFields as readonly string[]).includes(field) || /^(?:metadata|link)\../.test(field);
    if (cut < 1 || column === "" || !isKnown) {
      throw new CommandError(`--map ${pair} does not map a field to a column`, {
        fix: `use FIELD=COLUMN; fields: ${csvFields.join(", ")}, metadata.<key>, link.<provider>`,
      });
    }
    columns.set(field, column);
  }
  return columns;
}
