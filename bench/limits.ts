import { generateKeyPairSync, sign } from "node:crypto";
import process from "node:process";
import { createPasswordHasher } from "../server/src/base/password/password-hash.ts";
import { systemRandom } from "../server/src/base/random.ts";

/**
 * What one core can do of the two things that some scenarios cannot be without, per second of processor time, measured
 * in the same run.
 */
export interface Limits {
  readonly rs256: number;
  readonly argon2id: number;
}

export async function measureLimits(): Promise<Limits> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const data = Buffer.alloc(400, "x");
  const hasher = createPasswordHasher({ concurrency: 1, queueLimit: 1, random: systemRandom });
  return {
    rs256: await perCpuSecond(500, async () => sign("sha256", data, privateKey)),
    argon2id: await perCpuSecond(20, () => hasher.hash("correct horse battery staple")),
  };
}

// The best of three: others can only add to it.
async function perCpuSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    for (let done = 0; done < count; done++) await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.max(best, (count * 1e6) / (user + system));
  }
  return best;
}
