import type { Call } from "../../call/index.ts";
import { type Database, foldCounts, text } from "../../database/index.ts";

/** Merges rows of `user_counts` that count the same. Returns how many rows are gone. */
export const foldUserCounts = ({ database }: { readonly database: Database }, call: Call): Promise<number> =>
  foldCounts(database, call, { table: text("user_counts"), columns: text("organization_id, kind, state") });
