import { decodeBase64, encodeHashBase64 } from "./base64.ts";
import { type Source, type SourceUser, toSourceUser } from "./source.ts";
import { lost, recordsOf, type SourceRecord, textOf } from "./values.ts";

/** The parameters of password hashes that the console of Firebase shows. */
export interface FirebaseHashing {
  readonly signerKey: Uint8Array;
  readonly saltSeparator: Uint8Array;
  readonly rounds: number;
  readonly memoryCost: number;
}

// With or without quotes around names and values.
const parameter = /["']?(\w+)["']?\s*:\s*["']?([^"',\s{}]+)/g;

/** Reads the parameters as the console shows them: `base64_signer_key: …,` on lines of their own. Undefined without. */
export function parseFirebaseHashing(text: string): FirebaseHashing | undefined {
  const values = new Map([...text.matchAll(parameter)].map(([, name = "", value = ""]) => [name, value]));
  const value = (name: string): string => values.get(name) ?? "";
  const signerKey = decodeBase64(value("base64_signer_key"));
  const saltSeparator = decodeBase64(value("base64_salt_separator"));
  const [rounds, memoryCost] = [Number(value("rounds")), Number(value("mem_cost"))];
  if (signerKey === undefined || saltSeparator === undefined || !(rounds > 0) || !(memoryCost > 0)) {
    return undefined;
  }
  return { signerKey, saltSeparator, rounds, memoryCost };
}

/** `firebase auth:export` in JSON. */
export const firebaseSource = (hashing: FirebaseHashing | undefined): Source => ({
  formOf: () => ({ kind: "json", member: "users" }),
  toUser: (record) => toUser(record, hashing),
});

// Sign-in with a password or a code by text message: not accounts at other providers.
const ownProviders = ["password", "phone", "emailLink"];

function toUser(record: SourceRecord, hashing: FirebaseHashing | undefined): SourceUser {
  const phone = textOf(record, "phoneNumber");
  const read = readHash(record, hashing);
  const metadata = {
    ...(textOf(record, "photoUrl") !== "" && { picture: textOf(record, "photoUrl") }),
    ...(textOf(record, "customAttributes") !== "" && { customAttributes: textOf(record, "customAttributes") }),
  };
  return toSourceUser({
    id: textOf(record, "localId"),
    email: textOf(record, "email"),
    isEmailVerified: record["emailVerified"] === true,
    phone,
    // Firebase has numbers only from users who entered a code, or from administrators.
    isPhoneVerified: phone !== "",
    displayName: textOf(record, "displayName"),
    passwordHash: read.hash,
    links: recordsOf(record, "providerUserInfo")
      .filter((info) => !ownProviders.includes(textOf(info, "providerId")))
      .map((info) => ({
        provider: textOf(info, "providerId"),
        userId: textOf(info, "rawId"),
        username: textOf(info, "email"),
      })),
    metadata,
    isDisabled: record["disabled"] === true,
    losses: [
      ...(read.why === undefined ? [] : [lost("passwordHash", read.why)]),
      ...(recordsOf(record, "mfaInfo").length === 0 ? [] : [lost("mfaInfo", "second factors are not exported")]),
    ],
  });
}

/**
 * Firebase encrypts a secret of the project with the key that scrypt derives from the password (AES-256 in counter
 * mode). Here the key stream itself is compared, so that the secret of the project is neither sent nor stored.
 */
function readHash(
  record: SourceRecord,
  hashing: FirebaseHashing | undefined,
): { readonly hash: string; readonly why?: string } {
  const text = textOf(record, "passwordHash");
  if (text === "") return { hash: "" };
  if (hashing === undefined) return { hash: "", why: "the parameters of hashes were not given (--hash-config)" };
  const encrypted = decodeBase64(text);
  const salt = decodeBase64(textOf(record, "salt"));
  const { signerKey, saltSeparator, rounds, memoryCost } = hashing;
  if (encrypted === undefined || salt === undefined || encrypted.length !== signerKey.length) {
    return { hash: "", why: "the hash is not that of the project's parameters" };
  }
  const stream = encrypted.map((byte, index) => byte ^ (signerKey[index] ?? 0));
  const salted = Uint8Array.from([...salt, ...saltSeparator]);
  return {
    hash: `$firebase-scrypt$ln=${memoryCost},r=${rounds},p=1$${encodeHashBase64(salted)}$${encodeHashBase64(stream)}`,
  };
}
