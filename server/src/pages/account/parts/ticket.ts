import type { PageDeps } from "../../deps.ts";
import * as tickets from "../../visit/ticket.ts";
import type { Account } from "./account.ts";

/** The purpose of a ticket; it is invalid for any other. */
export type TicketPurpose = "key" | "totp" | "recovery_codes";

/** Seals data that a page needs again with its form: only this browser can return it, for this account and purpose. */
export const sealTicket = (
  deps: PageDeps,
  account: Account,
  purpose: TicketPurpose,
  content: Readonly<Record<string, unknown>>,
): string => tickets.sealTicket(deps, account.visit, ticketPurpose(account, purpose), content);

/** Returns the sealed data; undefined when it belongs elsewhere, or has expired. */
export const openTicket = (
  deps: PageDeps,
  account: Account,
  purpose: TicketPurpose,
  sealed: string | null,
): Readonly<Record<string, unknown>> | undefined =>
  tickets.openTicket(deps, account.visit, ticketPurpose(account, purpose), sealed);

const ticketPurpose = ({ user }: Account, purpose: TicketPurpose): string => `account/${purpose}/${user.userId}`;
