import process from "node:process";
import { hasPostgres, howToEnable } from "./postgres.ts";

/**
 * Why suites on PostgreSQL are skipped; `false` when they run. A quick run leaves them out
 * (`DOORWARD_TEST_ENGINES=sqlite`). Where PostgreSQL is missing under `CI=true` they run, and fail.
 */
export function reasonWithoutPostgres(): string | false {
  if (process.env["DOORWARD_TEST_ENGINES"] === "sqlite") return "left to npm test";
  if (hasPostgres() || process.env["CI"] === "true") return false;
  return `PostgreSQL is missing: ${howToEnable}`;
}
