import type { Call } from "../../../call/index.ts";
import type { ProviderKey } from "../change-provider.ts";
import { checkAddress } from "../check-provider.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { type UpdateIdentityProviderDeps, updateIdentityProvider } from "../update-identity-provider.ts";
import type { SamlProviderDeps, SamlSettings } from "./add-saml-provider.ts";
import { loadMetadata, type MetadataSource } from "./saml-metadata.ts";

export interface SamlProviderUpdate extends Omit<ProviderKey, "kinds"> {
  readonly name: string;
  readonly options: IdentityProvider["options"];
  /** The present metadata stays when not given. */
  readonly metadata: MetadataSource | undefined;
  /** Absent members stay. */
  readonly settings: Partial<SamlSettings>;
}

/** Changes a SAML provider. Its metadata is fetched first when it is an address. Our key stays. */
export async function updateSamlProvider(
  deps: UpdateIdentityProviderDeps & SamlProviderDeps,
  call: Call,
  { name, options, metadata, settings, ...key }: SamlProviderUpdate,
): Promise<IdentityProvider> {
  if (metadata !== undefined && "url" in metadata) checkAddress(deps, "metadataUrl", metadata.url);
  const loaded = metadata && (await loadMetadata(deps.outbound, metadata, call.now));
  return updateIdentityProvider<"saml">(deps, call, {
    ...key,
    kinds: ["saml"],
    change: ({ configuration }) => ({ name, options, configuration: { ...configuration, ...loaded, ...settings } }),
  });
}
