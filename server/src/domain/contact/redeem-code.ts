import { Fault } from "../../base/fault.ts";
import { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import { type ContactProof, findUserScope, parseProof, recordUserEvent, type UserScope } from "../user/index.ts";
import { authorOfRedeemed, isGoodCode, isOpenedByMessage } from "./code-author.ts";
import type { CodeKind } from "./code-kind.ts";
import { updateEmailProven } from "./contact.store.ts";
import type { ContactProofDeps } from "./is-good-proof.ts";

/** What a code proves. */
export interface RedeemedCode {
  /** The address or number that it was made for. */
  readonly recipient: string;
  /** A code that an administrator has as well proves no more than the administrator's word. */
  readonly proof: ContactProof;
  /**
   * Those who had the code as well, or could have read its message (`authorOfRedeemed`); empty where its user alone
   * did.
   */
  readonly author: string;
  /** Whether a message brought it (`isOpenedByMessage`). */
  readonly isFromMessage: boolean;
}

/**
 * Step: uses up a user's code. Returns undefined for a wrong code: the guess is counted and recorded, so nothing may be
 * thrown inside the unit of work; throw `codeInvalid()` after it.
 */
export async function redeemCode(
  tx: Tx,
  deps: ContactProofDeps,
  input: { readonly userId: string; readonly kind: CodeKind; readonly code: string },
): Promise<RedeemedCode | undefined> {
  const user = await findUserScope(tx, tx.instanceId, input.userId);
  if (!mayRedeem(user)) return undefined;
  // As if there were no code: a code that an administrator with fewer rights can read, perhaps in a mailbox of their
  // own, must not sign anyone in.
  if (!(await isGoodCode(tx, tx.instanceId, deps, { user, kind: input.kind }))) return undefined;
  const redemption = await redeemOneTimeSecret(tx, {
    kind: input.kind,
    subjectId: input.userId,
    secret: new Secret(input.code),
  });
  switch (redemption.outcome) {
    case "redeemed": {
      const recipient = redemption.bound["recipient"] ?? "";
      const proof = proofBy(redemption.bound, user);
      const author = await authorOfRedeemed(tx, deps, user, redemption.bound);
      // A code that others have as well proves nothing.
      if (proof.by === "code") await updateEmailProven(tx, input.userId, recipient);
      return { recipient, proof, author, isFromMessage: isOpenedByMessage(redemption.bound) };
    }
    case "wrong":
      await recordUserEvent(tx, user, { type: `user.${input.kind}_check.failed` });
      return undefined;
    case "absent":
      return undefined;
    default:
      return redemption satisfies never;
  }
}

function proofBy(bound: Readonly<Record<string, string>>, { organizationId }: UserScope): ContactProof {
  if (bound["by"] !== "return" && bound["proof"] === undefined) return { by: "code" };
  return parseProof(bound["proof"]) ?? { by: "administrator", level: "organization", organizationId };
}

/** Returns whether codes work for this user: only while the user may sign in, or has not yet set up the account. */
export const mayRedeem = (user: UserScope | undefined): user is UserScope =>
  user?.organizationState === "active" && (user.state === "active" || user.state === "initial");

/** One message for every reason why a code is refused, so that it does not reveal which. */
export const codeInvalid = (): Fault =>
  new Fault("invalid_argument", "user.code_invalid", { field: "verificationCode" });
