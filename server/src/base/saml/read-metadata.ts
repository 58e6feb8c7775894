import type { Instant } from "../clock.ts";
import { readCertificate } from "./certificate.ts";
import { documentLimits } from "./document-limits.ts";
import { type BrowserBinding, bindings, type SamlBinding, samlProtocol } from "./names.ts";
import { readXml } from "./read-xml.ts";
import { SamlRefused } from "./saml-refused.ts";
import { attributeOf, childrenOf, flagOf, instantOf, isNamed, textIn, type XmlElement } from "./xml-element.ts";

/** An address of a partner, for one binding. Bindings that we do not use there are left out. */
export interface SamlEndpoint<Binding extends SamlBinding = BrowserBinding> {
  readonly binding: Binding;
  readonly location: string;
  /** Where responses go, if not to `location`. */
  readonly responseLocation: string | undefined;
}

/** An address with a number, which requests may name instead (SAML Metadata §2.2.3). */
interface IndexedEndpoint extends SamlEndpoint {
  readonly index: number;
  /** Undefined when the metadata does not say. */
  readonly isDefault: boolean | undefined;
}

/** What both roles have. Certificates are DER in base64. */
interface SamlRole {
  readonly signingCertificates: readonly string[];
  readonly encryptionCertificates: readonly string[];
  readonly singleLogout: readonly SamlEndpoint<SamlBinding>[];
  readonly nameIdFormats: readonly string[];
}

interface IdentityProviderRole extends SamlRole {
  readonly singleSignOn: readonly SamlEndpoint[];
  readonly wantsSignedRequests: boolean;
}

export interface ServiceProviderRole extends SamlRole {
  readonly assertionConsumers: readonly IndexedEndpoint[];
  readonly signsRequests: boolean;
  readonly wantsSignedAssertions: boolean;
}

/** What a partner says of itself. Trusted as far as the caller trusts who supplied the document. */
export interface PartnerMetadata {
  readonly entityId: string;
  readonly validUntil: Instant | undefined;
  readonly identityProvider: IdentityProviderRole | undefined;
  readonly serviceProvider: ServiceProviderRole | undefined;
}

/** Largest metadata in bytes. */
export const largestMetadata = documentLimits.metadata.bytes;
const mostEndpoints = 50;
const mostCertificates = 10;
const mostFormats = 20;
const longestEntityId = 1024;
const longestLocation = 2048;

/**
 * Reads the metadata of one partner (SAML Metadata §2.3). Unknown extensions are skipped; a certificate that cannot be
 * used, a repeated role or an address that is not one of the web refuses it. Throws SamlRefused.
 */
export async function readMetadata(document: Buffer | string, now: Instant): Promise<PartnerMetadata> {
  const root = await readXml(document, { kind: "metadata", skipsComments: true });
  const entity = entityIn(root);
  const entityId = attributeOf(entity, "entityID") ?? "";
  if (entityId === "" || entityId.length > longestEntityId || !isPlain(entityId)) throw new SamlRefused("metadata");
  const identityProvider = roleIn(entity, "IDPSSODescriptor");
  const serviceProvider = roleIn(entity, "SPSSODescriptor");
  const dated = [root, entity, identityProvider, serviceProvider].filter((element) => element !== undefined);
  const ends = dated.flatMap((element) => instantOf(element, "validUntil") ?? []);
  const validUntil = ends.length === 0 ? undefined : Math.min(...ends);
  if (validUntil !== undefined && validUntil <= now) throw new SamlRefused("metadata_expired");
  return {
    entityId,
    validUntil,
    identityProvider: identityProvider && {
      ...commonOf(identityProvider),
      singleSignOn: endpointsOf(identityProvider, "SingleSignOnService", byBrowser),
      wantsSignedRequests: flagOf(identityProvider, "WantAuthnRequestsSigned") ?? false,
    },
    serviceProvider: serviceProvider && {
      ...commonOf(serviceProvider),
      assertionConsumers: consumersOf(serviceProvider),
      signsRequests: flagOf(serviceProvider, "AuthnRequestsSigned") ?? false,
      wantsSignedAssertions: flagOf(serviceProvider, "WantAssertionsSigned") ?? false,
    },
  };
}

function entityIn(root: XmlElement): XmlElement {
  if (isNamed(root, "md", "EntityDescriptor")) return root;
  const [entity, ...others] = childrenOf(root, "md", "EntityDescriptor");
  const isList = isNamed(root, "md", "EntitiesDescriptor");
  if (!isList || entity === undefined || others.length > 0) throw new SamlRefused("metadata");
  return entity;
}

// A role for older versions of the protocol is not ours.
function roleIn(entity: XmlElement, name: string): XmlElement | undefined {
  const roles = childrenOf(entity, "md", name).filter((role) =>
    (attributeOf(role, "protocolSupportEnumeration") ?? "").split(/\s+/).includes(samlProtocol),
  );
  if (roles.length > 1) throw new SamlRefused("metadata");
  return roles[0];
}

function commonOf(role: XmlElement): SamlRole {
  const formats = childrenOf(role, "md", "NameIDFormat").map(textIn);
  if (formats.length > mostFormats) throw new SamlRefused("metadata");
  return {
    signingCertificates: certificatesOf(role, "signing"),
    encryptionCertificates: certificatesOf(role, "encryption"),
    singleLogout: endpointsOf(role, "SingleLogoutService", [...byBrowser, "soap"]),
    nameIdFormats: formats,
  };
}

// The first certificate of each X509Data: those that follow certify it, and their keys sign no messages.
function certificatesOf(role: XmlElement, use: "signing" | "encryption"): readonly string[] {
  const descriptors = childrenOf(role, "md", "KeyDescriptor").filter((each) => isFor(each, use));
  const found = descriptors
    .flatMap((descriptor) => childrenOf(descriptor, "ds", "KeyInfo"))
    .flatMap((info) => childrenOf(info, "ds", "X509Data"))
    .flatMap((data) => childrenOf(data, "ds", "X509Certificate").slice(0, 1));
  if (found.length > mostCertificates) throw new SamlRefused("metadata");
  return [...new Set(found.map((element) => readCertificate(textIn(element)).certificate))];
}

const isFor = (descriptor: XmlElement, use: string): boolean => (attributeOf(descriptor, "use") ?? use) === use;

const byBrowser: readonly BrowserBinding[] = ["redirect", "post"];

function endpointsOf<Binding extends SamlBinding>(
  role: XmlElement,
  name: string,
  accepted: readonly Binding[],
): readonly SamlEndpoint<Binding>[] {
  return elementsNamed(role, name).flatMap((element) => toEndpoint(element, accepted) ?? []);
}

function consumersOf(role: XmlElement): readonly IndexedEndpoint[] {
  const consumers = elementsNamed(role, "AssertionConsumerService").flatMap((element): IndexedEndpoint[] => {
    const endpoint = toEndpoint(element, byBrowser);
    if (endpoint === undefined) return [];
    const index = attributeOf(element, "index") ?? "";
    if (!/^\d{1,5}$/.test(index)) throw new SamlRefused("metadata");
    return [{ ...endpoint, index: Number(index), isDefault: flagOf(element, "isDefault") }];
  });
  if (new Set(consumers.map(({ index }) => index)).size !== consumers.length) throw new SamlRefused("metadata");
  return consumers;
}

function elementsNamed(role: XmlElement, name: string): readonly XmlElement[] {
  const elements = childrenOf(role, "md", name);
  if (elements.length > mostEndpoints) throw new SamlRefused("metadata");
  return elements;
}

function toEndpoint<Binding extends SamlBinding>(
  element: XmlElement,
  accepted: readonly Binding[],
): SamlEndpoint<Binding> | undefined {
  const uri = attributeOf(element, "Binding");
  const binding = accepted.find((name) => bindings[name] === uri);
  if (binding === undefined) return undefined;
  const responseLocation = attributeOf(element, "ResponseLocation");
  return {
    binding,
    location: toLocation(attributeOf(element, "Location")),
    responseLocation: responseLocation === undefined ? undefined : toLocation(responseLocation),
  };
}

function toLocation(value = ""): string {
  const isWeb = value.length <= longestLocation && isPlain(value) && webAddress.test(value) && URL.canParse(value);
  if (!isWeb) throw new SamlRefused("metadata");
  return value;
}

// Every parser reads it alike: two slashes, a host without a user before it, no backslash, no fragment.
const webAddress = /^https?:\/\/[^/?#\\@]+(?:[/?][^#\\]*)?$/;

// Spaces, controls and what cannot be seen make two texts that look alike.
const isPlain = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
