import type { OAuthError } from "../base/oauth-error.ts";
import { attributeOf, childOf, type XmlElement } from "../base/saml/index.ts";

const prefix = "urn:oasis:names:tc:SAML:2.0:status:";

/** A second-level status (SAML Core §3.2.2.2): what went wrong. */
export type SamlStatusName =
  | "AuthnFailed"
  | "InvalidAttrNameOrValue"
  | "InvalidNameIDPolicy"
  | "NoAuthnContext"
  | "NoPassive"
  | "RequestDenied"
  | "RequestUnsupported"
  | "RequestVersionTooHigh"
  | "RequestVersionTooLow"
  | "UnknownPrincipal"
  | "UnsupportedBinding";

/** The status of a response that is not a success. */
export interface SamlStatus {
  /** Whose fault it is; the version of a message has a code of its own. */
  readonly code: "Requester" | "Responder" | "VersionMismatch";
  readonly detail?: SamlStatusName;
  /** A sentence for the developer of the service provider, in English. */
  readonly message?: string;
}

/** Thrown for a request whose error is sent to the service provider. */
export class SamlError extends Error {
  override readonly name = "SamlError";
  readonly status: SamlStatus;

  constructor(status: SamlStatus) {
    super(status.message ?? status.detail ?? status.code);
    this.status = status;
  }
}

/** Returns the URI of a status code. */
export const statusUri = (name: SamlStatus["code"] | SamlStatusName | "Success"): string => prefix + name;

const passive = { code: "Responder", detail: "NoPassive" } as const;

const known: Readonly<Record<string, SamlStatus>> = {
  login_required: passive,
  interaction_required: passive,
  consent_required: passive,
  account_selection_required: passive,
  access_denied: { code: "Responder", detail: "RequestDenied" },
  unmet_authentication_requirements: { code: "Responder", detail: "NoAuthnContext" },
  invalid_request: { code: "Requester", detail: "RequestUnsupported" },
};

/** Returns the status for an error of the common part of protocols. */
export const statusOf = (error: SamlError | OAuthError): SamlStatus =>
  error instanceof SamlError
    ? error.status
    : { ...(known[error.code] ?? { code: "Responder" }), message: error.description };

/** Whether a response of a service provider says that it succeeded. */
export function isSuccessful(response: XmlElement): boolean {
  const status = childOf(response, "samlp", "Status");
  const code = status && childOf(status, "samlp", "StatusCode");
  return code !== undefined && attributeOf(code, "Value") === statusUri("Success");
}
