import { hash, timingSafeEqual } from "node:crypto";
import { inspect } from "node:util";
import type { Random } from "./random.ts";

const hidden = "[secret]";

/**
 * A value that must not be printed: logs, JSON and templates show `[secret]`; `reveal()` is the only way to the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

/** Generates a secret of 256 bits in base64url (43 characters). */
export function generateSecret(random: Random): Secret {
  return new Secret(random(32).toString("base64url"));
}

/**
 * Returns the stored form of a generated secret: its SHA-256 in base64url. A slow hash would protect nothing here,
 * because the secret has at least 192 bits, and would cost 20 ms a request.
 */
export function hashSecret(secret: Secret | string): string {
  return hash("sha256", typeof secret === "string" ? secret : secret.reveal(), "base64url");
}

/** Whether the secret matches the stored hash, in constant time. */
export function matchesHash(secret: Secret | string, storedHash: string): boolean {
  const presented = hash("sha256", typeof secret === "string" ? secret : secret.reveal(), "buffer");
  const stored = Buffer.from(storedHash, "base64url");
  // All hashes have the same length, which is not secret.
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}

/** Compares in constant time; both sides are hashed first, so lengths may differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(hash("sha256", left, "buffer"), hash("sha256", right, "buffer"));
}
