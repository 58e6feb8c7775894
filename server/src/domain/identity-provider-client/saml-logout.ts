import { type Instant, minutes, toIso } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";
import {
  attributeOf,
  type BrowserBinding,
  childrenOf,
  instantOf,
  isNamed,
  nameIdFormats,
  onlyChildOf,
  readCertificate,
  readPost,
  readRedirect,
  readXml,
  SamlRefused,
  type SamlSigner,
  signElement,
  statusCodes,
  textIn,
  verifyRedirect,
  verifySignature,
  writePost,
  writeRedirect,
  type XmlElement,
  xml,
} from "../../base/saml/index.ts";
import type { Vault } from "../../base/vault.ts";
import {
  type IdentityProvider,
  openProviderSecret,
  type SamlConfiguration,
  type SamlPartner,
} from "../identity-provider/index.ts";
import type { ExternalSession } from "./external-identity.ts";
import { ProviderRefused } from "./provider-refused.ts";
import { samlSignerOf } from "./saml.ts";
import { samlAddressesOf } from "./saml-addresses.ts";
import type { SamlMetadataCache } from "./saml-metadata-cache.ts";
import { samlClockSkew } from "./saml-response.ts";

export interface SamlLogoutDeps {
  readonly vault: Pick<Vault, "decrypt">;
  readonly random: Random;
  readonly samlMetadata: SamlMetadataCache;
}

type SamlProvider = IdentityProvider<SamlConfiguration>;

// Older requests are copies.
const longestAge = minutes(5);

export interface OwnLogout {
  readonly origin: string;
  readonly instanceId: string;
  readonly now: Instant;
  readonly state: string;
  readonly session: ExternalSession;
}

/**
 * Writes the address that ends the session at a provider (SAML Core §3.7.1), signed. Undefined when the provider has no
 * logout by redirect, or cannot be used now: the user is signed out here anyway.
 */
export async function writeLogoutRequest(
  deps: SamlLogoutDeps,
  provider: SamlProvider,
  { origin, instanceId, now, state, session }: OwnLogout,
): Promise<string | undefined> {
  const partner = await partnerOf(deps, instanceId, provider);
  const destination = partner?.singleLogout.find(({ binding }) => binding === "redirect")?.location;
  if (destination === undefined) return undefined;
  const { entityId } = samlAddressesOf(origin, provider.identityProviderId);
  const { nameId, nameIdValues, sessionIndex } = session;
  const message = xml("samlp:LogoutRequest", { ...headOf(deps, now), Destination: destination }, [
    xml("saml:Issuer", {}, [entityId]),
    xml("saml:NameID", nameIdValues, [nameId]),
    sessionIndex === null ? undefined : xml("samlp:SessionIndex", {}, [sessionIndex]),
  ]);
  const signer = signerOf(deps, provider);
  return writeRedirect({ destination, parameter: "SAMLRequest", message, relayState: state, signer });
}

/** A logout that a provider began. */
export interface LogoutOfProvider {
  readonly requestId: string;
  /** When it was issued by our clock at the latest: the provider's may be behind. Later sessions are not meant. */
  readonly issuedBy: Instant;
  readonly nameId: string;
  /** The format of the name; `unspecified` for any. */
  readonly format: string;
  /** All sessions of the account when empty. */
  readonly sessionIndexes: readonly string[];
}

/** A message as it came: a raw query, or the field of a form. */
export type LogoutMessage = { readonly query: string } | { readonly field: string };

/**
 * Proves a logout request of a provider: signed with one of its keys, for us, and recent. Throws SamlRefused or
 * ProviderRefused.
 */
export async function readLogoutRequest(
  { samlMetadata }: SamlLogoutDeps,
  provider: SamlProvider,
  { message, origin, instanceId, now }: Omit<OwnLogout, "state" | "session"> & { readonly message: LogoutMessage },
): Promise<LogoutOfProvider> {
  const { entityId, signingCertificates } = await samlMetadata.get(instanceId, provider.configuration);
  const allowsSha1 = provider.configuration.signatureAlgorithm === "rsa_sha1";
  const rules = { keys: signingCertificates.map((each) => readCertificate(each).key), allowsSha1 };
  const request = await provenMessage(message, rules);
  const { logout } = samlAddressesOf(origin, provider.identityProviderId);
  const isRequest = isNamed(request, "samlp", "LogoutRequest") && attributeOf(request, "Version") === "2.0";
  if (!isRequest) throw new SamlRefused("unexpected_structure");
  if (textIn(onlyChildOf(request, "saml", "Issuer")) !== entityId) throw new ProviderRefused("issuer_mismatch");
  if (attributeOf(request, "Destination") !== logout) throw new ProviderRefused("token_refused", "destination");
  const issuedAt = instantOf(request, "IssueInstant");
  const end = instantOf(request, "NotOnOrAfter") ?? Number.POSITIVE_INFINITY;
  const isRecent = issuedAt !== undefined && issuedAt > now - longestAge && issuedAt <= now + samlClockSkew;
  if (!isRecent || end <= now - samlClockSkew) throw new ProviderRefused("token_refused", "time");
  const nameId = onlyChildOf(request, "saml", "NameID");
  return {
    requestId: attributeOf(request, "ID") ?? "",
    issuedBy: issuedAt + samlClockSkew,
    nameId: textIn(nameId),
    format: attributeOf(nameId, "Format") ?? nameIdFormats.unspecified,
    sessionIndexes: childrenOf(request, "samlp", "SessionIndex").map(textIn),
  };
}

async function provenMessage(
  message: LogoutMessage,
  rules: Parameters<typeof verifySignature>[1],
): Promise<XmlElement> {
  if ("field" in message) {
    const document = await readXml(readPost(message.field, "request"), { kind: "request" });
    return verifySignature(document, { ...rules, kind: "request" });
  }
  const redirect = await readRedirect(message.query, "SAMLRequest");
  verifyRedirect(redirect, rules);
  return readXml(redirect.message, { kind: "request" });
}

/** The answer to a logout request: an address, or with `form` the fields that the browser posts there. */
export interface LogoutAnswer {
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
}

/** Writes the signed answer to a logout request; undefined when the provider has no address for it. */
export async function writeLogoutResponse(
  deps: SamlLogoutDeps,
  provider: SamlProvider,
  {
    origin,
    instanceId,
    now,
    requestId,
    binding,
    relayState,
  }: Omit<OwnLogout, "state" | "session"> & {
    readonly requestId: string;
    readonly binding: BrowserBinding;
    readonly relayState: string | undefined;
  },
): Promise<LogoutAnswer | undefined> {
  const { singleLogout } = await deps.samlMetadata.get(instanceId, provider.configuration);
  const byBrowser = singleLogout.filter((each) => each.binding !== "soap");
  const endpoint = byBrowser.find((each) => each.binding === binding) ?? byBrowser[0];
  if (endpoint === undefined) return undefined;
  const destination = endpoint.responseLocation ?? endpoint.location;
  const { entityId } = samlAddressesOf(origin, provider.identityProviderId);
  const message = xml(
    "samlp:LogoutResponse",
    { ...headOf(deps, now), Destination: destination, InResponseTo: requestId },
    [
      xml("saml:Issuer", {}, [entityId]),
      xml("samlp:Status", {}, [xml("samlp:StatusCode", { Value: statusCodes.success })]),
    ],
  );
  const signer = signerOf(deps, provider);
  if (endpoint.binding === "redirect") {
    return { url: await writeRedirect({ destination, parameter: "SAMLResponse", message, relayState, signer }) };
  }
  const SAMLResponse = writePost(await signElement(message, signer));
  return { url: destination, form: { SAMLResponse, ...(relayState !== undefined && { RelayState: relayState }) } };
}

const headOf = ({ random }: SamlLogoutDeps, now: Instant) => ({
  ID: `_${random(16).toString("hex")}`,
  Version: "2.0",
  IssueInstant: toIso(now),
});

function signerOf({ vault }: SamlLogoutDeps, provider: SamlProvider): SamlSigner {
  const key = openProviderSecret(vault, provider);
  if (key === undefined) throw new Error("a SAML provider without a key");
  return samlSignerOf({ key, configuration: provider.configuration });
}

async function partnerOf(
  { samlMetadata }: SamlLogoutDeps,
  instanceId: string,
  { configuration }: SamlProvider,
): Promise<SamlPartner | undefined> {
  try {
    return await samlMetadata.get(instanceId, configuration);
  } catch (error) {
    if (error instanceof ProviderRefused) return undefined;
    throw error;
  }
}
