import assert from "node:assert/strict";
import fc from "fast-check";
import { accept, type FamilyFixtures, introspect, nodeAt } from "./family-fixtures.ts";
import { type FamilyModel, isActive } from "./family-model.ts";
import { lifeSteps } from "./life-steps.ts";
import type { Step } from "./step.ts";
import { tokenSteps } from "./token-steps.ts";

type Command = fc.AsyncCommand<FamilyModel, FamilyFixtures>;

/** Requires of every access token what the model says of it, on one node, of all that look at access tokens. */
export async function askAfterAll(model: FamilyModel, fixtures: FamilyFixtures, node: number): Promise<void> {
  const real = await Promise.all(
    fixtures.accessTokens.map((_, index) => introspect(fixtures, nodeAt(fixtures, node), index)),
  );
  assert.deepEqual(real, wishes(model), "active access tokens");
  const accepted = await Promise.all(
    fixtures.accessTokens.map((_, index) => accept(fixtures, nodeAt(fixtures, node), index)),
  );
  assert.deepEqual(accepted, wishes(model), "access tokens that are taken");
}

/** Sequences of steps, each on one of the nodes. */
export function familyCommands(length: number): fc.Arbitrary<Iterable<Command>> {
  const arbitraries = [...tokenSteps, ...lifeSteps].flatMap((step) =>
    Array.from({ length: step.weight }, () =>
      fc.tuple(fc.nat(10_000), fc.nat(1)).map(([choice, node]) => toCommand(step, choice, node)),
    ),
  );
  // Without bias, which makes the first sequences so short that hardly anything happens in them.
  return fc.noBias(fc.commands(arbitraries, { maxCommands: length, size: "max" }));
}

function toCommand(step: Step, choice: number, node: number): Command {
  let did = "";
  return {
    check: (model) => step.pick(model, choice) !== undefined,
    run: async (model, fixtures) => {
      const subject = step.pick(model, choice);
      if (subject === undefined) return;
      did = ` ${subject}`;
      const before = wishes(model);
      await step.run(model, fixtures, subject, node);
      // What the step should have changed is looked at where it did not happen.
      const isChanged = before.some((isGood, index) => isGood !== isActive(model, index));
      if (isChanged) await askAfterAll(model, fixtures, node + 1);
    },
    toString: () => `${step.name}${did} (node ${node + 1})`,
  };
}

const wishes = (model: FamilyModel): boolean[] => model.accessTokens.map((_, index) => isActive(model, index));
