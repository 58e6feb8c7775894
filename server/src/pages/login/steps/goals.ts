import { minutes } from "../../../base/clock.ts";

/** Where a login leads that no application waits for. */
export interface Goal {
  readonly path: string;
  /** Milliseconds that each check may be old that the person needs to sign in with; any age where there is none. */
  readonly maxAge?: number;
}

/** What changes the ways into an account demands a full authentication of the last minutes. */
const fresh = minutes(10);

/** A login leads to our own pages only, and an address names them by word: so nobody can send people anywhere else with it. */
export const goals = {
  account: { path: "/ui/account" },
  "account-methods": { path: "/ui/account/methods", maxAge: fresh },
} as const satisfies Readonly<Record<string, Goal>>;
export type GoalName = keyof typeof goals;

export const isGoal = (name: string): name is GoalName => Object.hasOwn(goals, name);

export const goalOf = (name: GoalName): Goal => goals[name];
