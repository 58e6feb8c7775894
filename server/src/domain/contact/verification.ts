import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { assertedBy, type ContactProof, isSelf } from "../user/index.ts";
import type { CodeDelivery } from "./issue-code.ts";

/**
 * What happens to a new address or number: taken as proven, left unproven, or proven by a code that is sent or handed
 * out.
 */
export type Verification =
  | {
      readonly by: "trust";
      /** What is trusted; an assertion of the caller when absent. */
      readonly proof?: ContactProof | undefined;
    }
  | { readonly by: "nothing" }
  | CodeDelivery;

/** Whether a code follows, which is recorded, however recent the former message is. */
export const isCodeCertain = (verification: Verification): boolean =>
  verification.by === "return" || (verification.by === "message" && verification.pause === undefined);

/** Returns the proof of an address or a number that is taken as proven; undefined for any other. */
export function proofOf(call: Call, organizationId: string, verification: Verification): ContactProof | undefined {
  return verification.by === "trust" ? (verification.proof ?? assertedBy(call, organizationId)) : undefined;
}

/**
 * Refuses what users must not decide about themselves: that their address is proven, or that the code that proves it is
 * shown to them (CVE-2026-27946, CVE-2026-54693). A caller who may write the user may do both.
 */
export function authorizeVerification(
  call: Call,
  user: { readonly userId: string; readonly organizationId: string },
  verification: Verification,
): void {
  const demandsTrust = verification.by === "trust" || verification.by === "return";
  if (!demandsTrust || !isSelf(call, user.userId)) return;
  if (call.caller?.access.allows("user.write", { organizationId: user.organizationId }) === true) return;
  throw new Fault("permission_denied", "permission.missing", { values: { permission: "user.write" } });
}
