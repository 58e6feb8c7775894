/** A step that joins the units of work of an operation that does not know of it (`createCompanion` of `database`). */
export interface Companion {
  /** Runs at the end of each unit that changes something, before its commit; rolls it back by throwing. */
  readonly conclude: (unit: never) => Promise<void>;
  /** Whether the operation is only tried: no unit of it is committed. */
  readonly isTrial: boolean;
}
