import { readCredentials } from "./keycloak-credentials.ts";
import { type Loss, type Source, type SourceUser, toSourceUser } from "./source.ts";
import { lost, metadataText, recordsOf, type SourceRecord, textOf, textsOf } from "./values.ts";

/** Required actions that have no counterpart, or that follow from the user's data here. */
const silentActions = new Set(["VERIFY_EMAIL", "UPDATE_PASSWORD", "UPDATE_PROFILE", "VERIFY_PROFILE"]);

export interface KeycloakOptions {
  /** Client whose roles are taken; the roles of the realm otherwise. */
  readonly rolesOfClient: string | undefined;
  /** Whether roles are taken at all. */
  readonly takesRoles: boolean;
}

/** Realm exports and files of users of Keycloak: `kc.sh export`, with or without the realm around the users. */
export const keycloakSource = (options: KeycloakOptions): Source => ({
  formOf: () => ({ kind: "json", member: "users" }),
  toUser: (record) => toUser(record, options),
});

function toUser(record: SourceRecord, options: KeycloakOptions): SourceUser {
  const credentials = readCredentials(recordsOf(record, "credentials"));
  const actions = textsOf(record, "requiredActions");
  const { locale, ...attributes } = readAttributes(record["attributes"]);
  return toSourceUser({
    id: textOf(record, "id"),
    username: textOf(record, "username"),
    email: textOf(record, "email"),
    isEmailVerified: record["emailVerified"] === true && !actions.includes("VERIFY_EMAIL"),
    phone: attributes["phoneNumber"] ?? attributes["phone"] ?? "",
    // Realms may let users set their attributes, so these prove nothing.
    isPhoneVerified: false,
    givenName: textOf(record, "firstName"),
    familyName: textOf(record, "lastName"),
    language: locale ?? "",
    passwordHash: credentials.passwordHash,
    isPasswordChangeRequired: actions.includes("UPDATE_PASSWORD"),
    totpSecret: credentials.totpSecret,
    links: recordsOf(record, "federatedIdentities").map((identity) => ({
      provider: textOf(identity, "identityProvider"),
      userId: textOf(identity, "userId"),
      username: textOf(identity, "userName"),
    })),
    roles: options.takesRoles ? readRoles(record, options.rolesOfClient) : [],
    metadata: attributes,
    isDisabled: record["enabled"] === false,
    skipReason: textOf(record, "serviceAccountClientId") === "" ? "" : "it is the service account of a client",
    losses: [...credentials.losses, ...findLosses(record, actions)],
  });
}

/** Attributes have lists of values: one is a text here, several are JSON. */
function readAttributes(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).map(([key, values]): [string, string] => {
    const [first, ...others] = Array.isArray(values) ? (values as unknown[]) : [values];
    return [key, metadataText(others.length === 0 ? (first ?? "") : values)];
  });
  return Object.fromEntries(entries);
}

// The roles that every user of a realm has.
const isEveryones = (role: string): boolean =>
  role === "offline_access" || role === "uma_authorization" || role.startsWith("default-roles-");

function readRoles(record: SourceRecord, client: string | undefined): readonly string[] {
  if (client === undefined) return textsOf(record, "realmRoles").filter((role) => !isEveryones(role));
  const roles = record["clientRoles"];
  return typeof roles === "object" && roles !== null ? textsOf(roles as SourceRecord, client) : [];
}

function findLosses(record: SourceRecord, actions: readonly string[]): readonly Loss[] {
  const groups = textsOf(record, "groups");
  const unknown = actions.filter((action) => !silentActions.has(action));
  return [
    ...(groups.length === 0 ? [] : [lost("groups", `membership of groups is not imported: ${groups.join(", ")}`)]),
    ...unknown.map((action) => lost("requiredActions", `there is no required action ${action}`)),
    ...(textOf(record, "federationLink") === ""
      ? []
      : [lost("federationLink", "the user comes from a directory, which has the password")]),
  ];
}
