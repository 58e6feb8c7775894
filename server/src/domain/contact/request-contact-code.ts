import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { quietly } from "../notification/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import { findUserScope, type HumanUser, holdUser, type PreparedDeps } from "../user/index.ts";
import { linkOfFormerCode, senderOfFormerCode } from "./code-author.ts";
import { codePause } from "./code-pause.ts";
import { type CodeDeps, issueCode } from "./issue-code.ts";
import { mayRedeem } from "./redeem-code.ts";

export interface RequestContactCode {
  readonly userId: string;
  readonly contact: "email" | "phone";
}

/**
 * Sends the code for an address or a phone number again, when its page asks for it: to the address of the account, with
 * the former link. Does nothing without a former code, or when that was returned or sent just now, or when the address
 * is proven, or was named by an administrator with fewer rights than the user. None of this fails or is revealed.
 */
export async function requestContactCode(
  deps: CodeDeps & PreparedDeps & { readonly database: Database },
  call: Call,
  { userId, contact }: RequestContactCode,
): Promise<void> {
  const kind = `${contact}_verification` as const;
  await quietly(() =>
    deps.database.change(call, async (tx) => {
      if (!mayRedeem(await findUserScope(tx, tx.instanceId, userId))) return;
      // Locked, so that of two concurrent requests the second sees what the first has sent.
      const user = await holdUser(tx, userId);
      const recipient = user?.kind === "human" ? unprovenOf(user, contact) : undefined;
      if (user?.kind !== "human" || recipient === undefined) return;
      const former = await findOneTimeSecret(tx, tx.instanceId, { kind, subjectId: userId });
      if (former === undefined || former.bound["by"] === "return" || former.createdAt + codePause > tx.now) return;
      const { applicationName } = former.bound;
      const link = await linkOfFormerCode(tx, deps, user, former);
      await issueCode(tx, deps, user, {
        kind,
        channel: contact === "email" ? "email" : "sms",
        recipient,
        delivery: { by: "message", applicationName, namesUser: true, ...senderOfFormerCode(tx, former), ...link },
      });
    }),
  );
}

function unprovenOf({ email, phone }: HumanUser, contact: RequestContactCode["contact"]): string | undefined {
  if (contact === "email") return email.isVerified ? undefined : email.address;
  return phone?.isVerified === false ? phone.number : undefined;
}
