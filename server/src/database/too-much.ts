import type { Tx } from "./database.ts";

/** Thrown by a step that has more to do than one unit of work should. `perform` does a batch, and tells of more. */
export class TooMuchForOneUnit extends Error {
  override readonly name = "TooMuchForOneUnit";
  readonly perform: (tx: Tx) => Promise<boolean>;

  constructor(perform: (tx: Tx) => Promise<boolean>) {
    super("a step has more to do than one unit of work may; it goes on in units of its own");
    this.perform = perform;
  }
}
