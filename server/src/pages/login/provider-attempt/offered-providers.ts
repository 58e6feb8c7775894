import { type IdentityProvider, listActiveIdentityProviders } from "../../../domain/identity-provider/index.ts";
import { organizationOf } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Flow } from "../flow/flow.ts";

/**
 * Returns the providers that a login offers: those of the organization whose settings apply, otherwise of the instance.
 */
export const offeredProviders = (deps: PageDeps, { visit, steps }: Flow): Promise<readonly IdentityProvider[]> =>
  listActiveIdentityProviders(deps.database.read, {
    instanceId: visit.call.instanceId,
    organizationId: organizationOf(steps),
  });
