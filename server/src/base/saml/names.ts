/** XML namespaces of SAML 2.0 and of what it uses, by the prefixes with which we write them. */
export const namespaces = {
  saml: "urn:oasis:names:tc:SAML:2.0:assertion",
  samlp: "urn:oasis:names:tc:SAML:2.0:protocol",
  md: "urn:oasis:names:tc:SAML:2.0:metadata",
  ds: "http://www.w3.org/2000/09/xmldsig#",
  xenc: "http://www.w3.org/2001/04/xmlenc#",
  xenc11: "http://www.w3.org/2009/xmlenc11#",
  xs: "http://www.w3.org/2001/XMLSchema",
  xsi: "http://www.w3.org/2001/XMLSchema-instance",
} as const;

/** A prefix of `namespaces`. */
export type SamlPrefix = keyof typeof namespaces;

/** How a message travels (SAML Bindings §3). */
export const bindings = {
  redirect: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
  post: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
  soap: "urn:oasis:names:tc:SAML:2.0:bindings:SOAP",
} as const;

export type SamlBinding = keyof typeof bindings;

/** The bindings of messages that travel with a browser. */
export type BrowserBinding = Exclude<SamlBinding, "soap">;

/** Formats of name identifiers (SAML Core §8.3). */
export const nameIdFormats = {
  unspecified: "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
  emailAddress: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  persistent: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  transient: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
  entity: "urn:oasis:names:tc:SAML:2.0:nameid-format:entity",
} as const;

/** Status codes of responses (SAML Core §3.2.2.2). */
export const statusCodes = {
  success: "urn:oasis:names:tc:SAML:2.0:status:Success",
  requester: "urn:oasis:names:tc:SAML:2.0:status:Requester",
  responder: "urn:oasis:names:tc:SAML:2.0:status:Responder",
  versionMismatch: "urn:oasis:names:tc:SAML:2.0:status:VersionMismatch",
  authnFailed: "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed",
  invalidNameIdPolicy: "urn:oasis:names:tc:SAML:2.0:status:InvalidNameIDPolicy",
  noAuthnContext: "urn:oasis:names:tc:SAML:2.0:status:NoAuthnContext",
  noPassive: "urn:oasis:names:tc:SAML:2.0:status:NoPassive",
  partialLogout: "urn:oasis:names:tc:SAML:2.0:status:PartialLogout",
  requestDenied: "urn:oasis:names:tc:SAML:2.0:status:RequestDenied",
  requestUnsupported: "urn:oasis:names:tc:SAML:2.0:status:RequestUnsupported",
  requestVersionTooHigh: "urn:oasis:names:tc:SAML:2.0:status:RequestVersionTooHigh",
  unknownPrincipal: "urn:oasis:names:tc:SAML:2.0:status:UnknownPrincipal",
  unsupportedBinding: "urn:oasis:names:tc:SAML:2.0:status:UnsupportedBinding",
} as const;

/** How a bearer confirms an assertion (SAML Profiles §3.3). */
export const bearerMethod = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

/** The protocol that a role of metadata supports. */
export const samlProtocol = namespaces.samlp;
