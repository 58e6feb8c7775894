import { createAnswering } from "./app/answering.ts";
import { bootstrapFirstInstance } from "./app/bootstrap.ts";
import { checkMasterKey } from "./app/check-master-key.ts";
import type { Domain } from "./app/domain.ts";
import { createAppJobs } from "./app/jobs.ts";
import { type OpenOptions, openDomain } from "./app/open-domain.ts";
import type { Secret } from "./base/secret.ts";
import type { Config } from "./config/index.ts";
import type { GeneratedKeyPair } from "./domain/signing-key/index.ts";
import { createListener, defaultLimits, type ListenerLimits } from "./http/index.ts";
import type { Schedule } from "./jobs/index.ts";
import type { Registry } from "./rpc/index.ts";
import type { WebRoute } from "./web/index.ts";

export interface AppOptions extends OpenOptions {
  /** Whoever has this token may do what an owner may, as long as the process lives. Only `doorward dev` makes one. */
  readonly operatorToken?: Secret;
  /** First signing keys of a new database; made when not given, which takes RSA a while. */
  readonly firstKeyPairs?: readonly GeneratedKeyPair[];
  /** What one connection and one request may take. */
  readonly limits?: ListenerLimits;
}

export interface App {
  /** Port that it listens on. */
  readonly port: number;
  readonly domain: Domain;
  /** Every route, and every method of the contract with what answers it. */
  readonly routes: readonly WebRoute[];
  readonly methods: Registry;
  /** What happens without a request; runs by itself. */
  readonly jobs: Schedule;
  /** Whether a page or endpoint answers GET there. */
  serves(path: string): boolean;
  /** Stops accepting, finishes what runs (10 s at most), closes the database. */
  close(): Promise<void>;
}

/** Builds every part and listens: the one place where they are wired. */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const domain = await openDomain(config, options);
  try {
    await checkMasterKey(domain, await bootstrapFirstInstance(config, domain, options.firstKeyPairs));
    const { limits = defaultLimits } = options;
    const answering = createAnswering(config, domain, { ...options, limits });
    const jobs = createAppJobs(domain, answering, config);
    const listener = createListener(answering.listener, limits);
    const port = await listener.listen(config.port, config.host);
    jobs.start();
    return {
      port,
      domain,
      routes: answering.routes,
      methods: answering.methods,
      jobs,
      serves: answering.serves,
      close: async () => {
        await Promise.all([listener.close(10_000), jobs.stop()]);
        await domain.database.close();
      },
    };
  } catch (error) {
    await domain.database.close();
    throw error;
  }
}
