import type { Tx } from "./database.ts";

/** Thrown by a step that has more to do than one unit of work should. `perform` does a batch, and tells of more. */
export class TooMuchForOneUnit extends Error {
  override readonly name = "TooMuchForOneUnit";
  readonly perform: (tx: Tx) => Promise<boolean>;
  /** Whether the step takes nothing from the caller that the call needs (`Portions.sparesCaller`). */
  readonly sparesCaller: boolean;

  constructor(
    perform: (tx: Tx) => Promise<boolean>,
    { sparesCaller = false }: { readonly sparesCaller?: boolean } = {},
  ) {
    super("a step has more to do than one unit of work may; it goes on in units of its own");
    this.perform = perform;
    this.sparesCaller = sparesCaller;
  }
}
