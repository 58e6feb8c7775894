import type { Outbound } from "../../../base/outbound/index.ts";
import type { Call } from "../../../call/index.ts";
import { type AddIdentityProviderDeps, addIdentityProvider, checkNewProvider } from "../add-identity-provider.ts";
import { requireWriting } from "../authorize-providers.ts";
import { checkAddress } from "../check-provider.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { generateProviderKey, type ProviderKeyDeps } from "./saml-key.ts";
import { loadMetadata, type MetadataSource } from "./saml-metadata.ts";
import type { SamlConfiguration } from "./saml-provider.ts";

/** Dependencies of what loads metadata and generates keys. */
export interface SamlProviderDeps extends ProviderKeyDeps {
  readonly outbound: Outbound;
}

/** What callers decide about a SAML provider, besides its metadata. */
export type SamlSettings = Omit<SamlConfiguration, "kind" | "metadataUrl" | "metadata" | "partner" | "certificate">;

export interface NewSamlProvider extends Pick<IdentityProvider, "ownerOrganizationId" | "name" | "options"> {
  readonly metadata: MetadataSource;
  readonly settings: SamlSettings;
}

/**
 * Adds an active SAML provider with a new key of ours. Its metadata is fetched first when it is an address. The key is
 * made last: what is refused costs none.
 */
export async function addSamlProvider(
  deps: AddIdentityProviderDeps & SamlProviderDeps,
  call: Call,
  { metadata, settings, ...input }: NewSamlProvider,
): Promise<IdentityProvider> {
  await requireWriting(deps.database.read, call, input.ownerOrganizationId);
  if ("url" in metadata) checkAddress(deps, "metadataUrl", metadata.url);
  const loaded = await loadMetadata(deps.outbound, metadata, call.now);
  const configuration = { kind: "saml", ...loaded, certificate: "", ...settings } as const;
  checkNewProvider(deps, call, { ...input, configuration });
  const { privateKey: secret, certificate } = await generateProviderKey(deps, call, input);
  return addIdentityProvider(deps, call, { ...input, configuration: { ...configuration, certificate }, secret });
}
