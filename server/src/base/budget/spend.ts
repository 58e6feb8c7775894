import { Fault } from "../fault.ts";
import type { Budgets } from "./budgets.ts";

/** Takes from a budget. Throws the Fault `request.too_many` when it is used up. */
export function spend(budgets: Budgets, ...taken: Parameters<Budgets["take"]>): void {
  const wait = budgets.take(...taken);
  if (wait > 0) throw tooManyRequests(wait);
}

/** Returns the Fault `request.too_many` with the milliseconds until there is room again. */
export const tooManyRequests = (wait: number): Fault =>
  new Fault("resource_exhausted", "request.too_many", { values: { seconds: Math.ceil(wait / 1000) } });
