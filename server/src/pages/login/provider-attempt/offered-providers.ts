import {
  findOfferedProvider,
  type IdentityProvider,
  listActiveIdentityProviders,
  type ProviderSummary,
} from "../../../domain/identity-provider/index.ts";
import { organizationOf } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Flow } from "../flow/flow.ts";

/**
 * Returns the providers that a login offers: those of the organization whose settings apply, otherwise of the instance.
 */
export const offeredProviders = (deps: PageDeps, flow: Flow): Promise<readonly ProviderSummary[]> =>
  listActiveIdentityProviders(deps.database.read, scopeOf(flow));

/** Finds the one of them that was chosen. */
export const findChosenProvider = (
  deps: PageDeps,
  flow: Flow,
  identityProviderId: string,
): Promise<IdentityProvider | undefined> => findOfferedProvider(deps.database.read, scopeOf(flow), identityProviderId);

const scopeOf = ({ visit, steps }: Flow) => ({
  instanceId: visit.call.instanceId,
  organizationId: organizationOf(steps),
});
