import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import { parseTarget } from "../../base/outbound/index.ts";
import type { Details } from "../../database/index.ts";

/** What becomes of the response: its status counts, its body replaces what was sent, or the call is not waited for. */
export type TargetKind = "webhook" | "call" | "async";

/** How the payload is protected: signed in a header, sent as a signed token, or as a signed token that is encrypted. */
export type PayloadType = "json" | "jwt" | "jwe";

/** An HTTP endpoint that can be called. */
export interface Target {
  readonly targetId: string;
  readonly name: string;
  readonly kind: TargetKind;
  readonly endpoint: string;
  /** Milliseconds for one call. */
  readonly timeout: number;
  /** Whether a failed call aborts the operation that triggered it. */
  readonly isInterrupting: boolean;
  readonly payloadType: PayloadType;
  readonly details: Details;
}

/** A target with what is needed to call it. */
export interface CallableTarget {
  readonly targetId: string;
  readonly kind: TargetKind;
  readonly endpoint: string;
  /** Milliseconds for one call. */
  readonly timeout: number;
  readonly isInterrupting: boolean;
  readonly payloadType: PayloadType;
  /** Encrypted. */
  readonly signingKey: string;
  /** What payloads of type `jwe` are encrypted to; absent when no key is active. */
  readonly encryptionKey?: { readonly keyId: string; readonly publicKey: string; readonly expiresAt?: number };
}

/** What a caller specifies of a target. */
export type TargetInput = Pick<Target, "name" | "kind" | "endpoint" | "timeout" | "isInterrupting" | "payloadType">;

/** Applies to a target without a timeout of its own, because no call may be waited for without a bound. */
const defaultTimeout = seconds(10);
const longestName = 1000;
const longestTimeout = seconds(270);

/**
 * Returns the target in the form in which it is stored. Throws the Faults
 * `target.name_invalid|endpoint_invalid|timeout_invalid`.
 */
export function checkTarget(input: TargetInput): TargetInput {
  const name = input.name.trim();
  if (name === "" || name.length > longestName || hasInvisible(name))
    throw new Fault("invalid_argument", "target.name_invalid", { field: "name" });
  // Whether its address may be reached is checked at each call: what a host name resolves to can change.
  if (parseTarget(input.endpoint) === undefined) {
    throw new Fault("invalid_argument", "target.endpoint_invalid", { field: "endpoint" });
  }
  if (input.timeout < 0 || input.timeout > longestTimeout) {
    throw new Fault("invalid_argument", "target.timeout_invalid", { field: "timeout" });
  }
  return { ...input, name, timeout: input.timeout === 0 ? defaultTimeout : input.timeout };
}

/** The event aggregate of a target; targets belong to the instance. */
export function targetAggregate(instanceId: string, targetId: string) {
  return { aggregateType: "target", aggregateId: targetId, ownerId: instanceId } as const;
}

/** Context of the sealed signing key: it cannot be opened under any other. */
export const signingKeyContext = (instanceId: string, targetId: string): string =>
  `targets/${instanceId}/${targetId}/signing_key`;

export const targetAbsent = (field: string): Fault => new Fault("not_found", "target.not_found", { field });
