import { freshForForm as fresh } from "../../../domain/user/index.ts";

/** The destination of a login without a waiting application. */
export interface Goal {
  readonly path: string;
  /** Maximal age in milliseconds of each check that the user's sign-in requires; unlimited when absent. */
  readonly maxAge?: number;
}

/**
 * A login leads only to our own pages, and an address selects them by name, so that it cannot redirect users elsewhere.
 */
export const goals = {
  account: { path: "/ui/account" },
  "account-profile": { path: "/ui/account/profile" },
  "account-methods-list": { path: "/ui/account/methods" },
  "account-sessions": { path: "/ui/account/sessions" },
  "account-applications": { path: "/ui/account/applications" },
  "account-appointments": { path: "/ui/account/appointments" },
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
  "account-appointment": { path: "/ui/account/appointments", maxAge: fresh },
  "account-methods": { path: "/ui/account/methods", maxAge: fresh },
} as const satisfies Readonly<Record<string, Goal>>;
export type GoalName = keyof typeof goals;

export const isGoal = (name: string): name is GoalName => Object.hasOwn(goals, name);

/** Returns the name of a goal; undefined for any other word. */
export const goalNamed = (name: string | null): GoalName | undefined =>
  name !== null && isGoal(name) ? name : undefined;

export const goalOf = (name: GoalName): Goal => goals[name];
