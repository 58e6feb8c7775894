import { readFile } from "node:fs/promises";
import type { Random } from "../../base/random.ts";
import { CommandError } from "../command-error.ts";
import { type ImportOptions, parseColumns } from "./import-options.ts";
import { openHashIndex } from "./reading/hash-index.ts";
import { auth0Source } from "./sources/auth0.ts";
import { cognitoSource } from "./sources/cognito.ts";
import { csvSource } from "./sources/csv.ts";
import { type FirebaseHashing, firebaseSource, parseFirebaseHashing } from "./sources/firebase.ts";
import { keycloakSource } from "./sources/keycloak.ts";
import type { Source } from "./sources/source.ts";

/** A source with what it needs to be read and closed. */
export interface OpenSource {
  readonly source: Source;
  /** Columns of CSV of which a header must have at least one. */
  readonly columns: readonly string[];
  close(): Promise<void>;
}

/** Opens the source of a run, with the files that belong to its users. */
export async function openSource(options: ImportOptions, random: Random): Promise<OpenSource> {
  const open = (source: Source, columns: readonly string[] = []): OpenSource => ({
    source,
    columns,
    close: () => Promise.resolve(),
  });
  switch (options.from) {
    case "keycloak":
      return open(keycloakSource({ rolesOfClient: options.clientRoles, takesRoles: options.project !== undefined }));
    case "auth0": {
      if (options.passwordHashes === undefined)
        return open(auth0Source({ findHash: () => Promise.resolve(undefined) }));
      const index = await openHashIndex(options.passwordHashes, random);
      return { ...open(auth0Source({ findHash: index.find })), close: index.close };
    }
    case "firebase": {
      const path = options.hashConfig;
      return open(firebaseSource(path === undefined ? undefined : await readFirebaseHashing(path)));
    }
    case "cognito":
      return open(cognitoSource, ["cognito:username"]);
    case "csv": {
      const columns = parseColumns(options.map ?? []);
      return open(
        csvSource(columns),
        ["email", "username", "id"].map((field) => columns.get(field) ?? field),
      );
    }
    default:
      return options.from satisfies never;
  }
}

async function readFirebaseHashing(path: string): Promise<FirebaseHashing> {
  const hashing = parseFirebaseHashing(await readFile(path, "utf8"));
  if (hashing !== undefined) return hashing;
  throw new CommandError(`${path} does not have the parameters of password hashes`, {
    fix: "copy hash_config { … } from the console: Authentication, Users, Password hash parameters",
  });
}
