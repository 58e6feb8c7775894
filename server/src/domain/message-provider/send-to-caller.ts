import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { MessageBudgets } from "./message-budgets.ts";
import { findActiveProvider } from "./message-provider.store.ts";
import { SendFailed } from "./send-failed.ts";
import { type SendMessageDeps, sendMessage } from "./send-message.ts";
import { takeMessage } from "./take-message.ts";

export interface SendToCallerDeps extends SendMessageDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly messageBudgets: MessageBudgets;
}

export interface MailToCaller {
  /** The confirmed address of the caller. */
  readonly recipient: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
}

// A caller waits for the response.
const longest = seconds(25);

/**
 * Sends a mail to the caller through the active provider, and waits until it is taken. It is counted like other tests.
 * Why a provider did not take it is only for those who administer the provider, and is not told.
 */
export async function sendToCaller(deps: SendToCallerDeps, call: Call, mail: MailToCaller): Promise<void> {
  const { userId, organizationId } = requireCaller(call);
  const provider = await findActiveProvider(deps.database.read, call.instanceId, "email");
  if (provider === undefined) throw new Fault("failed_precondition", "message_provider.none_active");
  const { recipient, language, ...content } = mail;
  const message = { channel: "email", purpose: "test", recipient, userId, organizationId } as const;
  await deps.database.touch(call, (tx) => takeMessage(tx, deps, message));
  const about = { kind: "test", eventType: "", language, userId, organizationId, code: undefined };
  const outgoing = { messageId: deps.newId(), recipient, ...content, sentAt: call.now, about };
  try {
    const handOver = { signal: AbortSignal.timeout(longest), beforeHandOver: async () => {} };
    await sendMessage(deps, call.instanceId, provider, outgoing, handOver);
  } catch (error) {
    if (!(error instanceof SendFailed)) throw error;
    throw new Fault("failed_precondition", "message_provider.not_taken", { cause: error });
  }
}
