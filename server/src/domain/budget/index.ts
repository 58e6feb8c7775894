export { deleteRestoredBudgets } from "./message-budget.store.ts";
export { createMessageBudgets, type MessageBudgets } from "./message-budgets.ts";
export { type TakenMessage, takeMessage } from "./take-message.ts";
