import type { BudgetName, MessageBudgetName } from "../../base/budget/budgets.ts";
import { days, hours, minutes } from "../../base/clock.ts";

export type BudgetChannel = "email" | "sms";

/**
 * What a message is for. Each purpose has budgets of its own, so that what a stranger can ask for holds back nothing
 * else. `code`: anyone may have asked for it. `reset`: the same for a new password. `sign_in`: the code after a first
 * factor, without which the user is shut out. `notice`: tells of a change. `offer`: another organization wants
 * something of the user. `test`: an administrator tries a provider. `sign_up`: what one source asks for, beside the
 * budgets of the `code` for a new account.
 */
export type BudgetPurpose = "code" | "reset" | "sign_in" | "notice" | "offer" | "test" | "sign_up";

/** So many messages in a period: at once, and evenly from then on. */
export interface MessageBudget {
  readonly name: MessageBudgetName;
  readonly most: number;
  readonly period: number;
  /** How many of them are kept for sources, or users, that had none in a day. */
  readonly reserve?: number;
  /** A source, or user, with one left may take from the reserves. */
  readonly opensReserve?: true;
  /** Only what strangers ask for, and users for themselves, is taken from it. */
  readonly isOfStrangers?: true;
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
const organization = "messages_of_organization";

// An address is slower than its user, who may have an address and codes of several applications.
const narrow = {
  email: [
    { name: recipient, most: 5, period: minutes(10), reserve: 1 },
    { name: recipient, most: 20, period: days(1), reserve: 5 },
    { name: user, most: 10, period: minutes(10) },
    { name: user, most: 40, period: days(1) },
  ],
  sms: [
    { name: recipient, most: 3, period: minutes(10), reserve: 1 },
    { name: recipient, most: 10, period: days(1), reserve: 3 },
    { name: user, most: 5, period: minutes(10) },
    { name: user, most: 15, period: days(1) },
  ],
} as const satisfies Record<BudgetChannel, readonly MessageBudget[]>;

// Counted for each kind, and an address gets more than one user can cause: no change hides another. Half of what the
// organization has is kept for the first of each user in a day, so that a few accounts that change and change again do
// not hold back what informs a user of a theft.
const ofNotices = (ofOrganization: number): readonly MessageBudget[] => [
  { name: user, most: 5, period: days(1) },
  { name: recipient, most: 50, period: days(1) },
  { name: user, most: 1, period: days(1), opensReserve: true },
  { name: organization, most: ofOrganization, period: days(1), reserve: Math.floor(ofOrganization / 2) },
];

// Messages that users did not ask for: few to each user, and few from each organization, which pays for them.
const ofOffers = [
  { name: user, most: 3, period: days(1) },
  { name: organization, most: 50, period: days(1) },
] as const;

// Of strangers, and of users for themselves: half of what a recipient gets, so that the owner of an address that
// another person enters has the other half. With several sources that person leaves the owner the reserve, from which
// each source gets its first message of a day.
const bySource = "messages_of_recipient_by_source";
const ofSources = {
  email: [
    { name: bySource, most: 3, period: minutes(10), isOfStrangers: true },
    { name: bySource, most: 10, period: days(1), isOfStrangers: true },
    { name: bySource, most: 1, period: days(1), opensReserve: true, isOfStrangers: true },
  ],
  sms: [
    { name: bySource, most: 2, period: minutes(10), isOfStrangers: true },
    { name: bySource, most: 5, period: days(1), isOfStrangers: true },
    { name: bySource, most: 1, period: days(1), opensReserve: true, isOfStrangers: true },
  ],
} as const satisfies Record<BudgetChannel, readonly MessageBudget[]>;

// No source, and no site with many networks, has more than half of what an organization has, however little that is.
const shareOf = (ofOrganization: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor(ofOrganization / 2)));

// So many in all that the people of an office or a class find room behind one address, but no sender of bulk mail does.
const ofSignUps = (ofOrganization: number): readonly MessageBudget[] => [
  { name: "messages_of_source", most: 30, period: hours(1) },
  { name: "messages_of_source", most: shareOf(ofOrganization, 100), period: days(1) },
  { name: "messages_of_block", most: 120, period: hours(1) },
  { name: "messages_of_block", most: shareOf(ofOrganization, 400), period: days(1) },
];

// The same for whatever a source asks for, at as many recipients as it knows: a few accounts that enter one address
// after the other, or the names of many users, would otherwise take all that the organization has. More than for new
// accounts, which count here as well. In all organizations together, so that accounts in many of them do not take what
// the instance has either.
const ofStrangers = (channel: BudgetChannel, ofOrganization: number): readonly MessageBudget[] => {
  const [ofSource, ofBlock] = channel === "email" ? [200, 400] : [100, 200];
  return [
    { name: "messages_of_source", most: shareOf(ofOrganization, ofSource), period: days(1), isOfStrangers: true },
    { name: "messages_of_block", most: shareOf(ofOrganization, ofBlock), period: days(1), isOfStrangers: true },
  ];
};

/**
 * Creates the budgets. An organization has half of what its instance has, so that it can invite all its users and
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
      const ofOrganization = {
        name: organization,
        most: Math.max(1, Math.floor(most / 2)),
        period: days(1),
      } as const;
      if (purpose === "notice") return ofNotices(ofOrganization.most);
      if (purpose === "offer") return ofOffers;
      if (purpose === "sign_up") return ofSignUps(ofOrganization.most);
      const isShared = purpose === "code" || purpose === "reset";
      const shares = isShared ? [...ofSources[channel], ...ofStrangers(channel, ofOrganization.most)] : [];
      return [...shares, ...narrow[channel], ofOrganization, { name: "messages_of_instance", most, period: days(1) }];
    },
  };
}
