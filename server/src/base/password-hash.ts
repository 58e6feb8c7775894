import { Fault } from "./fault.ts";
import { parseImportedHash } from "./imported-hash.ts";
import { normalizePassword } from "./password.ts";
import type { Random } from "./random.ts";
import { createSemaphore, QueueFull } from "./semaphore.ts";

// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane; 9–10 ms here.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
const saltSize = 16;
const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

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
}

export interface PasswordHasherOptions {
  /**
   * How many hashes are computed at a time: one per core. More thrash the caches (measured: 8 on 2 cores are 40 %
   * slower).
   */
  readonly concurrency: number;
  /** How many may wait for their turn. */
  readonly queueLimit: number;
  readonly random: Random;
}

const noMatch: PasswordCheck = { matches: false, needsRehash: false };

export function createPasswordHasher({ concurrency, queueLimit, random }: PasswordHasherOptions): PasswordHasher {
  const semaphore = createSemaphore({ permits: concurrency, queueLimit });
  const dummyHash = currentPrefix + [random(saltSize), random(cost.outputLen)].map(toPhcBase64).join("$");

  const takeTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await semaphore.run(work);
    } catch (error) {
      if (error instanceof QueueFull) throw new Fault("resource_exhausted", "password.busy", { cause: error });
      throw error;
    }
  };

  const verifyDummy = (password: string): Promise<PasswordCheck> =>
    takeTurn(async () => {
      await (await loadArgon2()).verify(dummyHash, tryNormalize(password) ?? "");
      return noMatch;
    });

  return {
    hash: async (password) => {
      const normalized = normalizePassword(password);
      return takeTurn(async () => (await loadArgon2()).hash(normalized, { ...cost, salt: random(saltSize) }));
    },
    verify: (password, storedHash) => {
      const normalized = tryNormalize(password);
      // A password that can never have been set costs as much time as any other, so that timing does not reveal which
      // users exist.
      if (normalized === undefined) return verifyDummy(password);
      return takeTurn(async () => {
        if (storedHash.startsWith(currentPrefix)) {
          return { matches: await (await loadArgon2()).verify(storedHash, normalized), needsRehash: false };
        }
        const matches = await verifyImported(storedHash, normalized, password);
        return { matches, needsRehash: matches };
      });
    },
    verifyDummy,
    get waiting() {
      return semaphore.waiting;
    },
  };
}

/** Whether a hash of another system can be verified here; checked on import. */
export const isSupportedHash = (encoded: string): boolean => parseImportedHash(encoded) !== undefined;

// The other system may have hashed the typed text, not its NFC form; tried only where the two differ.
async function verifyImported(storedHash: string, normalized: string, typed: string): Promise<boolean> {
  const imported = parseImportedHash(storedHash);
  if (imported === undefined) return false;
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

const toPhcBase64 = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");
