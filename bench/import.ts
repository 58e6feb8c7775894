// `npm run bench:import`: how many people a second an import brings, by the API and by `doorward import` (README.md).
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { cpuSeconds, cpuSecondsOfChildren } from "./process/usage.ts";
import { createApi } from "./product/api.ts";
import { type StartedProduct, startProduct } from "./product/start-product.ts";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "20000" },
    request: { type: "string", default: "2500" },
    profile: { type: "string" },
  },
});
const people = Number(values.people);
const perRequest = Number(values.request);
const main = join(import.meta.dirname, "../server/bin/doorward.js");

/** What the design asks for, on SQLite. */
const target = 10_000;

const personOf = (index: number): object => ({
  userId: `person${index}`,
  user: {
    userName: `person${index}`,
    profile: { firstName: "Ada", lastName: `Lovelace ${index}` },
    email: { email: `person${index}@acme.example`, isEmailVerified: true },
    hashedPassword: { value: "$2b$10$abcdefghijklmnopqrstuuE1nXTR0vu2Tqdk.HRVrXFlFDu8Bmqe2" },
  },
});

interface Cost {
  readonly seconds: number;
  readonly processor: number;
}

/** Measures work by the clock, and by a clock of the processors. */
async function measure(processor: () => number, work: () => unknown): Promise<Cost> {
  const [begun, used] = [performance.now(), processor()];
  await work();
  return { seconds: (performance.now() - begun) / 1000, processor: processor() - used };
}

async function importByApi({ origin, ownerToken, pid }: StartedProduct): Promise<Cost> {
  const api = createApi(origin, ownerToken);
  const send = async (orgs: readonly object[]): Promise<void> => {
    const { errors = [] } = await api("/admin/v1/import", { timeout: "50s", dataOrgs: { orgs } });
    if (errors.length > 0) throw new Error(JSON.stringify(errors[0]));
  };
  await send([{ orgId: "acme", org: { name: "Acme" } }]);
  const all = Array.from({ length: people }, (_, index) => personOf(index));
  const profiles = values.profile !== undefined;
  if (profiles) process.kill(pid, "SIGUSR2");
  const cost = await measure(
    () => cpuSeconds(pid),
    async () => {
      for (let begin = 0; begin < people; begin += perRequest) {
        await send([{ orgId: "acme", humanUsers: all.slice(begin, begin + perRequest) }]);
      }
    },
  );
  if (profiles) process.kill(pid, "SIGUSR2");
  return cost;
}

/** Runs the command as its operator does; its processor time is that of a child that has ended. */
function run(environment: Readonly<Record<string, string>>, ...command: readonly string[]): void {
  const env = { PATH: process.env["PATH"], NODE_ENV: "production", ...environment };
  const { status, stderr } = spawnSync(process.execPath, [main, ...command], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command[0]}: ${stderr}`);
}

async function moveWhole(from: string, masterKey: string): Promise<{ readonly out: Cost; readonly in: Cost }> {
  const directory = mkdtempSync(join(tmpdir(), "doorward-bench-import-"));
  const [file, keyFile] = [join(directory, "doorward.export"), join(directory, "key")];
  writeFileSync(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  const children = () => cpuSecondsOfChildren(process.pid);
  const keys = { DOORWARD_MASTER_KEY: masterKey };
  try {
    return {
      out: await measure(children, () =>
        run({ ...keys, DOORWARD_DATA_DIR: from }, "export", "--output", file, "--key-file", keyFile),
      ),
      in: await measure(children, () =>
        run({ ...keys, DOORWARD_DATA_DIR: join(directory, "data") }, "import", file, "--key-file", keyFile),
      ),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const masterKey = randomBytes(32).toString("base64");
const product = await startProduct({
  ...(values.profile !== undefined && { profile: values.profile }),
  environment: { DOORWARD_BODY_LIMIT: String(64 * 1024 * 1024), DOORWARD_MASTER_KEY: masterKey },
});
try {
  const byApi = await importByApi(product);
  const whole = await moveWhole(await product.pause(), masterKey);
  for (const [what, { seconds, processor }] of Object.entries({
    "ImportData, in requests": byApi,
    "doorward export": whole.out,
    "doorward import": whole.in,
  })) {
    const rates = [people / seconds, people / processor].map((rate) => rate.toFixed(0).padStart(7));
    const told = `${rates[0]} people a second, ${rates[1]} a second of processor time`;
    console.log(`${people / seconds >= target ? "ok  " : "MISS"} ${what.padEnd(26)}${told} (${seconds.toFixed(1)} s)`);
  }
} finally {
  await product.stop();
}
