import type { Sql } from "./sql.ts";

/**
 * What the program does in the transaction of a migration, after its statements: yields further statements, and is
 * given the rows of each. A generator, because one engine answers at once and the other later.
 */
export type MigrationStep<Result = void> = Generator<Sql, Result, readonly object[]>;

/** Asks for rows: `yield* ask<Row>(statement)`. */
export function* ask<Row extends object>(statement: Sql): MigrationStep<readonly Row[]> {
  return (yield statement) as readonly Row[];
}
