/** The location of a database. */
export interface DatabaseLocation {
  /** `postgres://…` of a PostgreSQL database; without it the embedded one in `directory` is used. */
  readonly url?: string | undefined;
  /** Data directory of the embedded database. */
  readonly directory?: string | undefined;
}

/** Returns the data directory of an embedded database. */
export function directoryOf({ directory }: DatabaseLocation): string {
  if (directory === undefined) throw new Error("a database has a url or a directory");
  return directory;
}
