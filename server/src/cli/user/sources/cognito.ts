import { isRecord, JsonError, parseJson } from "../../../base/json.ts";
import { type Source, type SourceLink, type SourceUser, toSourceUser } from "./source.ts";
import { flagOf, lost, recordsOf, type SourceRecord, textOf } from "./values.ts";

/** Users of Amazon Cognito: what `list-users` answers, or CSV with the header of the pool. Neither has passwords. */
export const cognitoSource: Source = {
  formOf: (first) => (first === "{" || first === "[" ? { kind: "json", member: "Users" } : { kind: "csv" }),
  toUser: (record) => (record["Attributes"] === undefined ? fromRow(record) : fromJson(record)),
};

// Columns that have a field here, and columns that are not about the user.
const taken = new Set([
  "sub",
  "email",
  "email_verified",
  "phone_number",
  "phone_number_verified",
  "given_name",
  "family_name",
  "name",
  "nickname",
  "locale",
  "identities",
  "cognito:username",
  "cognito:mfa_enabled",
  "cognito:user_status",
  "updated_at",
]);

// Users write these themselves, so an attribute of the pool with the same name keeps its prefix.
const standard = new Set([
  "address",
  "birthdate",
  "gender",
  "middle_name",
  "picture",
  "preferred_username",
  "profile",
  "website",
  "zoneinfo",
  ...taken,
]);

// Such users cannot sign in there either.
const endedStatuses = ["ARCHIVED", "COMPROMISED"];

function fromJson(record: SourceRecord): SourceUser {
  const pairs = recordsOf(record, "Attributes").map((each) => [textOf(each, "Name"), textOf(each, "Value")]);
  const attributes = Object.fromEntries(pairs) as SourceRecord;
  return toUser(attributes, {
    username: textOf(record, "Username"),
    isDisabled: record["Enabled"] === false || endedStatuses.includes(textOf(record, "UserStatus")),
    hasPassword: textOf(record, "UserStatus") !== "EXTERNAL_PROVIDER",
    hasSecondFactor: recordsOf(record, "MFAOptions").length > 0,
  });
}

const fromRow = (record: SourceRecord): SourceUser =>
  toUser(record, {
    username: textOf(record, "cognito:username"),
    isDisabled: false,
    hasPassword: true,
    hasSecondFactor: flagOf(record, "cognito:mfa_enabled"),
  });

interface Account {
  readonly username: string;
  readonly isDisabled: boolean;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
}

function toUser(attributes: SourceRecord, { username, isDisabled, hasPassword, hasSecondFactor }: Account): SourceUser {
  const id = textOf(attributes, "sub");
  const others = Object.keys(attributes).filter((name) => !taken.has(name) && textOf(attributes, name) !== "");
  // In pools that are signed in to with an address, the username is the id. What users prefer to be called is no
  // username: they choose it themselves, and in most pools several may choose the same.
  const isGenerated = username === id || /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/.test(username);
  return toSourceUser({
    // The header of a pool has no id; then the username is what does not change.
    id: id === "" ? username : id,
    username: isGenerated ? "" : username,
    email: textOf(attributes, "email"),
    isEmailVerified: flagOf(attributes, "email_verified"),
    phone: textOf(attributes, "phone_number"),
    isPhoneVerified: flagOf(attributes, "phone_number_verified"),
    givenName: textOf(attributes, "given_name"),
    familyName: textOf(attributes, "family_name"),
    displayName: textOf(attributes, "name"),
    nickName: textOf(attributes, "nickname"),
    language: textOf(attributes, "locale"),
    links: readIdentities(textOf(attributes, "identities")),
    metadata: Object.fromEntries(others.map((name) => [keyOf(name), textOf(attributes, name)])),
    isDisabled,
    losses: [
      ...(hasPassword ? [lost("password", "passwords are not exported; the user sets a new one")] : []),
      ...(hasSecondFactor ? [lost("mfa", "second factors are not exported")] : []),
    ],
  });
}

/** Returns the key in the metadata of an attribute, without `custom:` where that leaves no name of a standard one. */
function keyOf(name: string): string {
  const short = name.replace(/^custom:/, "");
  return standard.has(short) ? name : short;
}

/** The attribute `identities` is a list as JSON. */
function readIdentities(text: string): readonly SourceLink[] {
  if (text === "") return [];
  try {
    const identities = parseJson(text);
    if (!Array.isArray(identities)) return [];
    return identities.filter(isRecord).map((identity) => ({
      provider: textOf(identity, "providerName"),
      userId: textOf(identity, "userId"),
      username: undefined,
    }));
  } catch (error) {
    if (error instanceof JsonError) return [];
    throw error;
  }
}
