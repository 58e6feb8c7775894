import { createMessageBudgets } from "../../../src/domain/message-provider/index.ts";

/** For tests whose clock stands still: budgets would never be restored. */
export const unlimitedMessages = createMessageBudgets({ email: 0, sms: 0 }, { refused: () => undefined });
