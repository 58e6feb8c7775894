import { attributeOf, childOf, childrenOf, textIn, type XmlElement } from "../base/saml/index.ts";
import type { ContextDemand, ContextLevel } from "../domain/session/index.ts";
import { SamlError } from "./status.ts";

const classes = "urn:oasis:names:tc:SAML:2.0:ac:classes:";
const passwordContext = `${classes}PasswordProtectedTransport`;
const unspecifiedContext = `${classes}unspecified`;
/** REFEDS MFA Profile. */
const multiFactorContext = "https://refeds.org/profile/mfa";

const microsoftMultiFactor = "http://schemas.microsoft.com/claims/multipleauthn";

/**
 * The classes that a service provider can ask for, and the level that each needs. One factor is enough for those that
 * name a password: libraries ask for it without being told, and users with a passkey or a provider must get in. What
 * the response says of it is another matter (`describeSignIn`).
 */
const levels: ReadonlyMap<string, ContextLevel> = new Map([
  [unspecifiedContext, 1],
  [`${classes}Password`, 1],
  [passwordContext, 1],
  [`${classes}TimeSyncToken`, 2],
  [`${classes}MobileTwoFactorUnregistered`, 2],
  [`${classes}MobileTwoFactorContract`, 2],
  [multiFactorContext, 2],
  [microsoftMultiFactor, 2],
]);

const strongest = 3;

export interface RequestedContext {
  readonly context: ContextDemand;
  readonly contextClasses: readonly string[];
}

/**
 * Reads which sign-in a request needs (SAML Core §3.3.2.2.1). Throws a SamlError (`NoAuthnContext`) where no sign-in
 * here can be it.
 */
export function readRequestedContext(request: XmlElement): RequestedContext {
  const element = childOf(request, "samlp", "RequestedAuthnContext");
  if (element === undefined) return { context: {}, contextClasses: [] };
  const asked = childrenOf(element, "saml", "AuthnContextClassRef").map(textIn);
  const known = asked.filter((name) => levels.has(name));
  const least = Math.min(...known.map((name) => levels.get(name) ?? strongest));
  switch (attributeOf(element, "Comparison") ?? "exact") {
    case "exact":
    case "minimum":
      if (known.length === 0) throw unmet();
      return { context: demandOf(least), contextClasses: known };
    case "better": {
      // Better than each of them, so better than the best.
      const most = Math.max(0, ...known.map((name) => levels.get(name) ?? 0));
      if (known.length === 0 || known.length < asked.length || most >= strongest) throw unmet();
      return { context: demandOf(most + 1), contextClasses: [] };
    }
    case "maximum":
      if (known.length === 0) throw unmet();
      return { context: {}, contextClasses: known };
    default:
      throw new SamlError({ code: "Requester", message: "Comparison is not one of the known words" });
  }
}

const unmet = (): SamlError => new SamlError({ code: "Responder", detail: "NoAuthnContext" });

// One factor is what every sign-in has.
const demandOf = (level: number): ContextDemand =>
  level <= 1 ? {} : { essentialAcr: level === 2 ? ["urn:service:iam:acr:2"] : ["phr"] };

/**
 * Returns the class that describes a sign-in: nothing that was not proven. A password is said where one was entered,
 * several factors only to those who ask for them.
 */
export function describeSignIn(
  { level, hasPassword }: { readonly level: ContextLevel; readonly hasPassword: boolean },
  asked: readonly string[],
): string {
  const honest = asked.find((name) => {
    const needed = levels.get(name) ?? strongest + 1;
    // Of the classes of two factors, only these two say no more than that there were two.
    if (needed > 1) return level >= needed && [multiFactorContext, microsoftMultiFactor].includes(name);
    return name === unspecifiedContext || hasPassword;
  });
  if (honest !== undefined) return honest;
  if (asked.some((name) => (levels.get(name) ?? 0) > 1) && level > 1) return multiFactorContext;
  return hasPassword ? passwordContext : unspecifiedContext;
}
