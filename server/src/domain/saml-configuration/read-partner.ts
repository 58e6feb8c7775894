import { hours, type Instant, minutes } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { isLoopbackHost, type Outbound, OutboundError } from "../../base/outbound/index.ts";
import { largestMetadata, readMetadata, SamlRefused, type ServiceProviderRole } from "../../base/saml/index.ts";
import type { NewMetadata } from "./change-saml-options.ts";
import type { AssertionConsumer, SamlConfiguration, SamlPartner } from "./saml-configuration.ts";

/** Where metadata comes from: the document itself, or its address. */
export type MetadataSource = { readonly xml: Uint8Array } | { readonly url: string };

/** Reads metadata that an administrator uploaded. Throws the Fault `application.metadata_invalid`. */
async function readUploadedMetadata(xml: Uint8Array, now: Instant): Promise<NewMetadata> {
  const document = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  const partner = await readPartner(document, now, "metadataXml");
  return { metadataXml: document.toString("utf8"), metadataUrl: "", metadataAt: now, partner };
}

/** Fetches metadata and reads it. Throws `application.metadata_unreachable`, and what reading throws. */
export async function fetchMetadata(
  { outbound }: { readonly outbound: Outbound },
  url: string,
  now: Instant,
): Promise<NewMetadata> {
  // A document that was changed on its way could have assertions sent elsewhere.
  const document = await fetchDocument(outbound, acceptLocation(url, "metadataUrl"));
  const partner = await readPartner(document, now, "metadataUrl");
  return { metadataXml: document.toString("utf8"), metadataUrl: url, metadataAt: now, partner };
}

async function fetchDocument(outbound: Outbound, url: string): Promise<Buffer> {
  try {
    const headers = { accept: "application/samlmetadata+xml, application/xml, text/xml" };
    const { status, bytes } = await outbound({ url, headers, maximumBytes: largestMetadata });
    if (status === 200) return bytes;
    throw unreachable(`status_${status}`);
  } catch (error) {
    throw error instanceof OutboundError ? unreachable(error.shownFailure) : error;
  }
}

const unreachable = (reason: string): Fault =>
  new Fault("failed_precondition", "application.metadata_unreachable", { field: "metadataUrl", values: { reason } });

const invalid = (reason: string, field: string, cause?: unknown): Fault =>
  new Fault("invalid_argument", "application.metadata_invalid", { field, values: { reason }, cause });

async function readPartner(document: Buffer, now: Instant, field: string): Promise<SamlPartner> {
  if (document.length > largestMetadata) throw invalid("too_large", field);
  try {
    const { entityId, validUntil, serviceProvider } = await readMetadata(document, now);
    if (serviceProvider === undefined) throw invalid("no_service_provider", field);
    const consumers = toConsumers(serviceProvider, field);
    if (consumers.length === 0) throw invalid("no_assertion_consumer", field);
    return {
      entityId,
      ...(validUntil !== undefined && { validUntil }),
      isRequestSigned: serviceProvider.signsRequests,
      consumers,
      logout: serviceProvider.singleLogout.map(({ binding, location, responseLocation }) => ({
        binding,
        location: acceptLocation(location, field),
        ...(responseLocation !== undefined && { responseLocation: acceptLocation(responseLocation, field) }),
      })),
      nameIdFormats: serviceProvider.nameIdFormats,
      signingCertificates: serviceProvider.signingCertificates,
      encryptionCertificates: serviceProvider.encryptionCertificates,
    };
  } catch (error) {
    throw error instanceof SamlRefused ? invalid(error.reason, field, error) : error;
  }
}

/**
 * Returns the addresses for assertions, the default first (SAML Metadata §2.2.3): the first that says so, else the
 * first that does not say the contrary. Assertions go to no other binding than HTTP-POST (SAML Profiles §4.1.2).
 */
function toConsumers({ assertionConsumers }: ServiceProviderRole, field: string): readonly AssertionConsumer[] {
  const posts = assertionConsumers.filter(({ binding }) => binding === "post");
  const first =
    posts.find(({ isDefault }) => isDefault === true) ??
    posts.find(({ isDefault }) => isDefault === undefined) ??
    posts[0];
  const ordered = first === undefined ? [] : [first, ...posts.filter((consumer) => consumer !== first)];
  return ordered.map(({ location, index }) => ({
    location: acceptLocation(location, field),
    index,
    isDefault: index === first?.index,
  }));
}

// Assertions and identifiers of users cross the internet only over TLS.
function acceptLocation(location: string, field: string): string {
  const url = URL.parse(location);
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (!isSecure) throw invalid("insecure_location", field);
  return location;
}

const refreshPeriod = hours(6);
const shortestPeriod = minutes(10);

/** Returns when the metadata of an application is fetched again; undefined for metadata that was uploaded. */
export function nextRefreshOf(
  { metadataUrl, metadataFailure, partner }: SamlConfiguration,
  now: Instant,
): Instant | undefined {
  if (metadataUrl === "") return undefined;
  const period = metadataFailure === "" ? refreshPeriod : refreshPeriod / 6;
  const left = partner.validUntil === undefined ? period : (partner.validUntil - now) / 2;
  return now + Math.max(shortestPeriod, Math.min(period, left));
}

/**
 * Whether the metadata still holds. What was fetched ends with its `validUntil`: by it the service provider withdraws a
 * key. An administrator who uploads metadata vouches for it until they replace it.
 */
export const isMetadataValid = (
  { metadataUrl, partner }: Pick<SamlConfiguration, "metadataUrl" | "partner">,
  now: Instant,
): boolean => metadataUrl === "" || partner.validUntil === undefined || partner.validUntil > now;

/** Reads metadata from where it is. */
export const obtainMetadata = (
  deps: { readonly outbound: Outbound },
  source: MetadataSource,
  now: Instant,
): Promise<NewMetadata> =>
  "url" in source ? fetchMetadata(deps, source.url, now) : readUploadedMetadata(source.xml, now);
