import { X509Certificate } from "node:crypto";
import { seconds } from "../../base/clock.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import type { KindRules } from "./provider-kind.ts";

/** Names of the attributes that describe a user; empty for what is not read. */
interface LdapAttributes {
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly nickName: string;
  readonly preferredUsername: string;
  readonly email: string;
  readonly emailVerified: string;
  readonly phone: string;
  readonly phoneVerified: string;
  readonly preferredLanguage: string;
  readonly avatarUrl: string;
  readonly profile: string;
}

/** A directory. Users enter their name and password on a page of ours, and both are checked there. */
export interface LdapConfiguration {
  readonly kind: "ldap";
  /** Addresses, in the order in which they are tried. They serve the same directory. */
  readonly servers: readonly string[];
  /** Whether TLS is started on connections to `ldap:` addresses. */
  readonly startTls: boolean;
  /** The entry below which users are searched. */
  readonly baseDn: string;
  /** The name of the service account that searches. */
  readonly bindDn: string;
  /** What names a user when the password is checked: `dn`, or an attribute with such a name. */
  readonly userBase: string;
  /** The classes of users; an entry has to be of all of them. */
  readonly userObjectClasses: readonly string[];
  /** The attributes of which any may equal the entered name. */
  readonly userFilters: readonly string[];
  /** Timeout of each server in milliseconds; the default when 0. */
  readonly timeout: number;
  /** Certificates (PEM) that are trusted instead of the system's; empty for the system's. */
  readonly rootCa: string;
  /** The attribute that never changes for a user, and is no other user's. */
  readonly idAttribute: string;
  readonly attributes: LdapAttributes;
}

/** The longest timeout of a server. */
const longestTimeout = seconds(60);

// RFC 4512 §2.5: a name or numeric identifier, with options. Underscores occur in schemas of old.
const attributeDescription = /^(?:[A-Za-z][A-Za-z0-9_-]*|\d+(?:\.\d+)*)(?:;[A-Za-z0-9-]+)*$/;

const isAttribute = (text: string): boolean => attributeDescription.test(text);

const tooLong = { field: "timeout", slug: "field.duration_too_long", values: { maximum: longestTimeout / 1000 } };
const tooShort = { field: "timeout", slug: "field.duration_too_short", values: { minimum: 0 } };
const noCertificate = { field: "rootCa", slug: "field.must_be", values: { expected: "PEM (CERTIFICATE)" } };
const noId = { field: "attributes.idAttribute", slug: "field.required" };

export const ldapRules: KindRules<LdapConfiguration> = {
  // With another class or base, or another attribute for the bind, an entry of one user could pass for another.
  fields: {
    servers: "speaker",
    baseDn: "speaker",
    userBase: "speaker",
    userObjectClasses: "speaker",
    idAttribute: "speaker",
    startTls: "manner",
    bindDn: "manner",
    userFilters: "manner",
    timeout: "manner",
    rootCa: "manner",
    attributes: "manner",
  },
  protocol: "ldap",
  // Their order only says which one is asked first.
  speaksAs: ({ servers, baseDn, userBase, userObjectClasses, idAttribute }) => ({
    servers: JSON.stringify(servers.map((server) => server.toLowerCase()).toSorted()),
    baseDn,
    userBase: userBase.toLowerCase(),
    userObjectClasses: JSON.stringify(userObjectClasses.map((name) => name.toLowerCase()).toSorted()),
    idAttribute: idAttribute.toLowerCase(),
  }),
  addresses: () => ({}),
  directories: ({ servers, startTls }) => ({ servers, startsTls: startTls }),
  unfit: (configuration) => {
    const { baseDn, bindDn, userBase, userObjectClasses, userFilters, timeout, rootCa } = configuration;
    const { idAttribute, attributes } = configuration;
    return [
      ...(hasInvisible(baseDn) ? ["baseDn"] : []),
      ...(hasInvisible(bindDn) ? ["bindDn"] : []),
      ...(isAttribute(userBase) ? [] : ["userBase"]),
      ...(userObjectClasses.every(isAttribute) ? [] : ["userObjectClasses"]),
      ...(userFilters.every(isAttribute) ? [] : ["userFilters"]),
      ...(timeout <= longestTimeout ? [] : [tooLong]),
      ...(timeout >= 0 ? [] : [tooShort]),
      ...(rootCa === "" || areCertificates(rootCa) ? [] : [noCertificate]),
      ...(idAttribute === "" ? [noId] : []),
      ...(isAttribute(idAttribute) ? [] : ["attributes.idAttribute"]),
      ...Object.entries(attributes).flatMap(([name, attribute]) =>
        attribute === "" || isAttribute(attribute) ? [] : [`attributes.${name}Attribute`],
      ),
    ];
  },
  // The destination of the password includes what protects it in transit.
  secretDestination: ({ servers, startTls, rootCa }) => JSON.stringify([servers.toSorted(), startTls, rootCa]),
  secretRules: { field: "bindPassword", missing: { slug: "identity_provider.bind_password_required" } },
};

const certificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

function areCertificates(pem: string): boolean {
  const found = pem.match(certificate) ?? [];
  if (found.length === 0 || pem.replace(certificate, "").trim() !== "") return false;
  return found.every((each) => {
    try {
      return new X509Certificate(each).raw.length > 0;
    } catch {
      return false;
    }
  });
}
