import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/host.ts";

/** What an instance lets others do with it. */
export interface SecuritySettings {
  /** Sites that may show the login in a frame. */
  readonly embeddedIframe: { readonly enabled: boolean; readonly allowedOrigins: readonly string[] };
  readonly enableImpersonation: boolean;
  readonly dynamicClientRegistration: { readonly enabled: boolean; readonly allowUnauthenticated: boolean };
  readonly clientIdMetadataDocument: {
    readonly enabled: boolean;
    readonly allowedUrls: readonly string[];
    readonly allowAnyUrl: boolean;
  };
}

export const defaultSecuritySettings: SecuritySettings = {
  embeddedIframe: { enabled: false, allowedOrigins: [] },
  enableImpersonation: false,
  dynamicClientRegistration: { enabled: false, allowUnauthenticated: false },
  clientIdMetadataDocument: { enabled: false, allowedUrls: [], allowAnyUrl: false },
};

const mostEntries = 100;

/** Refuses origins and URLs that browsers and clients could not match, because a rule that never holds looks like one that does. */
export function checkSecuritySettings(settings: SecuritySettings): void {
  checkList(settings.embeddedIframe.allowedOrigins, isOrigin, {
    slug: "settings.security.origin_invalid",
    field: "embeddedIframe.allowedOrigins",
  });
  checkList(settings.clientIdMetadataDocument.allowedUrls, isDocumentUrl, {
    slug: "settings.security.url_invalid",
    field: "clientIdMetadataDocument.allowedUrls",
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

// RFC 6454 §6.2: scheme, host and port as a browser writes them, nothing else. `frame-ancestors` takes http for local development.
function isOrigin(entry: string): boolean {
  const url = URL.parse(entry);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.origin === entry && parseHost(url.host) !== undefined;
}

function isDocumentUrl(entry: string): boolean {
  if (entry.length < 1 || entry.length > 2048) return false;
  const url = URL.parse(entry);
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === "" && url.hash === "";
}
