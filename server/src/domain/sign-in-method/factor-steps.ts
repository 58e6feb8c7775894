import { type FactorDeps, importFactors } from "../factor/index.ts";
import type { OriginOf } from "../instance/index.ts";
import type { FactorSteps } from "../user/index.ts";
import { issuePasskeyCode, toPasskeyLink } from "../webauthn-key/index.ts";

/** Creates the steps with which the module `user` gives factors to new users. */
export const createFactorSteps = (
  deps: Pick<FactorDeps, "newId" | "random" | "vault" | "messageBudgets"> & { readonly originOf: OriginOf },
): FactorSteps => ({
  importFactors: (tx, user, factors) => importFactors(tx, deps, user, factors),
  addPasskeyCode: async (tx, user) => (await issuePasskeyCode(tx, deps, user, { by: "return" })).code,
  passkeyLinkOf: async ({ instanceId }, user, code) => toPasskeyLink(await deps.originOf(instanceId), user, code),
});
