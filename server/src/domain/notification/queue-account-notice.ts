import type { Tx } from "../../database/index.ts";
import type { AccountNotice } from "../message-text/index.ts";
import { hasWaitingNotification, insertNotification } from "./notification.store.ts";
import { defaultLifetime } from "./notification.ts";

/** What a user is told of a change of the account. */
export interface NewAccountNotice {
  readonly notice: AccountNotice;
  readonly userId: string;
  readonly organizationId: string;
  /** An address that the user had proven before the change. */
  readonly recipient: string;
  readonly language: string;
  /** The sequence of the user that the change made: there is one message for each. */
  readonly sequence: number;
}

/**
 * Step: queues the notice of a change in its transaction. It has no values, so one that waits announces a further
 * change of the kind as well.
 */
export async function queueAccountNotice(tx: Tx, { notice, sequence, ...rest }: NewAccountNotice): Promise<void> {
  if (await hasWaitingNotification(tx, { userId: rest.userId, kind: notice, recipient: rest.recipient })) return;
  // In the order of the changes, as other ids are in that of time.
  const notificationId = `${rest.userId}-${String(sequence).padStart(12, "0")}`;
  await insertNotification(tx, {
    ...rest,
    kind: notice,
    channel: "email",
    notificationId,
    subjectId: `${sequence}`,
    sealedValues: "",
    expiresAt: tx.now + defaultLifetime,
  });
}
