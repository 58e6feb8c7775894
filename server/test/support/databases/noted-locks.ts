import type { QueryConfig } from "pg";
import type { Sql } from "../../../src/database/index.ts";
import { toQuery } from "../../../src/database/postgres/statements.ts";
import { Transaction } from "../../../src/database/postgres/transaction.ts";

/** A lock that a unit of work took: the table or turn, and whether others share it. */
export interface NotedLock {
  readonly of: string;
  readonly hold: "share" | "alone";
}

/** The locks of one unit of work on PostgreSQL, in the order in which it asked for them. */
export interface NotedUnit {
  /** What the test was doing. */
  readonly during: string;
  readonly locks: NotedLock[];
}

/** Notes the locks of all units of work in this process from now on. */
export function noteLocks(): { readonly units: readonly NotedUnit[]; begin(name: string): void } {
  const units = new Map<Transaction, NotedUnit>();
  let during = "";
  const note = (transaction: Transaction, statement: Sql): void => {
    const unit = units.get(transaction) ?? { during, locks: [] };
    units.set(transaction, unit);
    unit.locks.push(...locksOf(toQuery(statement)));
  };
  const { execute, write } = Transaction.prototype;
  Transaction.prototype.execute = function (statement) {
    note(this, statement);
    return execute.call(this, statement);
  };
  Transaction.prototype.write = function (statement) {
    note(this, statement);
    return write.call(this, statement);
  };
  return {
    get units() {
      return [...units.values()];
    },
    begin: (name) => {
      during = name;
    },
  };
}

/** Tables whose rows are locked in turn, by the name of the queue. */
const queues: Readonly<Record<string, string>> = {
  applications: "application",
  consents: "consent",
  organizations: "organization",
  projects: "project",
  user_groups: "group",
  users: "user",
};

const names: ReadonlySet<string> = new Set(["domain", "names of organizations", ...Object.values(queues)]);

/** Whether units of work queue for it. */
export const isQueue = (of: string): boolean => names.has(of);

const selected = /^\s*select\b.*?\bfrom ([a-z_]+)/gs;
const changed = /\b(?:update|delete from) (?!set\b)([a-z_]+)/g;
// The mark of an organization whose names are being formed in batches, which these operations never find.
const mark = "and naming ";

function locksOf({ text, values = [] }: QueryConfig): NotedLock[] {
  if (text.includes(mark)) return [];
  const locks: NotedLock[] = [];
  for (const [, shared, position] of text.matchAll(/advisory_xact_lock(_shared)?\(hashtextextended\(\$(\d+)/g)) {
    const [queue = ""] = String(values[Number(position) - 1]).split("/", 1);
    locks.push({ of: queue, hold: shared === undefined ? "alone" : "share" });
  }
  const isSelect = /\bfor (?:update|share)\s*$/.test(text);
  const hold = text.trimEnd().endsWith("share") ? "share" : "alone";
  for (const [, table = ""] of text.matchAll(isSelect ? selected : changed)) {
    locks.push({ of: queues[table] ?? table, hold });
  }
  return locks;
}
