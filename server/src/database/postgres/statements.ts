import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";
import type { Sql } from "../sql.ts";

// Connections keep prepared statements forever, so only repeated statements are prepared, and a limited number.
const preparedFromUse = 3;
const mostPrepared = 800;
// Lists with conditions make any number of texts. They get a part only, so that they never keep the others from it.
const mostComposed = 400;
const mostComposedCharacters = 1_000_000;
// Reads by key are few and the most frequent, so that what comes before them must not keep them out.
const mostKeyed = 200;
let preparedCount = 0;
let composedCount = 0;
let composedCharacters = 0;
let keyedCount = 0;

/** Begins a transaction. */
export const beginStatement: QueryConfig = { name: "begin", text: "begin" };
export const commitStatement: QueryConfig = { name: "commit", text: "commit" };

/** Converts a statement for `pg`, prepared under a name that depends on its text. */
export function toQuery({ shape, values, sharedIn }: Sql): QueryConfig {
  const query = { text: shape.postgres, values: values as unknown[] };
  if (shape.preparedName !== undefined) return { name: shape.preparedName, ...query };
  if (++shape.uses >= preparedFromUse && (sharedIn === undefined ? mayPrepare(shape) : keyedCount++ < mostKeyed)) {
    shape.preparedName = `s${createHash("sha256").update(shape.postgres).digest("base64url").slice(0, 24)}`;
  }
  return query;
}

function mayPrepare({ isComposed, postgres }: Sql["shape"]): boolean {
  if (!isComposed) return preparedCount++ < mostPrepared;
  if (composedCount >= mostComposed || composedCharacters + postgres.length > mostComposedCharacters) return false;
  composedCount++;
  composedCharacters += postgres.length;
  return true;
}
