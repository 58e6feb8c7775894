import { href } from "../../../src/html/index.ts";
import { accountParts } from "../../../src/pages/account/index.ts";
import { ada, long } from "./gallery-values.ts";

// What stands around every page of the account.
export const to = href("/ui/account");
export const hrefs = Object.fromEntries(accountParts.map((part) => [part, to])) as Record<
  (typeof accountParts)[number],
  typeof to
>;
export const frame = {
  account: ada,
  part: "home",
  hasAppointments: false,
  hrefs,
  others: [],
  otherAccountHref: to,
  signOutHref: to,
} as const;
export const longFrame = {
  ...frame,
  account: long,
  hasAppointments: true,
  others: [
    { ...ada, href: to },
    { ...long, href: to },
  ],
} as const;
export const form = { action: to, backHref: to };
