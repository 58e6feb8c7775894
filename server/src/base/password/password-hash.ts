import { createFairTurns, type FairTurns } from "../budget/fair-turns.ts";
import { currentPayer } from "../budget/payer.ts";
import { QueueFull } from "../budget/semaphore.ts";
import { Fault } from "../fault.ts";
import type { Random } from "../random.ts";
import { encodeHashBase64 } from "./hash-base64.ts";
import { affordableMilliseconds, type ImportedHash, parseImportedHash } from "./imported-hash.ts";
import { normalizePassword } from "./password.ts";
import { roundUpToStep } from "./refusal-quantum.ts";

/** What a hash of Argon2id costs (RFC 9106 §3.1). */
export interface PasswordCost {
  /** Memory in KiB. */
  readonly memoryCost: number;
  /** Passes over it. */
  readonly timeCost: number;
}

// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane; 9–10 ms here.
const usualCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
const shape = { parallelism: 1, outputLen: 32 } as const;
const ownMilliseconds = 10;
const saltSize = 16;

interface PasswordCheck {
  readonly matches: boolean;
  /**
   * The password matches, but its hash has another algorithm or cost: store a new one while the password is at hand.
   */
  readonly needsRehash: boolean;
}

/** Hashes passwords, a few at a time. All three methods throw the Fault `password.busy` when too many wait. */
export interface PasswordHasher {
  /** Returns the hash to store. Throws the Faults `password.too_long` and `password.malformed`. */
  hash(password: string): Promise<string>;
  /** Whether the password matches the stored hash, ours or an imported one. */
  verify(password: string, storedHash: string): Promise<PasswordCheck>;
  /** Takes as long as `verify` and never matches: for users that do not exist or have no password. */
  verifyDummy(password: string): Promise<PasswordCheck>;
  readonly waiting: number;
  /**
   * Returns the step of milliseconds that checking a hash of another system surely fits in where no check is slow; 0
   * for our own, which take what refusals take anyway.
   */
  costOfImported(storedHash: string): number;
  /** How many times longer than estimated recent checks took on this machine under its load: 1 to 4. */
  readonly slowness: number;
}

/** The verdict on a hash from another system before it is stored. */
export type HashSupport = "supported" | "unsupported" | "too_costly";

export interface PasswordHasherOptions {
  /**
   * How many hashes are computed at a time: one per core. More thrash the caches (measured: 8 on 2 cores are 40 %
   * slower).
   */
  readonly concurrency: number;
  /**
   * How many checks of one organization may wait for their turn; one block may have three quarters of them, and one
   * source half.
   */
  readonly queueLimit: number;
  readonly random: Random;
  /** Defaults to OWASP's first choice, which every server uses. */
  readonly cost?: PasswordCost | undefined;
}

// One check may take long for a reason of its own, so none counts fully.
const weights = { slower: 1 / 4, faster: 1 / 8 } as const;
// Estimates have a margin of this much.
const margin = 1.25;
const mostSlowness = 4;
// What a check takes besides the hash.
const startingMilliseconds = 25;

const noMatch: PasswordCheck = { matches: false, needsRehash: false };

export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const { concurrency, queueLimit, random } = options;
  const cost = { ...shape, ...(options.cost ?? usualCost) };
  const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
  const queues = {
    queueLimits: [2 * queueLimit, queueLimit, Math.ceil((3 * queueLimit) / 4), Math.ceil(queueLimit / 2)],
    queueLimit: 8 * queueLimit,
  };
  const own = createFairTurns({ permits: concurrency, shares: [concurrency], ...queues });
  // Hashes of other systems take longer than ours. With turns of their own they hold up only one another, and the
  // thread pool keeps threads for ours and for the log.
  const slow = Math.max(1, Math.floor(concurrency / 2));
  const imported = createFairTurns({ permits: slow, shares: [slow], ...queues });
  // Hashes that would be refused on import today take one of these turns at a time.
  const costly = createFairTurns({ permits: 1, shares: [1], ...queues });
  const dummyHash = currentPrefix + [random(saltSize), random(cost.outputLen)].map(encodeHashBase64).join("$");

  const takeTurn = async <Result>(turns: FairTurns, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await turns.run(currentPayer(), work);
    } catch (error) {
      if (error instanceof QueueFull) throw new Fault("resource_exhausted", "password.busy", { cause: error });
      throw error;
    }
  };

  let lately = 1;
  const timed = async (estimate: number, check: () => Promise<boolean>): Promise<boolean> => {
    const started = performance.now();
    const matches = await check();
    const ratio = Math.min(mostSlowness * margin, (performance.now() - started) / estimate);
    lately += (ratio - lately) * (ratio > lately ? weights.slower : weights.faster);
    return matches;
  };

  const verifyDummy = (password: string): Promise<PasswordCheck> =>
    takeTurn(own, async () => {
      const { verify } = await loadArgon2();
      await timed(ownMilliseconds, () => verify(dummyHash, tryNormalize(password) ?? ""));
      return noMatch;
    });

  return {
    hash: async (password) => {
      const normalized = normalizePassword(password);
      return takeTurn(own, async () => (await loadArgon2()).hash(normalized, { ...cost, salt: random(saltSize) }));
    },
    verify: (password, storedHash) => {
      const normalized = tryNormalize(password);
      // A password that can never have been set costs as much time as any other, so that timing does not reveal which
      // users exist.
      if (normalized === undefined) return verifyDummy(password);
      if (storedHash.startsWith(currentPrefix)) {
        return takeTurn(own, async () => {
          const { verify } = await loadArgon2();
          return { matches: await timed(ownMilliseconds, () => verify(storedHash, normalized)), needsRehash: false };
        });
      }
      const hash = parseImportedHash(storedHash);
      if (hash === undefined) return verifyDummy(password);
      const check = async (): Promise<PasswordCheck> => {
        const verify = () => verifyImported(hash, normalized, password);
        const matches = await takeTurn(imported, () => timed(hash.milliseconds, verify));
        return { matches, needsRehash: matches };
      };
      return hash.milliseconds > affordableMilliseconds ? takeTurn(costly, check) : check();
    },
    verifyDummy,
    costOfImported: (storedHash) => {
      const hash = storedHash.startsWith(currentPrefix) ? undefined : parseImportedHash(storedHash);
      return hash === undefined ? 0 : roundUpToStep(hash.milliseconds * margin + startingMilliseconds);
    },
    get waiting() {
      return own.waiting + imported.waiting + costly.waiting;
    },
    get slowness() {
      return Math.max(1, lately / margin);
    },
  };
}

/** Returns whether a hash of another system can be verified here, at a bearable cost; checked on import. */
export function supportOf(encoded: string): HashSupport {
  const hash = parseImportedHash(encoded);
  if (hash === undefined) return "unsupported";
  return hash.milliseconds > affordableMilliseconds ? "too_costly" : "supported";
}

// The other system may have hashed the typed text, not its NFC form; tried only where the two differ.
async function verifyImported(imported: ImportedHash, normalized: string, typed: string): Promise<boolean> {
  return (await imported.verify(normalized)) || (typed !== normalized && (await imported.verify(typed)));
}

function tryNormalize(password: string): string | undefined {
  try {
    return normalizePassword(password);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

// Loaded with the first password: 6 MiB that a server without passwords never needs.
const loadArgon2 = () => import("@node-rs/argon2");
