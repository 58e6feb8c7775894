import type { Duration } from "@bufbuild/protobuf/wkt";
import { type LDAPAttributes, ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

interface LdapRequest {
  readonly servers: readonly string[];
  readonly startTls: boolean;
  readonly baseDn: string;
  readonly bindDn: string;
  readonly bindPassword: string;
  readonly userBase: string;
  readonly userObjectClasses: readonly string[];
  readonly userFilters: readonly string[];
  readonly timeout?: Pick<Duration, "seconds" | "nanos"> | undefined;
  readonly attributes?: Names | undefined;
  readonly rootCa: Uint8Array;
}

type Configuration = ConfigurationOf<"ldap">;
type Names = Readonly<Record<Exclude<keyof LDAPAttributes, "$typeName" | "$unknown">, string>>;

export const ldapWords: ProviderWords<Configuration, LdapRequest> = {
  kind: "ldap",
  type: ProviderType.LDAP,
  fromRequest: ({ servers, startTls, baseDn, bindDn, userBase, userObjectClasses, userFilters, ...request }) => ({
    kind: "ldap",
    servers,
    startTls,
    baseDn,
    bindDn,
    userBase,
    userObjectClasses,
    userFilters,
    timeout: toMilliseconds(request.timeout),
    rootCa: Buffer.from(request.rootCa).toString("utf8").trim(),
    idAttribute: request.attributes?.idAttribute ?? "",
    attributes: fromNames(request.attributes),
  }),
  secretOf: ({ bindPassword }) => bindPassword,
  toMessage: ({
    kind: _,
    servers,
    userObjectClasses,
    userFilters,
    timeout,
    rootCa,
    idAttribute,
    ...configuration
  }) => ({
    case: "ldap",
    value: {
      ...configuration,
      servers: [...servers],
      userObjectClasses: [...userObjectClasses],
      userFilters: [...userFilters],
      attributes: { idAttribute, ...toNames(configuration.attributes) },
      ...(timeout > 0 && { timeout: toDuration(timeout) }),
      rootCa: Buffer.from(rootCa, "utf8"),
    },
  }),
};

function fromNames(names: Names | undefined): Configuration["attributes"] {
  return {
    firstName: names?.firstNameAttribute ?? "",
    lastName: names?.lastNameAttribute ?? "",
    displayName: names?.displayNameAttribute ?? "",
    nickName: names?.nickNameAttribute ?? "",
    preferredUsername: names?.preferredUsernameAttribute ?? "",
    email: names?.emailAttribute ?? "",
    emailVerified: names?.emailVerifiedAttribute ?? "",
    phone: names?.phoneAttribute ?? "",
    phoneVerified: names?.phoneVerifiedAttribute ?? "",
    preferredLanguage: names?.preferredLanguageAttribute ?? "",
    avatarUrl: names?.avatarUrlAttribute ?? "",
    profile: names?.profileAttribute ?? "",
  };
}

const toNames = (attributes: Configuration["attributes"]): Omit<Names, "idAttribute"> => ({
  firstNameAttribute: attributes.firstName,
  lastNameAttribute: attributes.lastName,
  displayNameAttribute: attributes.displayName,
  nickNameAttribute: attributes.nickName,
  preferredUsernameAttribute: attributes.preferredUsername,
  emailAttribute: attributes.email,
  emailVerifiedAttribute: attributes.emailVerified,
  phoneAttribute: attributes.phone,
  phoneVerifiedAttribute: attributes.phoneVerified,
  preferredLanguageAttribute: attributes.preferredLanguage,
  avatarUrlAttribute: attributes.avatarUrl,
  profileAttribute: attributes.profile,
});

const toMilliseconds = (duration: LdapRequest["timeout"]): number =>
  duration === undefined ? 0 : Number(duration.seconds) * 1000 + Math.floor(duration.nanos / 1_000_000);

const toDuration = (milliseconds: number) => ({
  seconds: BigInt(Math.floor(milliseconds / 1000)),
  nanos: (milliseconds % 1000) * 1_000_000,
});
