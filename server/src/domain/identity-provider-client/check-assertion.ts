import type { Instant } from "../../base/clock.ts";
import {
  attributeOf,
  bearerMethod,
  childrenOf,
  elementsIn,
  instantOf,
  isNamed,
  onlyChildOf,
  textIn,
  type XmlElement,
} from "../../base/saml/index.ts";
import { ProviderRefused, type RefusalDetail } from "./provider-refused.ts";
import { type SamlResponseRules, samlClockSkew } from "./saml-response.ts";

export interface AssertionRules extends Pick<SamlResponseRules, "partner" | "addresses" | "requestId" | "now"> {
  /** The user must have authenticated there since this instant; any time when absent. */
  readonly authenticatedSince: Instant | undefined;
}

const refused = (detail: RefusalDetail): ProviderRefused => new ProviderRefused("token_refused", detail);

/**
 * Proves that a covered assertion is of the provider, for us, about a sign-in for this request, and valid now (SAML
 * Profiles §4.1.4.3). The request's ID is spent before, so each assertion counts once. Throws ProviderRefused or
 * SamlRefused.
 */
export function checkAssertion(assertion: XmlElement, rules: AssertionRules): void {
  if (attributeOf(assertion, "Version") !== "2.0") throw refused("unexpected_structure");
  if (textIn(onlyChildOf(assertion, "saml", "Issuer")) !== rules.partner.entityId) {
    throw new ProviderRefused("issuer_mismatch");
  }
  checkConfirmation(onlyChildOf(assertion, "saml", "Subject"), rules);
  checkConditions(onlyChildOf(assertion, "saml", "Conditions"), rules);
  checkAuthentication(childrenOf(assertion, "saml", "AuthnStatement"), rules);
}

/** SAML Profiles §4.1.4.2: a bearer presents it here, now, and for our request. */
function checkConfirmation(subject: XmlElement, rules: AssertionRules): void {
  const failures = childrenOf(subject, "saml", "SubjectConfirmation")
    .filter((each) => attributeOf(each, "Method") === bearerMethod)
    .map((each) => confirmationFailure(onlyChildOf(each, "saml", "SubjectConfirmationData"), rules));
  // One that is met is enough; otherwise the first failure is the reason.
  if (failures.includes(undefined)) return;
  throw refused(failures[0] ?? "confirmation");
}

function confirmationFailure(data: XmlElement, rules: AssertionRules): RefusalDetail | undefined {
  const { addresses, requestId, now } = rules;
  if (attributeOf(data, "Recipient") !== addresses.consumer) return "recipient";
  if (attributeOf(data, "InResponseTo") !== requestId) return "in_response_to";
  const end = instantOf(data, "NotOnOrAfter");
  return end !== undefined && isWithin(instantOf(data, "NotBefore"), end, now) ? undefined : "time";
}

const isWithin = (start: Instant | undefined, end: Instant | undefined, now: Instant): boolean =>
  (start === undefined || start <= now + samlClockSkew) && (end === undefined || now - samlClockSkew < end);

/** SAML Core §2.5.1: every condition has to be understood and met, and one names us as audience. */
function checkConditions(conditions: XmlElement, { addresses, now }: AssertionRules): void {
  if (!isWithin(instantOf(conditions, "NotBefore"), instantOf(conditions, "NotOnOrAfter"), now)) throw refused("time");
  const restrictions = childrenOf(conditions, "saml", "AudienceRestriction");
  const isForUs = (restriction: XmlElement): boolean =>
    childrenOf(restriction, "saml", "Audience").some((audience) => textIn(audience) === addresses.entityId);
  if (restrictions.length === 0 || !restrictions.every(isForUs)) throw refused("audience");
  // Both others hold as they are: an assertion counts once, and is passed on to no other party.
  const isKnown = (condition: XmlElement): boolean =>
    ["AudienceRestriction", "OneTimeUse", "ProxyRestriction"].some((name) => isNamed(condition, "saml", name));
  if (!elementsIn(conditions).every(isKnown)) throw refused("condition");
}

function checkAuthentication(statements: readonly XmlElement[], rules: AssertionRules): void {
  const { now, authenticatedSince } = rules;
  const isUsable = (statement: XmlElement): boolean => {
    const at = instantOf(statement, "AuthnInstant");
    const end = instantOf(statement, "SessionNotOnOrAfter");
    return at !== undefined && isWithin(at, end, now) && isRecent(at, authenticatedSince);
  };
  if (statements.length === 0 || !statements.every(isUsable)) throw refused("auth_time");
}

const isRecent = (at: Instant, since: Instant | undefined): boolean =>
  since === undefined || since <= at + samlClockSkew;
