import type { Budgets } from "../../../base/budget/budgets.ts";
import { days } from "../../../base/clock.ts";
import type { Random } from "../../../base/random.ts";
import { generateSamlKeyPair, type SamlKeyPair, samlKeyPairKind } from "../../../base/saml/index.ts";
import { type Call, keyOwnerOf, payForKeyPair } from "../../../call/index.ts";
import type { IdentityProvider } from "../identity-provider.ts";

// Partners compare the certificate with our metadata; some also refuse it when it expires.
const lifetime = days(3650);

export interface ProviderKeyDeps {
  readonly random: Random;
  readonly budgets: Budgets;
}

/**
 * Generates our key at a SAML provider, with its certificate, at the expense of a caller who was authorized and of the
 * owner of the provider. Takes some tenths of a second: never inside a change.
 */
export function generateProviderKey(
  deps: ProviderKeyDeps,
  call: Call,
  { ownerOrganizationId }: Pick<IdentityProvider, "ownerOrganizationId">,
): Promise<SamlKeyPair> {
  const owner = keyOwnerOf(ownerOrganizationId, "org.idp.write");
  return payForKeyPair(deps, call, { kind: samlKeyPairKind, owner }, () =>
    generateSamlKeyPair({
      random: deps.random,
      commonName: "SAML service provider",
      notBefore: call.now - days(1),
      notAfter: call.now + lifetime,
      signal: call.gone?.(),
    }),
  );
}
