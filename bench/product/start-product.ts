import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../process/free-port.ts";
import { type ServerProcess, startProcess } from "../process/server-process.ts";

export interface StartedProduct extends ServerProcess {
  readonly port: number;
  readonly origin: string;
  readonly ownerToken: string;
  /** Stops it and starts it again on what it left, and on what was done to its data directory meanwhile. */
  restart(meanwhile?: (dataDirectory: string) => Promise<void>): Promise<void>;
  /** Stops it until it is resumed. Resolves with its data directory. */
  pause(): Promise<string>;
  resume(): Promise<void>;
}

export interface ProductOptions {
  /** PostgreSQL in place of the embedded database. */
  readonly databaseUrl?: string;
  /** Root of the checkout; this one when not given. */
  readonly checkout?: string | undefined;
  /** File for a profile of the processor; `SIGUSR2` begins and ends it. */
  readonly profile?: string;
  /** Further settings, which go before those of the bench. An empty one counts as not given. */
  readonly environment?: Readonly<Record<string, string>>;
}

const here = join(import.meta.dirname, "../..");

const profiler = new URL("../process/profiler.ts", import.meta.url).href;

/** Starts the product as an operator would: `doorward start`, log level warn, data on the disk. */
export async function startProduct(options: ProductOptions = {}): Promise<StartedProduct> {
  const directory = mkdtempSync(join(tmpdir(), "doorward-bench-"));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  // Checkouts from before there was a `bin` start with their main file.
  const [main] = ["server/bin/doorward.js", "server/src/main.ts"]
    .map((file) => join(options.checkout ?? here, file))
    .filter((file) => existsSync(file));
  if (main === undefined) throw new Error(`there is no program in ${options.checkout ?? here}`);
  const tokenFile = join(directory, "token");
  const start = (): Promise<ServerProcess> =>
    startProcess({
      arguments: [...(options.profile === undefined ? [] : ["--import", profiler]), main, "start"],
      environment: {
        DOORWARD_HOST: "127.0.0.1",
        DOORWARD_PORT: String(port),
        DOORWARD_BASE_URL: origin,
        DOORWARD_OPERATIONS_LISTEN: "",
        DOORWARD_DATA_DIR: join(directory, "data"),
        DOORWARD_MASTER_KEY: masterKey,
        DOORWARD_LOG_LEVEL: "warn",
        // Everything comes from one address, except where a scenario says otherwise.
        DOORWARD_TRUSTED_PROXIES: "127.0.0.1/32",
        DOORWARD_RATE_LIMIT_AUTHORIZATION: "0",
        DOORWARD_RATE_LIMIT_TOKEN: "0",
        DOORWARD_RATE_LIMIT_INTROSPECTION: "0",
        DOORWARD_RATE_LIMIT_LOGIN: "0",
        DOORWARD_RATE_LIMIT_KEYS: "0",
        DOORWARD_LOG_FORMAT: "json",
        DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE: tokenFile,
        ...(options.profile !== undefined && { BENCH_PROFILE: options.profile }),
        ...(options.databaseUrl !== undefined && { DOORWARD_DATABASE_URL: options.databaseUrl }),
        ...options.environment,
      },
      ready: `http://127.0.0.1:${port}/debug/ready`,
    });
  let running = await start();
  return {
    port,
    origin,
    ownerToken: readFileSync(tokenFile, "utf8").trim(),
    get readyMilliseconds() {
      return running.readyMilliseconds;
    },
    get readyCpuMilliseconds() {
      return running.readyCpuMilliseconds;
    },
    get pid() {
      return running.pid;
    },
    restart: async (meanwhile) => {
      await running.stop();
      await meanwhile?.(join(directory, "data"));
      running = await start();
    },
    pause: async () => {
      await running.stop();
      return join(directory, "data");
    },
    resume: async () => {
      running = await start();
    },
    stop: async () => {
      await running.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const masterKey = randomBytes(32).toString("base64");
