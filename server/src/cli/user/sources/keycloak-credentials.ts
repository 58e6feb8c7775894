import { encodeBase32 } from "../../../base/base32.ts";
import { decodeBase64, encodeHashBase64 } from "./base64.ts";
import type { Loss } from "./source.ts";
import { innerRecord, lost, type SourceRecord, textOf } from "./values.ts";

/** What a user of Keycloak signs in with, as far as it can be kept. */
export interface Credentials {
  readonly passwordHash: string;
  readonly totpSecret: string;
  readonly losses: readonly Loss[];
}

/** Reads credentials: a password, one authenticator app; the others are losses. */
export function readCredentials(credentials: readonly SourceRecord[]): Credentials {
  let passwordHash = "";
  let totpSecret = "";
  const losses: Loss[] = [];
  for (const credential of credentials) {
    const type = textOf(credential, "type");
    const read = type === "password" ? readPassword(credential) : type === "otp" ? readOtp(credential) : undefined;
    if (read === undefined) losses.push(lost(`credentials.${type}`, "this kind of credential cannot be moved"));
    else if ("why" in read) losses.push(lost(`credentials.${type}`, read.why));
    else if (type === "password") passwordHash = read.value;
    else if (totpSecret === "") totpSecret = read.value;
    else losses.push(lost("credentials.otp", "a user has one authenticator app here; the first one is kept"));
  }
  return { passwordHash, totpSecret, losses };
}

type Read = { readonly value: string } | { readonly why: string };

// Exports before version 8 have these members in the credential itself, later ones as JSON in two texts.
function readPassword(credential: SourceRecord): Read {
  const data = { ...credential, ...innerRecord(credential["credentialData"]) };
  const secret = innerRecord(credential["secretData"]);
  const algorithm = textOf(data, "algorithm");
  const salt = decodeBase64(textOf(secret, "salt") || textOf(credential, "salt"));
  const digest = decodeBase64(textOf(secret, "value") || textOf(credential, "hashedSaltedValue"));
  const iterations = textOf(data, "hashIterations");
  if (digest === undefined || salt === undefined) return { why: "the hash has no value or no salt" };
  const pbkdf2 = pbkdf2Hashes[algorithm];
  if (pbkdf2 !== undefined) {
    // Keycloak derives 64 bytes whatever the hash. Its first block is a hash by itself, for which an attacker needs no
    // more time, and a check half as much of ours (RFC 8018 §5.2).
    const block = digest.subarray(0, pbkdf2.size);
    return { value: `$pbkdf2-${pbkdf2.name}$i=${iterations}$${encodeHashBase64(salt)}$${encodeHashBase64(block)}` };
  }
  if (algorithm === "argon2") return readArgon2(data, { salt, digest, iterations });
  return { why: `passwords hashed with ${algorithm === "" ? "an unnamed algorithm" : algorithm} cannot be checked` };
}

const pbkdf2Hashes: Readonly<Record<string, { readonly name: string; readonly size: number } | undefined>> = {
  pbkdf2: { name: "sha1", size: 20 },
  "pbkdf2-sha256": { name: "sha256", size: 32 },
  "pbkdf2-sha512": { name: "sha512", size: 64 },
};

function readArgon2(
  data: SourceRecord,
  { salt, digest, iterations }: { readonly salt: Uint8Array; readonly digest: Uint8Array; readonly iterations: string },
): Read {
  const parameters = innerRecord(data["additionalParameters"]);
  const parameter = (name: string): string => {
    const values = parameters[name];
    return Array.isArray(values) && typeof values[0] === "string" ? values[0] : "";
  };
  const version = { "1.0": "16", "1.3": "19" }[parameter("version")];
  if (version === undefined) return { why: "the version of Argon2 is unknown" };
  const cost = `m=${parameter("memory")},t=${iterations},p=${parameter("parallelism")}`;
  return {
    value: `$argon2${parameter("type")}$v=${version}$${cost}$${encodeHashBase64(salt)}$${encodeHashBase64(digest)}`,
  };
}

function readOtp(credential: SourceRecord): Read {
  const data = { ...credential, ...innerRecord(credential["credentialData"]) };
  const secret = textOf(innerRecord(credential["secretData"]), "value") || textOf(credential, "value");
  const isUsual =
    textOf(data, "subType") === "totp" &&
    textOf(data, "digits") === "6" &&
    textOf(data, "period") === "30" &&
    textOf(data, "algorithm") === "HmacSHA1";
  if (!isUsual) return { why: "only apps with six digits, 30 seconds and SHA-1 can be kept" };
  const encoding = textOf(data, "secretEncoding").toUpperCase();
  if (encoding === "BASE32") return { value: secret };
  // Without an encoding, the characters themselves are the key.
  return encoding === ""
    ? { value: encodeBase32(new TextEncoder().encode(secret)) }
    : { why: "the secret is encoded in an unknown form" };
}
