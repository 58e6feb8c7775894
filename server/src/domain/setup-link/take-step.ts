import type { Budgets } from "../../base/budget/budgets.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { SetupLink } from "./setup-link.ts";

/** Takes one change or test from the budget of a link. */
export function takeSetupStep(
  { budgets }: { readonly budgets: Budgets },
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  { linkId }: Pick<SetupLink, "linkId">,
): void {
  const wait = budgets.take("steps_of_setup_link", { instanceId, now, subject: linkId });
  if (wait === 0) return;
  throw new Fault("resource_exhausted", "request.too_many", { values: { seconds: Math.ceil(wait / 1000) } });
}
