import type { Clock } from "../base/clock.ts";
import { toNumericDate } from "../base/clock.ts";
import { signJwt } from "../base/jose/index.ts";
import { signatureHeaders } from "../base/payload-signature.ts";
import type { Vault } from "../base/vault.ts";
import type { Call } from "../call/index.ts";
import { type CallableTarget, signingKeyContext } from "../domain/action/index.ts";
import { type CreateSigningKeyDeps, ensureSigningKey, type KeyRing } from "../domain/signing-key/index.ts";
import { encryptToken } from "./encrypt.ts";
import { TargetFailure } from "./target-failure.ts";

export interface SealDeps extends CreateSigningKeyDeps {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  /** Returns the public origin of an instance: its issuer. */
  readonly originOf: (instanceId: string) => Promise<string>;
  /** The namespace words, ours first; the signature is sent under each. */
  readonly words: readonly string[];
}

export interface SealedPayload {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

// Every current verifier supports it, and it is cheap to sign.
const algorithm = "ES256";
const lifetimeSeconds = 300;

/**
 * Prepares a payload for a target: as JSON, signed token or encrypted token, with the signature of exactly this body in
 * the headers.
 */
export async function sealPayload(
  deps: SealDeps,
  call: Call,
  target: CallableTarget,
  payload: object,
): Promise<SealedPayload> {
  const { body, type } = await encode(deps, call, target, payload);
  const key = deps.vault.decrypt(target.signingKey, signingKeyContext(call.instanceId, target.targetId));
  return {
    body,
    headers: {
      "content-type": type,
      ...signatureHeaders(deps.words, { key, body, now: deps.clock() }),
    },
  };
}

async function encode(
  deps: SealDeps,
  call: Call,
  target: CallableTarget,
  payload: object,
): Promise<{ readonly body: string; readonly type: string }> {
  switch (target.payloadType) {
    case "json":
      return { body: JSON.stringify(payload), type: "application/json" };
    case "jwt":
      return { body: await sign(deps, call, target, payload), type: "application/jwt" };
    case "jwe": {
      const { encryptionKey } = target;
      if (encryptionKey === undefined) throw new TargetFailure("no_encryption_key");
      if (encryptionKey.expiresAt !== undefined && encryptionKey.expiresAt <= deps.clock()) {
        throw new TargetFailure("encryption_key_expired");
      }
      return {
        body: await encryptToken(await sign(deps, call, target, payload), encryptionKey),
        type: "application/jwt",
      };
    }
    default:
      return target.payloadType satisfies never;
  }
}

// With its own type (RFC 8725 §3.11) and the endpoint as audience, so that it cannot be mistaken for an ID token.
async function sign(deps: SealDeps, call: Call, target: CallableTarget, payload: object): Promise<string> {
  const { instanceId } = call;
  const { activeAlgorithms } = await deps.keyRing(instanceId);
  if (!activeAlgorithms.includes(algorithm)) await ensureSigningKey(deps, call, algorithm);
  const { signingKey } = await deps.keyRing(instanceId);
  const iat = toNumericDate(deps.clock());
  return signJwt(signingKey(algorithm), "action+jwt", {
    ...payload,
    iss: await deps.originOf(instanceId),
    aud: target.endpoint,
    iat,
    exp: iat + lifetimeSeconds,
  });
}
