import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { decodeHashBase64, encodeHashBase64 } from "./hash-base64.ts";

const pbkdf2Async = promisify(pbkdf2);
const scryptAsync = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** A parsed password hash of another system. Verification runs in the thread pool. */
export interface ImportedHash {
  readonly scheme: "argon2" | "bcrypt" | "scrypt" | "pbkdf2";
  /** Estimated milliseconds of one core for one verification. */
  readonly milliseconds: number;
  /** Whether the whole password matches the hash. */
  verify(password: string): Promise<boolean>;
}

/**
 * The most that the verification of a newly imported hash may cost: bcrypt of cost 12, scrypt of OWASP's first choice,
 * 1.2 million rounds of PBKDF2-SHA-256. That is 40 times what our own costs.
 */
export const affordableMilliseconds = 400;

// Estimates, measured on one core of a server of 2024; what counts is their order.
const millisecondsOf = {
  bcrypt: (cost: number): number => 0.06 * 2 ** cost,
  scrypt: (work: number): number => work / 3_300,
  pbkdf2: (rounds: number, hash: BlockHash): number => (rounds / 3_000) * pbkdf2Factors[hash],
  argon2: (work: number): number => work / 3_900,
} as const;

// Of a round, with that of SHA-256 as the unit.
const pbkdf2Factors = { sha1: 0.6, sha224: 1, sha256: 1, sha384: 2, sha512: 2 } as const;

// Limits for one check of a hash that was imported before there was a smaller one: about a second and 256 MiB. More is
// an attack, not a password hash.
const maximumMemory = 256 * 1024 * 1024;
const maximumBcryptCost = 15;
const maximumPbkdf2Iterations = 5_000_000;
const maximumArgon2Work = 2 * 1024 * 1024;
const maximumScryptWork = 2 ** 22;
// Lanes start threads, and blocks and repetitions are filled by PBKDF2, which the amount of work does not show.
const maximumArgon2Lanes = 32;
const maximumScryptBlocks = 64;
const maximumScryptRepetitions = 16;
// A short digest would match wrong passwords by chance.
const leastDigestSize = 16;
const largestDigestSize = 128;
const largestSaltSize = 256;
// RFC 9106 §3.1.
const leastArgon2SaltSize = 8;
const longestHash = 1024;
const bcryptPasswordSize = 72;

/**
 * Parses a hash of another system: Argon2 and scrypt in PHC form, PBKDF2 in PHC form (`$pbkdf2-sha256$i=…$…$…`) and in
 * modular crypt form (`$pbkdf2-sha256$…$…$…`), bcrypt `$2a$`, `$2b$`, `$2y$`, and that of Firebase
 * (`$firebase-scrypt$ln=…,r=…,p=1$…$…`, a form of ours). Returns undefined for any other format and for a hash too weak
 * to mean anything (a digest below 128 bits). Does the same for a hash so costly that checking it would slow down all
 * other requests.
 */
export function parseImportedHash(encoded: string): ImportedHash | undefined {
  if (encoded.length > longestHash) return undefined;
  return parseArgon2(encoded) ?? parseBcrypt(encoded) ?? parseScrypt(encoded) ?? parsePbkdf2(encoded);
}

const argon2Form = /^(\$argon2(?:id|i|d)\$(?:v=(?:16|19)\$)?)m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,3})\$([^$]+)\$([^$]+)$/;

function parseArgon2(encoded: string): ImportedHash | undefined {
  const [, start, memoryText, timeText, lanesText, salt, digest] = argon2Form.exec(encoded) ?? [];
  const stored = parseSaltAndDigest(salt, digest);
  if (stored === undefined || stored.salt.length < leastArgon2SaltSize) return undefined;
  const [memory, time, lanes] = [Number(memoryText), Number(timeText), Number(lanesText)];
  const isPossible = time >= 1 && lanes >= 1 && lanes <= maximumArgon2Lanes && memory >= 8 * lanes;
  const isAffordable = memory * 1024 <= maximumMemory && memory * time <= maximumArgon2Work;
  if (!isPossible || !isAffordable) return undefined;
  const milliseconds = millisecondsOf.argon2(memory * time);
  // The library reads one spelling alone.
  const parts = [stored.salt, stored.digest].map(encodeHashBase64);
  const canonical = [`${start}m=${memory},t=${time},p=${lanes}`, ...parts].join("$");
  return {
    scheme: "argon2",
    milliseconds,
    verify: async (password) => (await import("@node-rs/argon2")).verify(canonical, password),
  };
}

const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

function parseBcrypt(encoded: string): ImportedHash | undefined {
  const [, cost] = bcryptForm.exec(encoded) ?? [];
  if (cost === undefined || Number(cost) < 4 || Number(cost) > maximumBcryptCost) return undefined;
  return {
    scheme: "bcrypt",
    milliseconds: millisecondsOf.bcrypt(Number(cost)),
    // bcrypt reads only 72 bytes of a password. A longer one could only be compared by its beginning (NIST 800-63B:
    // verify the whole).
    verify: async (password) =>
      Buffer.byteLength(password) <= bcryptPasswordSize && (await import("@node-rs/bcrypt")).verify(password, encoded),
  };
}

const scryptForm = /^\$(scrypt|firebase-scrypt)\$ln=(\d{1,2}),r=(\d{1,4}),p=(\d{1,4})\$([^$]+)\$([^$]+)$/;

function parseScrypt(encoded: string): ImportedHash | undefined {
  const [, name, ln, r, p, salt, digest] = scryptForm.exec(encoded) ?? [];
  const stored = parseSaltAndDigest(salt, digest);
  if (ln === undefined || stored === undefined) return undefined;
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const memory = 128 * cost.r * (cost.N + cost.p + 2);
  const isOrdinary = cost.r <= maximumScryptBlocks && cost.p <= maximumScryptRepetitions;
  const isAffordable = memory <= maximumMemory && cost.N * cost.r * cost.p <= maximumScryptWork;
  if (!isAffordable || !isOrdinary || cost.N < 2 || cost.r < 1 || cost.p < 1) return undefined;
  const options = { ...cost, maxmem: memory + 1024 * 1024 };
  return {
    scheme: "scrypt",
    milliseconds: millisecondsOf.scrypt(cost.N * cost.r * cost.p),
    verify: async (password) => {
      const size = name === "scrypt" ? stored.digest.length : firebaseKeySize;
      const derived = await scryptAsync(password, stored.salt, size, options);
      return timingSafeEqual(name === "scrypt" ? derived : keyStream(derived, stored.digest.length), stored.digest);
    },
  };
}

const firebaseKeySize = 32;

/**
 * Returns the first bytes of AES-256 in counter mode. Firebase encrypts a secret of its project with the key that
 * scrypt derives (github.com/firebase/scrypt). An import takes that secret out of the hash: the key stream remains.
 */
const keyStream = (key: Buffer, size: number): Buffer =>
  createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(size));

const pbkdf2Form =
  /^\$pbkdf2(?:-(sha1|sha224|sha256|sha384|sha512))?\$(?:i=)?(\d{1,10})(?:,l=\d{1,3})?\$([^$]+)\$([^$]+)$/;

const blockSizes = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 } as const;
type BlockHash = keyof typeof blockSizes;

function parsePbkdf2(encoded: string): ImportedHash | undefined {
  const [, hash = "sha1", iterationText, salt, digest] = pbkdf2Form.exec(encoded) ?? [];
  const stored = parseSaltAndDigest(salt, digest);
  const iterations = Number(iterationText);
  if (stored === undefined || iterations < 1 || iterations > maximumPbkdf2Iterations) return undefined;
  // Each block of the digest costs all rounds again (RFC 8018 §5.2).
  const rounds = iterations * Math.ceil(stored.digest.length / blockSizes[hash as BlockHash]);
  return {
    scheme: "pbkdf2",
    milliseconds: millisecondsOf.pbkdf2(rounds, hash as BlockHash),
    verify: async (password) =>
      timingSafeEqual(await pbkdf2Async(password, stored.salt, iterations, stored.digest.length, hash), stored.digest),
  };
}

function parseSaltAndDigest(saltText: string | undefined, digestText: string | undefined) {
  // Of another form: an import parses each hash in every form until one fits.
  if (saltText === undefined || digestText === undefined) return undefined;
  const salt = decodeHashBase64(saltText);
  const digest = decodeHashBase64(digestText);
  if (salt === undefined || digest === undefined) return undefined;
  if (salt.length > largestSaltSize || digest.length < leastDigestSize || digest.length > largestDigestSize)
    return undefined;
  return { salt, digest };
}
