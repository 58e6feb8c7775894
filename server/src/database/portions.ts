import { DatabaseUnavailable, type Tx } from "./database.ts";
import { noteEnded } from "./ended-rights.ts";
import type { Waiting } from "./row-lock.ts";
import { type Sql, sql, text } from "./sql.ts";
import { TooMuchForOneUnit } from "./too-much.ts";
import type { Kind, Work } from "./unit-of-work.ts";

/**
 * How many items a step handles in one unit of work, so that the one writer of SQLite is kept for some hundredths of a
 * second.
 */
const portion = 100;
// How often a unit is started again; each time it has found more than a batch of something.
const mostRounds = 1000;
// How many batches a step handles before the unit is given up: others may add items as fast as it handles them.
const mostPortions = 10_000;

/** The work of a step on any number of items. */
export interface Portions<Item> {
  /** Returns items that are left, at most `limit`. What `perform` did to an item takes it from the list. */
  list(tx: Tx, limit: number): Promise<readonly Item[]>;
  perform(tx: Tx, items: readonly Item[]): Promise<void>;
  /** How many items are a batch, where each has much below it. */
  readonly size?: number;
  /**
   * Whether the caller acts by an item: a session, a family of tokens, an application. At most one is. No batch handles
   * it, only the unit that the step is part of, so that everything that ends a caller's rights is asked for until then.
   */
  readonly isOfCaller?: (item: Item) => boolean;
}

/**
 * Step: handles all items, of which there may be any number, so that no unit of work is longer than some batches. More
 * than one is handled first, in units of its own, each with its events; then the unit that the step is part of begins
 * again, and finds the few items that came meanwhile. Only for steps that may be done although what follows fails:
 * whatever could refuse the unit comes before them.
 */
export async function performAll<Item>(tx: Tx, steps: Portions<Item>): Promise<void> {
  const { list, perform, size = portion, isOfCaller = () => false } = steps;
  const found = await list(tx, size + 1);
  if (found.length > size) {
    const batch = async (own: Tx): Promise<boolean> => {
      const listed = await list(own, size);
      const items = listed.filter((item) => !isOfCaller(item));
      if (items.length > 0) await perform(own, items);
      return listed.length === size;
    };
    throw new TooMuchForOneUnit(batch);
  }
  if (found.length > 0) await perform(tx, found);
}

/**
 * Step: does `work`. Where that is too much for one unit, `prepare` is done before the first batch, in a unit of its
 * own; it must make the next call do the work without it.
 */
export async function performPrepared(work: () => Promise<void>, prepare: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TooMuchForOneUnit)) throw error;
    const once = async (own: Tx): Promise<boolean> => {
      await prepare(own);
      return false;
    };
    throw new TooMuchForOneUnit(once);
  }
}

/** What is performed before the unit that it is part of. */
interface Before {
  readonly isLeft: (tx: Tx) => Promise<boolean>;
  readonly perform: (tx: Tx) => Promise<void>;
}

/**
 * Step: performs something in a unit of its own, before the unit that it is part of, which begins again and finds it
 * done. For what must not be held together with what the unit holds. Like that of `performAll`, it stays done although
 * what follows fails.
 */
export async function performBefore(tx: Tx, { isLeft, perform }: Before): Promise<void> {
  if (!(await isLeft(tx))) return;
  const once = async (own: Tx): Promise<boolean> => {
    await perform(own);
    return false;
  };
  throw new TooMuchForOneUnit(once);
}

/**
 * Step: holds something that other units may have, and does not keep what the unit has already while it waits. Where
 * another unit has it, this one is given up, waits for it in a unit of its own that has nothing else, and begins again.
 * Not for what ends access: others could come first each time.
 */
export async function holdOrWaitBefore<Thing>(
  tx: Tx,
  {
    isThere,
    hold,
  }: {
    readonly isThere: (tx: Tx) => Promise<boolean>;
    readonly hold: (tx: Tx, waiting: Waiting) => Promise<Thing | undefined>;
  },
): Promise<Thing | undefined> {
  const held = await hold(tx, "skip");
  if (held !== undefined) return held;
  const perform = async (own: Tx): Promise<void> => void (await hold(own, "wait"));
  await performBefore(tx, { isLeft: isThere, perform });
  return undefined;
}

/** Rows that are deleted together. */
export interface Rows {
  readonly table: Sql;
  readonly where: Sql;
  /** Users who act by them, and no longer do without them. */
  readonly userIds?: readonly string[];
  /** Those by which the caller acts: no batch deletes them, as in `performAll`. A few. */
  readonly ofCaller?: Sql;
}

/** Step: deletes rows that have no event, of which there may be any number; like `performAll`. */
export async function deleteAll(tx: Tx, { table, where, userIds = [], ofCaller }: Rows): Promise<void> {
  const others = ofCaller === undefined ? where : sql`${where} and not (${ofCaller})`;
  const found = await tx.all(sql`select 1 as "found" from ${table} where ${others} limit ${portion + 1}`);
  if (found.length > portion) {
    throw new TooMuchForOneUnit((own) => {
      noteEnded(own, { userIds });
      return deletePortion(own, { table, where: others });
    });
  }
  if (found.length > 0) await tx.run(sql`delete from ${table} where ${where}`);
}

async function deletePortion(tx: Tx, { table, where }: Rows): Promise<boolean> {
  const position = tx.engine === "sqlite" ? text("rowid") : text("ctid");
  const count = await tx.run(sql`delete from ${table} where (instance_id || '') = ${tx.instanceId}
    and ${position} in (select ${position} from ${table} where ${where} limit ${portion})`);
  return count === portion;
}

/** Runs one unit of work. */
export type RunUnit = <Each>(kind: Kind, work: Work<Each>) => Promise<Each>;

/** Runs a unit of work; what is too much for it comes first, in batches, between which other units have their turn. */
export async function runInPortions<Result>(run: RunUnit, kind: Kind, work: Work<Result>): Promise<Result> {
  for (let round = 1; ; round++) {
    try {
      return await run(kind, work);
    } catch (error) {
      if (!(error instanceof TooMuchForOneUnit)) throw error;
      if (round === mostRounds) throw new DatabaseUnavailable("a unit of work repeatedly found too much to do");
      for (let count = 1; await runInPortions(run, "touch", error.perform); count++) {
        if (count === mostPortions) throw new DatabaseUnavailable("a unit of work did not finish its batches");
      }
    }
  }
}
