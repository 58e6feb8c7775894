import { peerScenarios } from "./peer-scenarios.ts";
import { productScenarios } from "./product-scenarios.ts";
import type { Scenario, ScenarioName, Target } from "./scenario.ts";

/** Whether a server has the scenario at all. */
export function hasScenario(kind: Target["kind"], name: string): boolean {
  const scenarios = kind === "product" ? productScenarios : peerScenarios;
  return name in scenarios;
}

/** The scenario as it is for a server. */
export function scenarioOf(target: Target, name: string): Scenario {
  const scenario =
    target.kind === "product"
      ? productScenarios[name as ScenarioName](target)
      : peerScenarios[name as ScenarioName]?.(target);
  if (scenario === undefined) throw new Error(`${target.kind} has no scenario ${name}`);
  return scenario;
}
