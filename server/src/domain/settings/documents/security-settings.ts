import { Fault } from "../../../base/fault.ts";
import { parseHost } from "../../../base/names/host.ts";
import { parseWebAddress } from "../../../base/names/web-address.ts";

/** What an instance permits others to do with it. */
export interface SecuritySettings {
  /** Sites that may embed the login in a frame. */
  readonly embeddedIframe: { readonly enabled: boolean; readonly allowedOrigins: readonly string[] };
  readonly enableImpersonation: boolean;
  /**
   * Applications get the data of users of other organizations without their consent, even where these organizations
   * were not granted the project of the application.
   */
  readonly skipConsentAcrossOrganizations: boolean;
  readonly dynamicClientRegistration: DynamicClientRegistration;
  readonly clientIdMetadataDocument: {
    readonly enabled: boolean;
    readonly allowedUrls: readonly string[];
    readonly allowAnyUrl: boolean;
  };
  /** Words of the namespaces in which claims are written; absent or empty for ours and every accepted alias. */
  readonly claimNamespaces?: readonly string[];
}

/** Who may register clients, and the limits of unauthenticated registration. */
interface DynamicClientRegistration {
  readonly enabled: boolean;
  readonly allowUnauthenticated: boolean;
  /** How many unused clients of strangers the instance keeps, and how many from one source; 0 for the default. */
  readonly maximumUnused?: number;
  readonly maximumUnusedPerSource?: number;
  /** An unused client is removed after this time, in seconds; 0 for the default. */
  readonly unusedLifetimeSeconds?: number;
}

const registrationQuota = { maximumUnused: 1000, maximumUnusedPerSource: 20, unusedLifetime: 86_400_000 } as const;

/** Returns the limits for clients of strangers; times in milliseconds. */
export function registrationQuotaOf({ dynamicClientRegistration: given }: SecuritySettings) {
  return {
    maximumUnused: given.maximumUnused || registrationQuota.maximumUnused,
    maximumUnusedPerSource: given.maximumUnusedPerSource || registrationQuota.maximumUnusedPerSource,
    unusedLifetime: (given.unusedLifetimeSeconds ?? 0) * 1000 || registrationQuota.unusedLifetime,
  };
}

export const defaultSecuritySettings: SecuritySettings = {
  embeddedIframe: { enabled: false, allowedOrigins: [] },
  enableImpersonation: false,
  skipConsentAcrossOrganizations: false,
  dynamicClientRegistration: { enabled: false, allowUnauthenticated: false },
  clientIdMetadataDocument: { enabled: false, allowedUrls: [], allowAnyUrl: false },
};

const mostEntries = 100;

/**
 * Refuses origins and URLs that browsers and clients could not match: a rule that never applies would look like one
 * that does.
 */
export function checkSecuritySettings(settings: SecuritySettings): void {
  checkList(settings.embeddedIframe.allowedOrigins, isOrigin, {
    slug: "settings.security.origin_invalid",
    field: "embeddedIframe.allowedOrigins",
  });
  // A lifetime of zero would remove a client before its first use.
  const { unusedLifetimeSeconds = 0 } = settings.dynamicClientRegistration;
  if (unusedLifetimeSeconds !== 0 && (unusedLifetimeSeconds < 60 || unusedLifetimeSeconds > 31_536_000)) {
    throw new Fault("invalid_argument", "settings.security.lifetime_invalid", {
      field: "dynamicClientRegistration.unusedClientLifetime",
    });
  }
  checkList(settings.clientIdMetadataDocument.allowedUrls, isDocumentUrl, {
    slug: "settings.security.url_invalid",
    field: "clientIdMetadataDocument.allowedUrls",
  });
  checkList(settings.claimNamespaces ?? [], (word) => /^[a-z][a-z0-9]{0,62}$/.test(word), {
    slug: "settings.security.namespace_invalid",
    field: "claimNamespaces",
  });
}

function checkList(
  entries: readonly string[],
  isValid: (entry: string) => boolean,
  refusal: { readonly slug: string; readonly field: string },
): void {
  const { slug, field } = refusal;
  if (entries.length > mostEntries) {
    throw new Fault("invalid_argument", "settings.security.too_many", { field, values: { maximum: mostEntries } });
  }
  entries.forEach((entry, index) => {
    if (!isValid(entry) || entries.indexOf(entry) !== index) {
      throw new Fault("invalid_argument", slug, { field: `${field}[${index}]` });
    }
  });
}

// RFC 6454 §6.2: scheme, host and port as a browser writes them, nothing else. `frame-ancestors` accepts http for local
// development.
function isOrigin(entry: string): boolean {
  const url = URL.parse(entry);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.origin === entry && parseHost(url.host) !== undefined;
}

function isDocumentUrl(entry: string): boolean {
  if (entry.length < 1 || entry.length > 2048) return false;
  const url = parseWebAddress(entry);
  return url?.protocol === "https:" && url.hash === "";
}
