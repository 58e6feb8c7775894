import type { Call } from "../call/index.ts";
import type { Database, Tx } from "./database.ts";

/** How many rows a change writes without a turn. */
const mostWithoutTurn = 100;

/** Thrown by a unit that has not taken its turn, before it writes many rows. */
class NeedsTurn extends Error {
  override readonly name = "NeedsTurn";
}

/**
 * Like `change`, for what may write many rows: it takes its turn, and its time is charged, when it writes more than a
 * hundred (`changeAtLength`). `asked` rows are known from the request. `expect` tells of those that are known later;
 * it is called before anything is written, and begins the unit anew where it needs a turn.
 */
export async function changeRows<Result>(
  { database, call, asked }: { readonly database: Database; readonly call: Call; readonly asked: number },
  work: (tx: Tx, expect: (rows: number) => void) => Promise<Result>,
): Promise<Result> {
  if (asked <= mostWithoutTurn) {
    try {
      return await database.change(call, (tx) => work(tx, refuseMany));
    } catch (error) {
      if (!(error instanceof NeedsTurn)) throw error;
    }
  }
  return database.changeAtLength(call, (tx) => work(tx, () => undefined));
}

function refuseMany(rows: number): void {
  if (rows > mostWithoutTurn) throw new NeedsTurn();
}
