import { minutes } from "../../base/clock.ts";
import type { Secret } from "../../base/secret.ts";
import type { Reader } from "../../database/index.ts";
import { isRedeemedSecret } from "./one-time-secret.store.ts";
import { digestOneTimeSecret, type OneTimeSecretKind } from "./one-time-secret.ts";

const aWhile = minutes(1);

/**
 * Whether a secret is the one that was redeemed a moment ago: for the answer to a resubmission. It proves nothing
 * beyond what it proved then, so the caller must know by other means that the browser is the same.
 */
export function wasJustRedeemed(
  reader: Reader,
  subject: { readonly instanceId: string; readonly kind: OneTimeSecretKind; readonly subjectId: string },
  { secret, now }: { readonly secret: Secret; readonly now: number },
): Promise<boolean> {
  const { instanceId, kind, subjectId } = subject;
  const secretHash = digestOneTimeSecret(subject, secret);
  return isRedeemedSecret(reader, instanceId, { kind, subjectId, secretHash, since: now - aWhile });
}
