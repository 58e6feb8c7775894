import { instanceTables } from "./instance-tables.ts";
import { projectTables } from "./project-tables.ts";
import { sessionTables } from "./session-tables.ts";
import { userTables } from "./user-tables.ts";

/** Every table that an export contains, in the order of the file. A test compares them with the schema. */
export const exportedTables = [...instanceTables, ...userTables, ...projectTables, ...sessionTables] as const;

export type ExportedTable = (typeof exportedTables)[number];

/** Tables that no export contains, each with the reason. */
export const excludedTables: Readonly<Record<string, string>> = {
  migrations: "the schema is that of the database that is loaded",
  user_counts: "triggers count while users are inserted",
  authorization_counts: "triggers count while role assignments are inserted",
  user_words: "the trigrams of users, which triggers write while they are inserted",
  user_words_config: "a part of the table of trigrams",
  user_words_data: "a part of the table of trigrams",
  user_words_docsize: "a part of the table of trigrams",
  user_words_idx: "a part of the table of trigrams",
  sqlite_sequence: "the last position of the feed is in the file by itself",
};

/** Columns that no export contains, each with the reason. */
export const excludedColumns: Readonly<Record<string, string>> = {
  "users.search_number": "numbers the trigrams of SQLite",
  "events.transaction_id": "belongs to the PostgreSQL server; positions have the order",
  "feed_cursors.transaction_id": "belongs to the PostgreSQL server; positions have the order",
};
