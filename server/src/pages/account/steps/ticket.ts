import type { PageDeps } from "../../deps.ts";
import * as tickets from "../../visit/ticket.ts";
import type { Account } from "./account.ts";

/** What a ticket is for; one for something else means nothing. */
export type TicketPurpose = "key" | "totp" | "recovery_codes";

/** Seals what a page needs again with its form: only this browser, for this account and purpose, can bring it back. */
export const sealTicket = (
  deps: PageDeps,
  account: Account,
  purpose: TicketPurpose,
  content: Readonly<Record<string, unknown>>,
): string => tickets.sealTicket(deps, account.visit, placeOf(account, purpose), content);

/** What was sealed; undefined when it was not for here, or is too old. */
export const openTicket = (
  deps: PageDeps,
  account: Account,
  purpose: TicketPurpose,
  sealed: string | null,
): Readonly<Record<string, unknown>> | undefined =>
  tickets.openTicket(deps, account.visit, placeOf(account, purpose), sealed);

const placeOf = ({ user }: Account, purpose: TicketPurpose): string => `account/${purpose}/${user.userId}`;
