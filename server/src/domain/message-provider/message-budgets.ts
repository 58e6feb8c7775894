import type { BudgetName, MessageBudgetName } from "../../base/budget/budgets.ts";
import { days, minutes } from "../../base/clock.ts";

export type BudgetChannel = "email" | "sms";

/**
 * What a message is for. `code`: it was asked for. `notice`: tells of a change, and must not be held back by codes
 * that a stranger asked for. `test`: an administrator tries a provider.
 */
export type BudgetPurpose = "code" | "notice" | "test";

/** So many messages in a period: at once, and evenly from then on. */
export interface MessageBudget {
  readonly name: MessageBudgetName;
  readonly most: number;
  readonly period: number;
}

/** Messages a day of one instance; 0 turns the budgets of the channel off. */
type MessageLimits = Readonly<Record<BudgetChannel, number>>;

/** The budgets of messages of this process's configuration. */
export interface MessageBudgets {
  /** Lists what a message has to be taken from, from the narrowest to the widest. */
  of(channel: BudgetChannel, purpose: BudgetPurpose): readonly MessageBudget[];
  /** Called for every refusal. */
  readonly refused: (name: BudgetName) => void;
}

const recipient = "messages_of_recipient";
const user = "messages_of_user";

// An address is slower than its user, who may have an address and codes of several applications.
const narrow = {
  email: [
    { name: recipient, most: 5, period: minutes(10) },
    { name: recipient, most: 20, period: days(1) },
    { name: user, most: 10, period: minutes(10) },
    { name: user, most: 40, period: days(1) },
  ],
  sms: [
    { name: recipient, most: 3, period: minutes(10) },
    { name: recipient, most: 10, period: days(1) },
    { name: user, most: 5, period: minutes(10) },
    { name: user, most: 15, period: days(1) },
  ],
} as const satisfies Record<BudgetChannel, readonly MessageBudget[]>;

// A notice tells the user what was done to the account; no number of codes uses up its budget.
const ofNotices = [{ name: recipient, most: 20, period: days(1) }] as const;

/**
 * Creates the budgets. An organization has half of what its instance has, so that it can invite all its people and
 * cannot use up the messages of all others.
 */
export function createMessageBudgets(
  limits: MessageLimits,
  { refused }: Pick<MessageBudgets, "refused">,
): MessageBudgets {
  return {
    refused,
    of: (channel, purpose) => {
      const most = limits[channel];
      if (most === 0) return [];
      if (purpose === "notice") return ofNotices;
      const wide = [
        { name: "messages_of_organization", most: Math.max(1, Math.floor(most / 2)), period: days(1) },
        { name: "messages_of_instance", most, period: days(1) },
      ] as const;
      return [...narrow[channel], ...wide];
    },
  };
}
