import {
  attributeOf,
  childrenOf,
  elementsIn,
  nameIdFormats,
  onlyChildOf,
  writeXml,
  type XmlElement,
} from "../../base/saml/index.ts";
import { Secret } from "../../base/secret.ts";
import type { SamlConfiguration } from "../identity-provider/index.ts";
import { type ExternalIdentity, type ExternalSession, readSubject, textOf } from "./external-identity.ts";
import { ProviderRefused } from "./provider-refused.ts";
import type { SamlAddresses } from "./saml-addresses.ts";
import { askedFormats } from "./saml-request.ts";

type Attributes = ReadonlyMap<string, readonly string[]>;

const claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";

// Names of attributes in use: those of LDAP with their object identifiers (X.500 attribute profile), of Microsoft's
// servers, and the common short ones.
const names = {
  email: ["email", "mail", "emailaddress", "urn:oid:0.9.2342.19200300.100.1.3", `${claims}/emailaddress`],
  givenName: ["firstname", "first_name", "givenname", "given_name", "urn:oid:2.5.4.42", `${claims}/givenname`],
  familyName: ["lastname", "last_name", "surname", "sn", "family_name", "urn:oid:2.5.4.4", `${claims}/surname`],
  displayName: [
    "displayname",
    "fullname",
    "name",
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
  ],
  nickName: ["nickname"],
  username: ["username", "preferred_username", "uid", "urn:oid:0.9.2342.19200300.100.1.1", `${claims}/upn`],
  phone: ["phone", "phone_number", "mobile", "urn:oid:0.9.2342.19200300.100.1.41", `${claims}/mobilephone`],
  preferredLanguage: ["preferredlanguage", "locale", "urn:oid:2.16.840.1.113730.3.1.39"],
} as const;

/**
 * Builds the identity of a covered assertion. SAML has no word for a verified address, so only an attribute named
 * `email_verified` or `phone_verified`, with the value `true`, verifies one. Throws ProviderRefused when nothing
 * identifies the user beyond this sign-in.
 */
export function toSamlIdentity(
  assertion: XmlElement,
  configuration: SamlConfiguration,
  addresses: SamlAddresses,
): ExternalIdentity {
  const nameId = onlyChildOf(onlyChildOf(assertion, "saml", "Subject"), "saml", "NameID");
  const attributes = attributesOf(assertion);
  const { subject, value } = subjectOf(nameId, attributes, configuration, addresses);
  const find = (wanted: readonly string[]): string | undefined => textOf(firstNamed(attributes, wanted));
  const isEmail = attributeOf(nameId, "Format") === nameIdFormats.emailAddress;
  const email = find(names.email) ?? (isEmail ? textOf(textOfElement(nameId)) : undefined);
  const phone = find(names.phone);
  return {
    subject,
    username: find(names.username) ?? email ?? value,
    email,
    isEmailVerified: email !== undefined && find(["email_verified"]) === "true",
    phone,
    isPhoneVerified: phone !== undefined && find(["phone_verified"]) === "true",
    givenName: find(names.givenName),
    familyName: find(names.familyName),
    displayName: find(names.displayName),
    nickName: find(names.nickName),
    preferredLanguage: find(names.preferredLanguage),
    session: sessionOf(assertion, nameId),
    raw: Object.fromEntries(attributes),
    tokens: { assertion: new Secret(writeXml(assertion)) },
  };
}

const longestIndex = 500;

/** Reads the session at the provider. One that a logout could not name again is refused: nothing would end with it. */
function sessionOf(assertion: XmlElement, nameId: XmlElement): ExternalSession {
  const statements = childrenOf(assertion, "saml", "AuthnStatement");
  const [index, ...others] = new Set(statements.map((statement) => attributeOf(statement, "SessionIndex")));
  const qualifiers = ["Format", "NameQualifier", "SPNameQualifier", "SPProvidedID"].flatMap((name) => {
    const value = attributeOf(nameId, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const name = textOfElement(nameId) ?? "";
  // A transient name is not a subject, so its length was not checked.
  const isTooLong = name.length > longestIndex || (index ?? "").length > longestIndex;
  if (isTooLong || others.length > 0) throw new ProviderRefused("answer_malformed");
  return { nameId: name, nameIdValues: Object.fromEntries(qualifiers), sessionIndex: index ?? null };
}

interface Subject {
  /** What identifies the account. */
  readonly subject: string;
  /** The identifier as the provider wrote it. */
  readonly value: string;
}

/**
 * Identifiers are unique within their format (SAML Core §2.2.2), and users can change the format that an unsigned
 * request asks for. So where the configuration has a format, no other is accepted. Otherwise `unspecified` is the
 * format of the account, and any other is part of its id: `{format}identifier`.
 */
function subjectOf(
  nameId: XmlElement,
  attributes: Attributes,
  { transientAttribute, nameIdFormat, partner }: SamlConfiguration,
  { entityId }: SamlAddresses,
): Subject {
  const given = attributeOf(nameId, "Format") ?? nameIdFormats.unspecified;
  const wanted = askedFormats[nameIdFormat];
  if (wanted !== undefined && given !== wanted) throw new ProviderRefused("subject_missing");
  const value =
    given === nameIdFormats.transient
      ? lastingValue(attributes, transientAttribute)
      : qualifiedValue(nameId, { ours: entityId, theirs: partner.entityId });
  if (wanted === undefined && given !== nameIdFormats.unspecified) {
    if (!shortUri.test(given)) throw new ProviderRefused("subject_missing");
    return { subject: `{${given}}${value}`, value };
  }
  if (wanted === undefined && withFormat.test(value)) throw new ProviderRefused("subject_missing");
  return { subject: value, value };
}

const shortUri = /^[!-z]{1,100}:[!-z]{1,100}$/;
// What an account of another format is called.
const withFormat = /^\{[^}]*:[^}]*\}/;

/** A transient identifier is another one at each sign-in, so the configured attribute identifies the user instead. */
function lastingValue(attributes: Attributes, transientAttribute: string): string {
  const [value, ...others] = transientAttribute === "" ? [] : (attributes.get(transientAttribute) ?? []);
  return readSubject(others.length === 0 ? value : undefined);
}

// SAML Core §8.3.7: the same identifier qualified by another party is another user.
function qualifiedValue(nameId: XmlElement, { ours, theirs }: Record<"ours" | "theirs", string>): string {
  const isQualified =
    (attributeOf(nameId, "NameQualifier") ?? theirs) !== theirs ||
    (attributeOf(nameId, "SPNameQualifier") ?? ours) !== ours;
  if (isQualified) throw new ProviderRefused("subject_missing");
  return readSubject(textOfElement(nameId));
}

function attributesOf(assertion: XmlElement): Attributes {
  const attributes = new Map<string, readonly string[]>();
  for (const statement of childrenOf(assertion, "saml", "AttributeStatement")) {
    for (const attribute of childrenOf(statement, "saml", "Attribute")) {
      const name = attributeOf(attribute, "Name") ?? "";
      if (name === "" || name === "__proto__") continue;
      const values = childrenOf(attribute, "saml", "AttributeValue").flatMap((value) => textOfElement(value) ?? []);
      attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
    }
  }
  return attributes;
}

// Values may be elements of any vocabulary; only texts are understood.
function textOfElement(element: XmlElement): string | undefined {
  return elementsIn(element).length > 0 ? undefined : element.children.join("").trim();
}

function firstNamed(attributes: Attributes, wanted: readonly string[]): string | undefined {
  for (const name of wanted) {
    for (const [given, values] of attributes) {
      if (given.toLowerCase() === name && values[0] !== undefined) return values[0];
    }
  }
  return undefined;
}
