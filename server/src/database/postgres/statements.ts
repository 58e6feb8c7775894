import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";
import type { Sql } from "../sql.ts";

// Each connection keeps what it prepared for ever, so only statements that come again are prepared, and not without end.
const preparedFromUse = 3;
const mostPrepared = 800;
let preparedCount = 0;

/** A statement as `pg` takes it, prepared under a name that its text determines. */
export function toQuery({ shape, values }: Sql): QueryConfig {
  const query = { text: shape.postgres, values: values as unknown[] };
  if (shape.preparedName !== undefined) return { name: shape.preparedName, ...query };
  if (++shape.uses >= preparedFromUse && preparedCount < mostPrepared) {
    preparedCount++;
    shape.preparedName = `s${createHash("sha256").update(shape.postgres).digest("base64url").slice(0, 24)}`;
  }
  return query;
}
