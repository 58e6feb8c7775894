import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "../../call/index.ts";

/** Another method to call, as the caller could do with a request of their own, and whose word the call is. */
export type OtherCall<Method extends DescMethodUnary> = {
  readonly method: Method;
  readonly request: MessageInitShape<Method["input"]>;
  /** Whether the request was counted already (`PerformTogether`). */
  readonly isCounted?: boolean | undefined;
} & (
  | {
      /** The caller calls, with everything that they may do. */
      readonly as: "caller";
      /** Organization of the call, as the header of a request names it; that of the caller when left out. */
      readonly organizationId?: string | undefined;
    }
  | {
      /** The data of an organization says it: nothing happens that an owner of the organization could not do there. */
      readonly as: "organization";
      readonly organizationId: string;
    }
);

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

/** Requests for one method, each of which is what the data of an organization says (`OtherCall`). */
export interface OtherCalls<Method extends DescMethodUnary> {
  readonly method: Method;
  readonly requests: readonly MessageInitShape<Method["input"]>[];
  readonly organizationId: string;
}

/**
 * What became of a request that was to be performed with others: `left` was not tried and is performed by itself, and
 * so is `counted`, which was counted as a request of the caller.
 */
export type Together = "done" | "counted" | "left";

/**
 * Performs requests for one method at once, for the caller of `call`, who is admitted once for all of them. Each passes
 * the permission and the rules of fields as with `PerformOther`. `work` is called with those that may be performed, and
 * returns for each whether it did; it performs all of these, or throws. What it leaves, what is refused, and everything
 * where targets are called around the method, is performed by itself (`PerformOther`), with the answer that belongs to
 * it. `rpc` makes it.
 */
export type PerformTogether = <Method extends DescMethodUnary>(
  call: Call,
  others: OtherCalls<Method>,
  work: (call: Call, requests: readonly MessageShape<Method["input"]>[]) => Promise<readonly boolean[]>,
) => Promise<readonly Together[]>;
