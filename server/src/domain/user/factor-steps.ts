import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import type { HumanUser } from "./user.ts";

/** A code with which a passkey is registered. */
export interface PasskeyCode {
  readonly id: string;
  readonly code: string;
  readonly lifetimeSeconds: number;
}

/** Steps of a later module (`factor`), for users who are created with a factor. */
export interface FactorSteps {
  /** Gives a new user factors that were in use elsewhere. */
  readonly importFactors: (
    tx: Tx,
    user: HumanUser,
    factors: { readonly totpSecret?: string | undefined; readonly recoveryCodes?: readonly string[] | undefined },
  ) => Promise<void>;
  readonly addPasskeyCode: (tx: Tx, user: HumanUser) => Promise<PasskeyCode>;
  readonly passkeyLinkOf: (
    call: Call,
    user: { readonly userId: string; readonly organizationId: string },
    code: PasskeyCode,
  ) => Promise<string>;
}
