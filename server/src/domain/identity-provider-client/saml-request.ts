import { type Instant, toIso } from "../../base/clock.ts";
import {
  bindings,
  nameIdFormats,
  type SamlAlgorithm,
  type SamlEndpoint,
  type SamlSigner,
  signElement,
  writePost,
  writeRedirect,
  type XmlElement,
  xml,
} from "../../base/saml/index.ts";
import type { SamlConfiguration } from "../identity-provider/index.ts";
import type { BegunSignIn } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";
import type { SamlAddresses } from "./saml-addresses.ts";

/** The formats of name identifiers that requests ask for; undefined for any. */
export const askedFormats: Readonly<Record<SamlConfiguration["nameIdFormat"], string | undefined>> = {
  unspecified: undefined,
  email_address: nameIdFormats.emailAddress,
  persistent: nameIdFormats.persistent,
  transient: nameIdFormats.transient,
};

const algorithms: Readonly<Record<SamlConfiguration["signatureAlgorithm"], SamlAlgorithm>> = {
  unspecified: "RSA-SHA256",
  rsa_sha1: "RSA-SHA1",
  rsa_sha256: "RSA-SHA256",
  rsa_sha512: "RSA-SHA512",
};

/** Returns the algorithm with which a configuration has messages signed. */
export const samlAlgorithmOf = ({ signatureAlgorithm }: SamlConfiguration): SamlAlgorithm =>
  algorithms[signatureAlgorithm];

export interface SamlRequestRules {
  readonly addresses: SamlAddresses;
  readonly configuration: SamlConfiguration;
  readonly requestId: string;
  readonly relayState: string;
  readonly now: Instant;
  readonly mustAuthenticate: boolean;
  /** Signs the request; undefined when neither the configuration nor the provider asks for it. */
  readonly signer: SamlSigner | undefined;
}

/** Builds the request that sends a browser to a provider (SAML Core §3.4.1), by the binding of its configuration. */
export async function writeSamlRequest(
  singleSignOn: readonly SamlEndpoint[],
  rules: SamlRequestRules,
): Promise<BegunSignIn> {
  const { configuration, relayState, signer } = rules;
  const endpoint = singleSignOn.find(({ binding }) => binding === configuration.binding) ?? singleSignOn[0];
  if (endpoint === undefined) throw new ProviderRefused("discovery_invalid");
  const { location: destination } = endpoint;
  const message = authnRequest(destination, rules);
  if (endpoint.binding === "redirect") {
    const url = await writeRedirect({ destination, parameter: "SAMLRequest", message, relayState, signer });
    return { url, hasChallenge: false };
  }
  const signed = signer === undefined ? message : await signElement(message, signer);
  const form = { SAMLRequest: writePost(signed), RelayState: relayState };
  return { url: destination, form, hasChallenge: false };
}

function authnRequest(destination: string, rules: SamlRequestRules): XmlElement {
  const { addresses, configuration, requestId, now, mustAuthenticate } = rules;
  return xml(
    "samlp:AuthnRequest",
    {
      ID: requestId,
      Version: "2.0",
      IssueInstant: toIso(now),
      Destination: destination,
      AssertionConsumerServiceURL: addresses.consumer,
      ProtocolBinding: bindings.post,
      ForceAuthn: mustAuthenticate ? true : undefined,
    },
    [
      xml("saml:Issuer", {}, [addresses.entityId]),
      xml("samlp:NameIDPolicy", { Format: askedFormats[configuration.nameIdFormat], AllowCreate: true }),
    ],
  );
}
