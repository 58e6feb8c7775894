import { useEffect, useState } from "react";
import { type Source, type SourceUser, UserRefused } from "../../../../server/src/cli/user/sources/source.ts";
import type { SourceEntry } from "../../../../server/src/cli/user/writing/import-users.ts";
import type { UserFile } from "./read-user-file.ts";

/** The users of a file, and what is to be decided about them. */
export interface ReadUsers {
  readonly entries: readonly SourceEntry[];
  /** What the file calls identity providers of its users. */
  readonly providers: readonly string[];
  readonly hasRoles: boolean;
  readonly lacksEmail: boolean;
}

/** Reads the users of a file with a source; undefined until that is done. */
export function useUsers(file: UserFile | undefined, source: Source): ReadUsers | undefined {
  const [users, setUsers] = useState<ReadUsers>();
  useEffect(() => {
    let isWanted = true;
    setUsers(undefined);
    if (file !== undefined) {
      void readUsers(file, source).then((read) => {
        if (isWanted) setUsers(read);
      });
    }
    return () => {
      isWanted = false;
    };
  }, [file, source]);
  return users;
}

async function readUsers(file: UserFile, source: Source): Promise<ReadUsers> {
  const entries: SourceEntry[] = [];
  const providers = new Set<string>();
  let hasRoles = false;
  let lacksEmail = false;
  for (const entry of file.entries) {
    const at = { file: file.name, row: entry.row };
    const read = "problem" in entry ? { problem: entry.problem } : await toUser(source, entry.record);
    entries.push({ ...at, ...read });
    if (!("user" in read) || read.user.skipReason !== "") continue;
    for (const { provider } of read.user.links) providers.add(provider);
    hasRoles ||= read.user.roles.length > 0;
    lacksEmail ||= read.user.email === "";
  }
  return { entries, providers: [...providers].sort(), hasRoles, lacksEmail };
}

async function toUser(
  source: Source,
  record: Readonly<Record<string, unknown>>,
): Promise<{ readonly user: SourceUser } | { readonly problem: string; readonly field: string }> {
  try {
    return { user: await source.toUser(record) };
  } catch (error) {
    if (!(error instanceof UserRefused)) throw error;
    return { problem: error.message, field: error.field };
  }
}
