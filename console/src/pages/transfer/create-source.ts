import { auth0Source } from "../../../../server/src/cli/user/sources/auth0.ts";
import { cognitoSource } from "../../../../server/src/cli/user/sources/cognito.ts";
import { csvSource } from "../../../../server/src/cli/user/sources/csv.ts";
import { firebaseSource, parseFirebaseHashing } from "../../../../server/src/cli/user/sources/firebase.ts";
import { keycloakSource } from "../../../../server/src/cli/user/sources/keycloak.ts";
import type { Source } from "../../../../server/src/cli/user/sources/source.ts";
import { innerRecord, textOf } from "../../../../server/src/cli/user/sources/values.ts";
import { type Becomes, toColumnMap } from "./columns.ts";
import { readJson } from "./read-user-file.ts";

/** Systems whose files are read, and what the file is that some have beside the one with users. */
export const kinds = ["csv", "auth0", "cognito", "firebase", "keycloak"] as const;
export type Kind = (typeof kinds)[number];

interface SourceOptions {
  readonly columns: ReadonlyMap<string, Becomes>;
  /** Text of the second file: hashes (Auth0), or the parameters of hashes (Firebase). Empty without. */
  readonly secondFile: string;
  /** Whether roles are taken. */
  readonly takesRoles: boolean;
}

/** Whether the second file of a kind has what it should have. */
export const isSecondFile = (kind: Kind, text: string): boolean =>
  kind === "firebase" ? parseFirebaseHashing(text) !== undefined : readJson(text, undefined).length > 0;

/** Returns what reads the entries of a kind of files. */
export function createSource(kind: Kind, { columns, secondFile, takesRoles }: SourceOptions): Source {
  switch (kind) {
    case "csv":
      return csvSource(toColumnMap(columns));
    case "auth0":
      return auth0Source({ findHash: hashesIn(secondFile) });
    case "cognito":
      return cognitoSource;
    case "firebase":
      return firebaseSource(parseFirebaseHashing(secondFile));
    case "keycloak":
      return keycloakSource({ rolesOfClient: undefined, takesRoles });
    default:
      return kind satisfies never;
  }
}

/** Finds hashes in Auth0's export of them, by the ids of users: `alt_id` is that of users who were created with one. */
function hashesIn(text: string): (userId: string) => Promise<string | undefined> {
  const hashes = new Map<string, string>();
  // The id of one user can be the `alt_id` of another: either would get the other's password.
  const repeated = new Set<string>();
  for (const entry of text === "" ? [] : readJson(text, undefined)) {
    if (!("record" in entry)) continue;
    const { record } = entry;
    const ids = new Set([textOf(record, "alt_id"), textOf(innerRecord(record["_id"]), "$oid")]);
    for (const id of ids) {
      if (hashes.has(id)) repeated.add(id);
      else if (id !== "") hashes.set(id, textOf(record, "passwordHash"));
    }
  }
  return (id) => Promise.resolve(repeated.has(id) ? undefined : hashes.get(id));
}
