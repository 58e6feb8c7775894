import type { Right } from "../call/index.ts";
import type { ActiveToken } from "../domain/token/index.ts";

/** An access token that is valid now, with all that decides what it opens. */
export interface VerifiedToken extends ActiveToken {
  /** The audience that it was issued with. Parties that have left it may still have the token. */
  readonly issuedAudience: readonly string[];
  /**
   * What it gives at our own APIs: `all` that its user may, or some rights. Undefined when it is not, or no longer, for
   * them; then they are not in its audience either.
   */
  readonly authority: "all" | ReadonlySet<Right> | undefined;
}
