import { hasInvisible } from "../../base/canonical.ts";
import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { parseTarget } from "../../base/outbound/index.ts";
import type { Details } from "../../database/index.ts";

/** What is done with the answer: its status counts, its body replaces what was sent, or nobody waits for it. */
export type TargetKind = "webhook" | "call" | "async";

/** How what is sent is protected: signed by a header, a signed token, or one that is encrypted as well. */
export type PayloadType = "json" | "jwt" | "jwe";

/** An HTTP endpoint that can be called. */
export interface Target {
  readonly targetId: string;
  readonly name: string;
  readonly kind: TargetKind;
  readonly endpoint: string;
  /** Milliseconds for one call. */
  readonly timeout: number;
  /** Whether a call that fails stops what called it. */
  readonly isInterrupting: boolean;
  readonly payloadType: PayloadType;
  readonly details: Details;
}

/** A target as whoever calls it needs it. */
export interface CallableTarget {
  readonly targetId: string;
  readonly kind: TargetKind;
  readonly endpoint: string;
  /** Milliseconds for one call. */
  readonly timeout: number;
  readonly isInterrupting: boolean;
  readonly payloadType: PayloadType;
  /** Sealed. */
  readonly signingKey: string;
  /** What payloads of type `jwe` are encrypted to; absent when no key is active. */
  readonly encryptionKey?: { readonly keyId: string; readonly publicKey: string; readonly expiresAt?: number };
}

/** What somebody says of a target. */
export type TargetInput = Pick<Target, "name" | "kind" | "endpoint" | "timeout" | "isInterrupting" | "payloadType">;

/** Of a target that says nothing about it, as nobody wants to be waited for without an end. */
export const defaultTimeout = seconds(10);
const longestName = 1000;
const longestTimeout = seconds(270);

/** The target as it is stored. Throws the Faults `target.name_invalid|endpoint_invalid|timeout_invalid`. */
export function checkTarget(input: TargetInput): TargetInput {
  const name = input.name.trim();
  if (name === "" || name.length > longestName || hasInvisible(name))
    throw new Fault("invalid_argument", "target.name_invalid", { field: "name" });
  // Whether its address may be reached is known when it is called: a name can lead elsewhere tomorrow.
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

/** Where the sealed signing key stands; it can be opened nowhere else. */
export const signingKeyContext = (instanceId: string, targetId: string): string =>
  `targets/${instanceId}/${targetId}/signing_key`;

export const targetAbsent = (field: string): Fault => new Fault("not_found", "target.not_found", { field });
