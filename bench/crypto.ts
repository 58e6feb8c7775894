// Cost of the cryptography below the endpoints, per second: one after the other on one core, and with 16 in flight. The
// CPU time of one is all threads together; on a machine with other work it is the figure to compare.
// npm run bench:crypto [-- <part of a name>]

import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import { availableParallelism } from "node:os";
import process from "node:process";
import {
  createSigningKey,
  createVerificationKey,
  importPublicKey,
  jwkThumbprint,
  type SigningAlgorithm,
  signJwt,
  toPublicPem,
  verifyAssertion,
  verifyOwnJwt,
} from "../server/src/base/jose/index.ts";
import { generateMasterKey, parseMasterKey } from "../server/src/base/master-key.ts";
import { createPasswordHasher } from "../server/src/base/password/password-hash.ts";
import { systemRandom } from "../server/src/base/random.ts";
import { generateSecret, hashSecret } from "../server/src/base/secret.ts";
import { createVault } from "../server/src/base/vault.ts";
import { testKeyPair } from "../server/test/support/oidc/signed-jose.ts";

const milliseconds = 1000;
const inFlight = 16;
const now = 1_800_000_000_000;
const issuer = "https://id.example.com";
const claims = {
  iss: issuer,
  sub: "289734982734987234",
  aud: ["289734982734987235", "289734982734987236"],
  exp: now / 1000 + 300,
  iat: now / 1000,
  nbf: now / 1000,
  jti: "g3kWb2n1S0uJt8Yx5vQzPw7c",
  client_id: "289734982734987235",
  scope: "openid profile email offline_access",
};

interface Subject {
  readonly name: string;
  readonly run: () => unknown;
  /** Also measured with many at once: what runs in the thread pool uses more than one core. */
  readonly isParallel?: boolean;
}

interface Cost {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

async function measureSerial(run: () => unknown): Promise<Cost> {
  const cpu = process.cpuUsage();
  const end = performance.now() + milliseconds;
  const start = performance.now();
  let count = 0;
  while (performance.now() < end) {
    for (let round = 0; round < 4; round++) {
      const result = run();
      if (result instanceof Promise) await result;
    }
    count += 4;
  }
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (count * 1000) / (performance.now() - start), cpuMicroseconds: (user + system) / count };
}

async function countParallel(run: () => unknown): Promise<number> {
  const start = performance.now();
  const counts = await Promise.all(
    Array.from({ length: inFlight }, async () => {
      let count = 0;
      for (; performance.now() - start < milliseconds; count++) await run();
      return count;
    }),
  );
  return (counts.reduce((sum, count) => sum + count, 0) * 1000) / (performance.now() - start);
}

function listSecrets(): Subject[] {
  const text = "x".repeat(43);
  const key = createSecretKey(systemRandom(32));
  const vault = createVault({ writing: parseMasterKey(generateMasterKey(systemRandom)), random: systemRandom });
  const short = vault.encrypt(text, "bench");
  return [
    { name: "hash SHA-256, 43 characters", run: () => hash("sha256", text, "base64url") },
    { name: "HMAC-SHA-256, 43 characters", run: () => createHmac("sha256", key).update(text).digest("base64url") },
    { name: "secret made and hashed", run: () => hashSecret(generateSecret(systemRandom)) },
    { name: "vault encrypt, 43 characters", run: () => vault.encrypt(text, "bench") },
    { name: "vault decrypt, 43 characters", run: () => vault.decrypt(short, "bench") },
  ];
}

async function listTokens(): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const algorithm of ["RS256", "ES256", "ES384", "ES512", "EdDSA"] as const) {
    subjects.push(...(await listOfAlgorithm(algorithm, testKeyPair(algorithm))));
  }
  return subjects;
}

async function listOfAlgorithm(
  algorithm: SigningAlgorithm,
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
): Promise<Subject[]> {
  const key = createSigningKey("key-1", algorithm, privateKey);
  const keys = new Map([["key-1", createVerificationKey("key-1", algorithm, publicKey)]]);
  const own = await signJwt(key, "at+jwt", claims);
  const assertion = await signJwt(key, "JWT", { ...claims, iss: "client-1", sub: "client-1", aud: issuer });
  const rules = {
    keys: [{ ...importPublicKey(toPublicPem(publicKey)), keyId: "key-1" }],
    algorithms: [algorithm],
    audience: issuer,
    issuer: "client-1",
    subject: "client-1",
    types: ["jwt"],
    now,
    clockSkewSeconds: 10,
    maxAgeSeconds: 3600,
    required: [],
  };
  const ownRules = { keys, type: "at+jwt", issuer, aliveAt: now } as const;
  return [
    { name: `sign ${algorithm}`, run: () => signJwt(key, "at+jwt", claims), isParallel: true },
    { name: `verify own ${algorithm}`, run: () => verifyOwnJwt(own, ownRules) },
    { name: `verify assertion ${algorithm}`, run: () => verifyAssertion(assertion, rules), isParallel: true },
  ];
}

function listKeys(): Subject[] {
  const rsa = testKeyPair("RS256").publicKey;
  const pem = toPublicPem(rsa);
  return [
    { name: "import RSA public key (PEM)", run: () => importPublicKey(pem) },
    { name: "thumbprint RSA", run: () => jwkThumbprint(rsa) },
  ];
}

async function listPasswords(): Promise<Subject[]> {
  const concurrency = availableParallelism();
  const hasher = createPasswordHasher({ concurrency, queueLimit: inFlight, random: systemRandom });
  const stored = await hasher.hash("correct horse battery");
  return [
    { name: "password hash", run: () => hasher.hash("correct horse battery"), isParallel: true },
    { name: "password verify", run: () => hasher.verify("correct horse battery", stored), isParallel: true },
    { name: "password verify, unknown user", run: () => hasher.verifyDummy("correct horse battery"), isParallel: true },
  ];
}

const wanted = process.argv[2] ?? "";
const subjects = [...listSecrets(), ...(await listTokens()), ...listKeys(), ...(await listPasswords())];
const format = (rate: number): string => Math.round(rate).toLocaleString("en");
console.log(`node ${process.version}, ${availableParallelism()} cores, ${JSON.stringify(claims).length} B of claims`);
const toRow = (name: string, columns: readonly string[]): string =>
  name.padEnd(34) + columns.map((column) => column.padStart(14)).join("");
console.log(toRow("", ["one by one", "CPU µs of one", `${inFlight} in flight`]));
for (const { name, run, isParallel = false } of subjects.filter((subject) => subject.name.includes(wanted))) {
  await measureSerial(run);
  const { perSecond, cpuMicroseconds } = await measureSerial(run);
  const columns = [format(perSecond), cpuMicroseconds.toFixed(1)];
  console.log(toRow(name, isParallel ? [...columns, format(await countParallel(run))] : columns));
}
