import type { Budgets } from "../../base/budget/budgets.ts";
import { spend } from "../../base/budget/spend.ts";
import type { Call } from "../../call/index.ts";
import type { SetupLink } from "./setup-link.ts";

/** Takes one change or test from the budget of a link. */
export function takeSetupStep(
  { budgets }: { readonly budgets: Budgets },
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  { linkId }: Pick<SetupLink, "linkId">,
): void {
  spend(budgets, "steps_of_setup_link", { instanceId, now, subject: linkId });
}
