import type { QueryConfig } from "pg";

const turn = /pg_advisory_xact_lock(_shared)?\(hashtextextended\(\$(\d+), 0\)\)/g;
const rowLock = /^\s*select\b[\s\S]*\bfor (update|share)\s*$/;
const deletion = /^\s*delete from (\w+)\s+(where\b[\s\S]*?)(?:\breturning\b[\s\S]*)?$/;

/**
 * Returns statements that take the locks of a packet in which a unit of work lost a deadlock, and do nothing else: the
 * rows that its statements select for that or delete, and the turns of others (`inTurn`, `takeTurns`). The repetition
 * begins with them.
 *
 * Units that lock in opposite order would otherwise do so again, and which one is ended is no matter of luck: each asks
 * for a circle once, a second after it began to wait. One that waits behind a stream of others comes last each time.
 */
export function locksOf(queries: readonly QueryConfig[]): QueryConfig[] {
  return queries.flatMap((query) => {
    if (rowLock.test(query.text)) return [query];
    const [, table, where] = deletion.exec(query.text) ?? [];
    if (table === undefined) return turnsOf(query);
    return [{ text: `select 1 from ${table} ${where} for update`, values: query.values ?? [] }];
  });
}

function turnsOf({ text, values = [] }: QueryConfig): QueryConfig[] {
  return [...text.matchAll(turn)].map(([, shared = "", position]) => ({
    text: `select pg_advisory_xact_lock${shared}(hashtextextended($1, 0))`,
    values: [values[Number(position) - 1]],
  }));
}
