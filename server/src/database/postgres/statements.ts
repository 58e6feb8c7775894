import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";
import type { Sql } from "../sql.ts";

// Connections keep prepared statements for ever, so only repeated statements are prepared, and a limited number.
const preparedFromUse = 3;
const mostPrepared = 800;
let preparedCount = 0;

/** Converts a statement for `pg`, prepared under a name that depends on its text. */
export function toQuery({ shape, values }: Sql): QueryConfig {
  const query = { text: shape.postgres, values: values as unknown[] };
  if (shape.preparedName !== undefined) return { name: shape.preparedName, ...query };
  if (++shape.uses >= preparedFromUse && preparedCount < mostPrepared) {
    preparedCount++;
    shape.preparedName = `s${createHash("sha256").update(shape.postgres).digest("base64url").slice(0, 24)}`;
  }
  return query;
}
