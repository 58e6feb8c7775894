import { type Loss, type Source, type SourceUser, toSourceUser } from "./source.ts";
import { innerRecord, lost, metadataText, recordsOf, type SourceRecord, textOf } from "./values.ts";

/** Finds the hash of a user in the export of hashes, by their id in the database of Auth0. */
export type FindHash = (userId: string) => Promise<string | undefined>;

/**
 * User exports of Auth0 (NDJSON of an export job, or JSON in the form of its bulk import). Hashes of passwords come
 * from a separate export, or are in the entries themselves.
 */
export const auth0Source = ({ findHash }: { readonly findHash: FindHash }): Source => ({
  formOf: () => ({ kind: "json" }),
  toUser: (record) => toUser(record, findHash),
});

async function toUser(record: SourceRecord, findHash: FindHash): Promise<SourceUser> {
  const id = textOf(record, "user_id") || textOf(record, "id");
  const own = readOwnHash(record);
  const factors = readFactors(record);
  const idOfPassword = findIdOfPassword(record, id);
  const exported = idOfPassword === undefined ? undefined : await findHash(idOfPassword);
  const passwordHash = own.hash || (exported ?? "");
  const isWithoutHash = passwordHash === "" && own.losses.length === 0 && idOfPassword !== undefined;
  const metadata = { ...prefixed(record["user_metadata"], ""), ...prefixed(record["app_metadata"], "app.") };
  const picture = textOf(record, "picture");
  const isVerified = record["email_verified"] === true || record["email_verified"] === "true";
  return toSourceUser({
    id,
    username: textOf(record, "username"),
    email: textOf(record, "email"),
    isEmailVerified: isVerified,
    phone: textOf(record, "phone_number"),
    isPhoneVerified: record["phone_verified"] === true,
    givenName: textOf(record, "given_name"),
    familyName: textOf(record, "family_name"),
    displayName: textOf(record, "name"),
    nickName: textOf(record, "nickname"),
    language: textOf(record, "locale"),
    passwordHash,
    totpSecret: factors.totpSecret,
    links: recordsOf(record, "identities").filter(isForeign).map(toLink),
    metadata: picture === "" ? metadata : { ...metadata, picture },
    isDisabled: record["blocked"] === true || record["blocked"] === "true",
    losses: [
      ...own.losses,
      ...(isWithoutHash ? [lost("password", "there is no hash for this user (--password-hashes)")] : []),
      ...factors.losses,
    ],
  });
}

/**
 * Returns the id of a user in the database of Auth0 itself, which the export of hashes has; undefined for users of
 * other connections, whose ids may be the same. Files for bulk import have ids without a connection.
 */
function findIdOfPassword(record: SourceRecord, id: string): string | undefined {
  if (id.startsWith(ownConnection)) return id.slice(ownConnection.length);
  const own = recordsOf(record, "identities").find((identity) => textOf(identity, "provider") === "auth0");
  if (own !== undefined) return textOf(own, "user_id") || undefined;
  return id === "" || id.includes("|") ? undefined : id;
}

const ownConnection = "auth0|";

// The database of Auth0 itself, and codes by mail and text message: not accounts at other providers.
const isForeign = (identity: SourceRecord): boolean =>
  !["auth0", "email", "sms", ""].includes(textOf(identity, "provider"));

function toLink(identity: SourceRecord) {
  const profile = innerRecord(identity["profileData"]);
  return {
    provider: textOf(identity, "connection") || textOf(identity, "provider"),
    userId: textOf(identity, "user_id"),
    username: textOf(profile, "email") || textOf(profile, "username"),
  };
}

function readOwnHash(record: SourceRecord): { readonly hash: string; readonly losses: readonly Loss[] } {
  const hash = textOf(record, "password_hash");
  if (hash !== "" || record["custom_password_hash"] === undefined) return { hash, losses: [] };
  const custom = innerRecord(record["custom_password_hash"]);
  const value = textOf(innerRecord(custom["hash"]), "value");
  const isReadable = ["bcrypt", "argon2", "pbkdf2"].includes(textOf(custom, "algorithm")) && value.startsWith("$");
  if (isReadable && custom["password"] === undefined) return { hash: value, losses: [] };
  return {
    hash: "",
    losses: [lost("custom_password_hash", "this algorithm, or text around the password, is not supported")],
  };
}

function readFactors(record: SourceRecord): { readonly totpSecret: string; readonly losses: readonly Loss[] } {
  const factors = recordsOf(record, "mfa_factors");
  const secrets = factors
    .map((factor) => textOf(innerRecord(factor["totp"]), "secret"))
    .filter((secret) => secret !== "");
  const others = factors.length - secrets.length;
  return {
    totpSecret: secrets[0] ?? "",
    losses: [
      ...(secrets.length > 1
        ? [lost("mfa_factors", "a user has one authenticator app here; the first one is kept")]
        : []),
      ...(others > 0 ? [lost("mfa_factors", "only authenticator apps can be kept")] : []),
    ],
  };
}

function prefixed(value: unknown, prefix: string): Record<string, string> {
  const entries = Object.entries(innerRecord(value));
  return Object.fromEntries(entries.map(([key, each]) => [prefix + key, metadataText(each)]));
}
