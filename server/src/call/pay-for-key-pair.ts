import type { BudgetName, Budgets } from "../base/budget/budgets.ts";
import { askFor, type Payer } from "../base/budget/payer.ts";
import { tooManyRequests } from "../base/budget/spend.ts";
import { type KeyPairKind, weightOf } from "../base/key-pair.ts";
import type { Scope } from "./access.ts";
import { requireCaller } from "./authorize.ts";
import type { Call, Caller } from "./call.ts";

/** What gets a key pair: something of the instance, or in the scope of an organization. */
type KeyOwner =
  | "instance"
  | (Scope & {
      readonly organizationId: string;
      /** With which those who administer it give it one. */
      readonly permission: string;
    });

interface PaidKeyPair {
  readonly kind: KeyPairKind;
  readonly owner: KeyOwner;
}

/** Returns the owner of what belongs to an organization, or to the instance when the id is empty. */
export const keyOwnerOf = (organizationId: string, permission: string): KeyOwner =>
  organizationId === "" ? "instance" : { organizationId, permission };

/**
 * Generates a key pair at the expense of the caller and of the owner of what gets it, once everything that a read can
 * refuse is known: what is refused costs nothing, and neither does what is not generated. Throws the Fault
 * `request.too_many`.
 */
export async function payForKeyPair<Pair>(
  { budgets }: { readonly budgets: Budgets },
  call: Call,
  { kind, owner }: PaidKeyPair,
  generate: () => Promise<Pair>,
): Promise<Pair> {
  const { instanceId, now } = call;
  const { shares, payer } = expenseOf(instanceId, requireCaller(call), owner);
  const weight = weightOf(kind);
  const taken: Share[] = [];
  const giveBack = (): void => {
    for (const [name, subject] of taken) budgets.giveBack(name, { instanceId, now, subject }, weight);
  };
  for (const share of shares) {
    const [name, subject] = share;
    const wait = budgets.take(name, { instanceId, now, subject }, weight);
    if (wait > 0) {
      giveBack();
      throw tooManyRequests(wait);
    }
    taken.push(share);
  }
  try {
    return await askFor(payer, generate);
  } catch (error) {
    giveBack();
    throw error;
  }
}

type Share = readonly [name: Extract<BudgetName, `key_pairs_of_${string}`>, subject: string];

interface Expense {
  readonly shares: readonly Share[];
  /** Whose turn it is. */
  readonly payer: Payer;
}

// Ids contain no spaces.
const guests = "all guests";

/**
 * Returns what is charged. Of the budget of an organization, and of the turns that may wait for it, its guests have a
 * part: those who are at home elsewhere, or act by no role there, as service accounts for themselves and the holders of
 * setup links do. So they never use up what its administrators need.
 */
function expenseOf(instanceId: string, caller: Caller, owner: KeyOwner): Expense {
  const { userId, setupLinkId } = caller;
  const own: Share =
    setupLinkId === undefined ? ["key_pairs_of_caller", userId] : ["key_pairs_of_setup_link", setupLinkId];
  if (owner === "instance") {
    return { shares: [own, ["key_pairs_of_instance", ""]], payer: [instanceId, "", userId] };
  }
  const { organizationId } = owner;
  const ofOrganization: Share = ["key_pairs_of_organization", organizationId];
  if (administers(caller, owner)) {
    return { shares: [own, ofOrganization], payer: [instanceId, organizationId, userId] };
  }
  const guest = setupLinkId ?? userId;
  const ofGuests: readonly Share[] = [
    ["key_pairs_of_guest", `${organizationId}\n${guest}`],
    ["key_pairs_of_guests", organizationId],
  ];
  return { shares: [own, ...ofGuests, ofOrganization], payer: [instanceId, organizationId, guests, guest] };
}

/** Whether a caller administers an organization as one of its users, or as an administrator of the instance. */
function administers(
  { organizationId, setupLinkId, access }: Caller,
  { permission, ...scope }: Exclude<KeyOwner, "instance">,
): boolean {
  if (setupLinkId !== undefined) return false;
  return access.allows(permission, {}) || (organizationId === scope.organizationId && access.allows(permission, scope));
}
