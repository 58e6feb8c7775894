import {
  findIdentityProvider,
  type IdentityProvider,
  type SamlConfiguration,
} from "../../domain/identity-provider/index.ts";
import type { WebRequest } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";

/** Finds the SAML provider in the address of a request, in any state. */
export async function findSamlProvider(
  { database }: Pick<PageDeps, "database">,
  { call, pathVariables }: WebRequest,
): Promise<IdentityProvider<SamlConfiguration> | undefined> {
  const id = pathVariables["identityProviderId"] ?? "";
  const provider = await findIdentityProvider(database.read, call.instanceId, id);
  if (provider?.configuration.kind !== "saml") return undefined;
  return { ...provider, configuration: provider.configuration };
}

/** Reads a relay state of ours; undefined for what is none (SAML Bindings §3.5.3: at most 80 bytes). */
export function relayStateIn(given: URLSearchParams): string | undefined {
  const [state, ...others] = given.getAll("RelayState");
  return state === undefined || state === "" || state.length > 80 || others.length > 0 ? undefined : state;
}
