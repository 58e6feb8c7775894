import { generateKeyPair as generate, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { createFairTurns } from "./budget/fair-turns.ts";
import { currentAsker } from "./budget/payer.ts";
import { QueueFull } from "./budget/semaphore.ts";
import { Fault } from "./fault.ts";

const generateInPool = promisify(generate);

export type KeyPairKind =
  | { readonly kind: "rsa"; readonly bits: number }
  | { readonly kind: "ec"; readonly curve: string }
  | { readonly kind: "ed25519" };

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

// The pool belongs to the process, and so do its turns: it has four threads, in which passwords are hashed and commits
// are written to the disk as well.
const turns = createFairTurns({ permits: 1, shares: [1], queueLimits: [64, 32, 16], queueLimit: 512 });

/** How many key pairs are generated now, and how many wait. */
export const keyPairQueue: { readonly running: number; readonly waiting: number } = turns;

/**
 * Generates a key pair in the thread pool. RSA takes from fifty milliseconds to some seconds: never inside a change.
 * One is generated at a time in the process, and the turns are divided among the instances, organizations and callers
 * who ask for them. Throws the Fault `request.too_many` when too many wait, and the reason of the signal when the
 * caller has gone before the turn came.
 */
export async function generateKeyPair(kind: KeyPairKind, signal?: AbortSignal): Promise<KeyPair> {
  try {
    return await turns.run(currentAsker(), () => generateNow(kind), signal);
  } catch (error) {
    if (error instanceof QueueFull) throw new Fault("resource_exhausted", "request.too_many", { cause: error });
    throw error;
  }
}

function generateNow(kind: KeyPairKind): Promise<KeyPair> {
  switch (kind.kind) {
    case "rsa":
      return generateInPool("rsa", { modulusLength: kind.bits, publicExponent: 0x10001 });
    case "ec":
      return generateInPool("ec", { namedCurve: kind.curve });
    case "ed25519":
      return generateInPool("ed25519");
    default:
      return kind satisfies never;
  }
}

/** Returns what a key pair takes of a budget: 1 for all that cost no more than RSA of 2048 bits. */
export function weightOf(kind: KeyPairKind): number {
  if (kind.kind !== "rsa" || kind.bits <= 2048) return 1;
  return kind.bits <= 3072 ? 3 : 10;
}
