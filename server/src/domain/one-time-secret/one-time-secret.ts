import { hash } from "node:crypto";
import type { Random } from "../../base/random.ts";
import { Secret } from "../../base/secret.ts";

/** What a secret may be used for. A new use is a new kind. */
export const oneTimeSecretKinds = [
  "setup_link",
  "email_verification",
  "phone_verification",
  "password_reset",
  "password_reset_entry",
  "invitation",
  "initialization",
  "passkey_registration",
  "session_otp_email",
  "session_otp_sms",
  "session_web_auth_n",
  "otp_email_enrolment",
  "otp_sms_enrolment",
  "key_registration",
  "sign_up",
  "sign_up_message",
] as const;

export type OneTimeSecretKind = (typeof oneTimeSecretKinds)[number];

/** The format of a code that people read and type (the "secret generator" of the settings). */
export interface SecretFormat {
  readonly length: number;
  readonly alphabet: string;
  readonly lifetimeSeconds: number;
}

/** Generates a code of the format. Every character of the alphabet is equally likely. */
export function generateCode(random: Random, format: SecretFormat): Secret {
  const { alphabet, length } = format;
  // Bytes above the largest multiple of the alphabet are discarded, because they would favor its beginning.
  const limit = 256 - (256 % alphabet.length);
  let code = "";
  while (code.length < length) {
    for (const byte of random(length * 2)) {
      if (byte < limit && code.length < length) code += alphabet.charAt(byte % alphabet.length);
    }
  }
  return new Secret(code);
}

/** Computes what is stored: a digest bound to its row, so that a copy in another row proves nothing. */
export function digestOneTimeSecret(
  subject: { readonly instanceId: string; readonly kind: OneTimeSecretKind; readonly subjectId: string },
  secret: Secret,
): string {
  return hash(
    "sha256",
    JSON.stringify([subject.instanceId, subject.kind, subject.subjectId, secret.reveal()]),
    "base64url",
  );
}
