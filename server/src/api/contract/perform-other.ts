import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "../../call/index.ts";

/** Another method to call, as the caller could do with a request of their own. */
export interface OtherCall<Method extends DescMethodUnary> {
  readonly method: Method;
  readonly request: MessageInitShape<Method["input"]>;
  /** Organization of the call, as the header of a request names it; that of the caller when left out. */
  readonly organizationId?: string | undefined;
}

/** Why another method refused, as its response would have said; `error` is what was thrown. */
export interface OtherRefusal {
  readonly id: string;
  readonly message: string;
  readonly isExisting: boolean;
  readonly error: unknown;
}

/** What another method answered. */
export type OtherAnswer<Method extends DescMethodUnary> =
  | { readonly response: MessageShape<Method["output"]> }
  | { readonly refusal: OtherRefusal };

/**
 * Calls another method of the contract for the caller of `call`, with everything that a request of theirs passes:
 * credentials, rights of the application, permission, rules of fields, targets and quotas. Throws when the caller may
 * no longer call at all. `rpc` makes it.
 */
export type PerformOther = <Method extends DescMethodUnary>(
  call: Call,
  other: OtherCall<Method>,
) => Promise<OtherAnswer<Method>>;
