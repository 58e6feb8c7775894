import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Instant } from "../../../base/clock.ts";
import { Fault } from "../../../base/fault.ts";
import { type Outbound, OutboundError } from "../../../base/outbound/index.ts";
import {
  decodeBase64,
  encodeBase64,
  largestMetadata,
  readMetadata,
  type SamlBinding,
  type SamlEndpoint,
  SamlRefused,
} from "../../../base/saml/index.ts";

/** What is used of the metadata of an identity provider. */
export interface SamlPartner {
  readonly entityId: string;
  /** When the metadata stops being valid; null if it does not say. */
  readonly validUntil: Instant | null;
  readonly singleSignOn: readonly SamlEndpoint[];
  readonly singleLogout: readonly SamlEndpoint<SamlBinding>[];
  /** DER in base64. */
  readonly signingCertificates: readonly string[];
  readonly wantsSignedRequests: boolean;
}

/**
 * Reads the metadata of an identity provider. Throws SamlRefused for metadata with which no user could ever sign in:
 * without addresses of the bindings that we use, or without keys.
 */
export async function readPartner(document: Buffer, now: Instant): Promise<SamlPartner> {
  const { entityId, validUntil = null, identityProvider } = await readMetadata(document, now);
  if (identityProvider === undefined) throw new SamlRefused("metadata");
  const { singleSignOn, singleLogout, signingCertificates, wantsSignedRequests } = identityProvider;
  if (singleSignOn.length === 0 || signingCertificates.length === 0) throw new SamlRefused("metadata");
  return { entityId, validUntil, singleSignOn, singleLogout, signingCertificates, wantsSignedRequests };
}

/** Requests the metadata of a partner. Throws SamlRefused or OutboundError. */
export async function fetchMetadata(outbound: Outbound, url: string): Promise<Buffer> {
  const headers = { accept: "application/samlmetadata+xml, application/xml, text/xml" };
  const { status, bytes } = await outbound({ url, headers, maximumBytes: largestMetadata });
  if (status !== 200) throw new SamlRefused("metadata");
  return bytes;
}

/** Where the metadata of a provider comes from. */
export type MetadataSource = { readonly document: Buffer } | { readonly url: string };

/** What a configuration has of the metadata of its provider. */
interface LoadedMetadata {
  readonly metadataUrl: string;
  readonly metadata: string;
  readonly partner: SamlPartner;
}

/**
 * Loads the metadata that a caller names. Sends a request when it is an address: never inside a change. Throws a Fault
 * for metadata that cannot be used.
 */
export async function loadMetadata(outbound: Outbound, source: MetadataSource, now: Instant): Promise<LoadedMetadata> {
  const field = "url" in source ? "metadataUrl" : "metadataXml";
  try {
    const document = "url" in source ? await fetchMetadata(outbound, source.url) : source.document;
    const partner = await readPartner(document, now);
    return { metadataUrl: "url" in source ? source.url : "", metadata: packMetadata(document), partner };
  } catch (error) {
    if (error instanceof OutboundError) {
      throw new Fault("failed_precondition", "identity_provider.metadata_unreachable", { field, cause: error });
    }
    if (!(error instanceof SamlRefused)) throw error;
    const isExpired = error.reason === "metadata_expired";
    const id = isExpired ? "identity_provider.metadata_expired" : "identity_provider.metadata_invalid";
    throw new Fault("invalid_argument", id, { field, cause: error });
  }
}

// Metadata is mostly certificates in base64 and repeated names: packed, it is a third of its size.
function packMetadata(document: Buffer): string {
  const packed = deflateRawSync(document);
  const isMostlyRepeated = document.length > packed.length * mostUnpacking;
  return encodeBase64(isMostlyRepeated ? deflateRawSync(document, { level: 0 }) : packed);
}

/** How many times longer than stored a document may be: pages of lists are measured by what is stored. */
export const mostUnpacking = 8;

/** Returns metadata as it was uploaded or fetched. */
export const unpackMetadata = (packed: string): Buffer =>
  inflateRawSync(decodeBase64(packed) ?? Buffer.alloc(0), { maxOutputLength: largestMetadata });
