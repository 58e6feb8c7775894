import type { Call } from "../../../call/index.ts";
import { checkKept, findWritable, type ProviderKey } from "../change-provider.ts";
import type { IdentityProvider } from "../identity-provider.ts";
import { type UpdateIdentityProviderDeps, updateIdentityProvider } from "../update-identity-provider.ts";
import type { SamlProviderDeps } from "./add-saml-provider.ts";
import { generateProviderKey } from "./saml-key.ts";

/**
 * Replaces our key at a SAML provider, and its certificate. From then on the provider has to know the new certificate:
 * requests are signed, and assertions decrypted, with the new key only.
 */
export async function regenerateSamlCertificate(
  deps: UpdateIdentityProviderDeps & SamlProviderDeps,
  call: Call,
  key: Omit<ProviderKey, "kinds">,
): Promise<IdentityProvider> {
  const ofKind = { ...key, kinds: ["saml"] } as const;
  // Before the key is generated: only a change that is not refused may cost us that.
  const found = await findWritable(deps.database.read, call, ofKind);
  checkKept(deps, call, found);
  const { privateKey: secret, certificate } = await generateProviderKey(deps, call, found);
  return updateIdentityProvider<"saml">(deps, call, {
    ...ofKind,
    change: ({ configuration }) => ({ configuration: { ...configuration, certificate }, secret }),
  });
}
