import { minutes } from "../../../base/clock.ts";

/** Where a login leads that no application waits for. */
export interface Goal {
  readonly path: string;
  /** Milliseconds that each check may be old that the person needs to sign in with; any age where there is none. */
  readonly maxAge?: number;
}

/**
 * What changes the ways into an account demands a full authentication of the last ten minutes. A page that leads to it demands the last five, so
 * that there is time to fill it in.
 */
const fresh = minutes(5);

/** A login leads to our own pages only, and an address names them by word: so nobody can send people anywhere else with it. */
export const goals = {
  account: { path: "/ui/account" },
  "account-profile": { path: "/ui/account/profile" },
  "account-methods-list": { path: "/ui/account/methods" },
  "account-sessions": { path: "/ui/account/sessions" },
  "account-applications": { path: "/ui/account/applications" },
  "account-activity": { path: "/ui/account/activity" },
  "account-data-overview": { path: "/ui/account/data" },
  "account-email": { path: "/ui/account/email", maxAge: fresh },
  "account-phone": { path: "/ui/account/phone", maxAge: fresh },
  "account-username": { path: "/ui/account/username", maxAge: fresh },
  "account-password": { path: "/ui/account/password", maxAge: fresh },
  "account-passkey": { path: "/ui/account/passkey", maxAge: fresh },
  "account-security-key": { path: "/ui/account/security-key", maxAge: fresh },
  "account-totp": { path: "/ui/account/totp", maxAge: fresh },
  "account-recovery-codes": { path: "/ui/account/recovery-codes", maxAge: fresh },
  "account-data": { path: "/ui/account/data", maxAge: fresh },
  "account-delete": { path: "/ui/account/delete", maxAge: fresh },
  "account-methods": { path: "/ui/account/methods", maxAge: fresh },
} as const satisfies Readonly<Record<string, Goal>>;
export type GoalName = keyof typeof goals;

export const isGoal = (name: string): name is GoalName => Object.hasOwn(goals, name);

/** The goal of that word; undefined for a word that is none. */
export const goalNamed = (name: string | null): GoalName | undefined =>
  name !== null && isGoal(name) ? name : undefined;

export const goalOf = (name: GoalName): Goal => goals[name];
