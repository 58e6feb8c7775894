import type { LdapEntry } from "../../base/ldap/index.ts";
import type { ConfigurationOf } from "../identity-provider/index.ts";
import { type ExternalIdentity, readSubject, textOf } from "./external-identity.ts";

type Configuration = ConfigurationOf<"ldap">;
type Attributes = LdapEntry["attributes"];

/** Ids of Active Directory that are no text: read as base64, as any attribute with the option `binary` is. */
const binary: ReadonlySet<string> = new Set(["objectguid", "objectsid", "ms-ds-consistencyguid"]);

const isBinary = (name: string): boolean => binary.has(name) || name.split(";").includes("binary");

// What is stored until the attempt is used.
const mostValues = 20;
const longestValue = 2000;

/** Lists the attributes that a search asks for: those that the configuration names, and no others. */
export function attributesToRead({ userBase, userFilters, idAttribute, attributes }: Configuration): readonly string[] {
  const named = [idAttribute, ...userFilters, ...Object.values(attributes), userBase];
  const wanted = named.filter((name) => name !== "" && name.toLowerCase() !== "dn");
  return [...new Map(wanted.map((name) => [name.toLowerCase(), name])).values()];
}

/** Builds an identity from an entry. Throws `ProviderRefused` without exactly one id. */
export function fromEntry({ attributes }: LdapEntry, configuration: Configuration): ExternalIdentity {
  const { idAttribute, userFilters, attributes: names } = configuration;
  const read = (name: string): string | undefined => textOf(first(attributes, name));
  const subject = readSubject(onlyText(attributes, idAttribute));
  const email = read(names.email);
  const phone = read(names.phone);
  const entered = userFilters.map(read).find((name) => name !== undefined);
  return {
    subject,
    username: read(names.preferredUsername) ?? entered ?? email ?? subject,
    email,
    isEmailVerified: email !== undefined && isTrue(attributes, names.emailVerified),
    phone,
    isPhoneVerified: phone !== undefined && isTrue(attributes, names.phoneVerified),
    givenName: read(names.firstName),
    familyName: read(names.lastName),
    displayName: read(names.displayName),
    nickName: read(names.nickName),
    preferredLanguage: read(names.preferredLanguage),
    raw: toRaw(attributes, configuration),
    tokens: {},
  };
}

/**
 * Returns the value of an attribute that has exactly one; undefined otherwise. Text and base64 are never mixed in one
 * attribute, so that two values do not become the same text.
 */
export function onlyText(attributes: Attributes, name: string): string | undefined {
  const key = name.toLowerCase();
  const [value, ...others] = attributes.get(key) ?? [];
  return value === undefined || others.length > 0 ? undefined : toText(key, value);
}

const first = (attributes: Attributes, name: string): string | undefined => {
  const key = name.toLowerCase();
  const [value] = attributes.get(key) ?? [];
  return value && toText(key, value);
};

// RFC 4517 §3.3.3: TRUE or FALSE. Directories also keep such facts as text.
const isTrue = (attributes: Attributes, name: string): boolean => onlyText(attributes, name)?.toUpperCase() === "TRUE";

/** Returns a value as text; undefined when it is neither text nor of a binary attribute. */
function toText(key: string, value: Buffer): string | undefined {
  if (isBinary(key)) return value.toString("base64");
  const text = value.toString("utf8");
  return Buffer.from(text, "utf8").equals(value) ? text : undefined;
}

/** Returns what the directory said, by the names of the configuration. Pictures and long lists are cut off. */
function toRaw(attributes: Attributes, configuration: Configuration): Readonly<Record<string, readonly string[]>> {
  const read = attributesToRead(configuration).flatMap((name) => {
    const values = attributes.get(name.toLowerCase()) ?? [];
    const short = values.filter(({ length }) => length <= longestValue).slice(0, mostValues);
    const texts = short.map((value) => toText(name.toLowerCase(), value) ?? value.toString("base64"));
    return texts.length === 0 ? [] : [[name, texts] as const];
  });
  return Object.fromEntries(read);
}
