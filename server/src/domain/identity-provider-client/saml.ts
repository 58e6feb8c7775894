import { createPrivateKey } from "node:crypto";
import { readPost, SamlRefused, type SamlSigner } from "../../base/saml/index.ts";
import type { Secret } from "../../base/secret.ts";
import type { SamlConfiguration, SamlPartner } from "../identity-provider/index.ts";
import { checkAssertion } from "./check-assertion.ts";
import type { AssertionFlowClient, CompleteAssertion, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";
import type { SamlAddresses } from "./saml-addresses.ts";
import { toSamlIdentity } from "./saml-identity.ts";
import { samlAlgorithmOf, writeSamlRequest } from "./saml-request.ts";
import { readSamlResponse } from "./saml-response.ts";

export interface SamlProvider {
  readonly configuration: SamlConfiguration;
  readonly addresses: SamlAddresses;
  /** Our key at the provider, in PEM. */
  readonly key: Secret;
}

/** Creates a client of a SAML provider: the web browser sign-on profile, begun by us only (SAML Profiles §4.1). */
export function createSamlClient({ samlMetadata }: ProviderClientDeps, provider: SamlProvider): AssertionFlowClient {
  const { configuration, addresses } = provider;
  return {
    flow: "assertion",
    begin: async ({ instanceId, now, nonce, state, prompt, maxAgeSeconds }) => {
      const { singleSignOn, wantsSignedRequests } = await samlMetadata.get(instanceId, configuration);
      return writeSamlRequest(singleSignOn, {
        addresses,
        configuration,
        requestId: requestIdOf(nonce),
        relayState: state,
        now,
        // SAML has no maximum age: the user authenticates again, and the time is checked.
        mustAuthenticate: prompt === "login" || maxAgeSeconds !== undefined,
        signer: configuration.signsRequests || wantsSignedRequests ? samlSignerOf(provider) : undefined,
      });
    },
    complete: (answer) =>
      refusing(async () => {
        const partner = await samlMetadata.get(answer.instanceId, configuration);
        try {
          return await readAnswer(provider, answer, partner);
        } catch (error) {
          const isUnknownKey = error instanceof SamlRefused && error.reason === "signature";
          if (!isUnknownKey || configuration.metadataUrl === "") throw error;
          // The provider may have changed its keys since its metadata was fetched.
          return readAnswer(provider, answer, await samlMetadata.get(answer.instanceId, configuration, true));
        }
      }),
  };
}

/** Returns our key at a provider as it signs messages. */
export const samlSignerOf = ({ key, configuration }: Omit<SamlProvider, "addresses">): SamlSigner => ({
  key: createPrivateKey(key.reveal()),
  certificate: configuration.certificate,
  algorithm: samlAlgorithmOf(configuration),
});

// The nonce is as random as the state, and is kept for the answer. An ID begins with a letter or underscore.
const requestIdOf = (nonce: string): string => `_${nonce}`;

async function readAnswer(
  { configuration, addresses, key }: SamlProvider,
  { response, nonce, now, authenticatedSince }: CompleteAssertion,
  partner: SamlPartner,
) {
  const rules = { partner, addresses, requestId: requestIdOf(nonce), now };
  const allowsSha1 = configuration.signatureAlgorithm === "rsa_sha1";
  const decryption = { key: createPrivateKey(key.reveal()), allowsSha1 };
  const assertion = await readSamlResponse(readPost(response, "response"), { ...rules, ...decryption });
  checkAssertion(assertion, { ...rules, authenticatedSince });
  return toSamlIdentity(assertion, configuration, addresses);
}

async function refusing<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SamlRefused) throw new ProviderRefused("token_refused", error.reason);
    throw error;
  }
}
