import type { Author } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";

/**
 * Returns whether an author held at least what the positions of a user carry now. Implemented by a later module
 * (`membership`), so it is passed in.
 */
export type MayPrepareFor = (reader: Reader, instanceId: string, author: Author, userId: string) => Promise<boolean>;

/** Dependencies of everything that lets a user in by what another prepared. */
export interface PreparedDeps {
  readonly mayPrepareFor: MayPrepareFor;
}
