export { deleteRestoredBudgets } from "./budget.store.ts";
export { forgetGuesses, giveBackGuess, takeGuess } from "./guess-budget.ts";
export { createMessageBudgets, type MessageBudgets } from "./message-budgets.ts";
export { type TakenMessage, takeMessage } from "./take-message.ts";
