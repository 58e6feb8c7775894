import { createAnswering } from "./app/answering.ts";
import { bootstrapFirstInstance } from "./app/bootstrap.ts";
import { checkMasterKey } from "./app/check-master-key.ts";
import type { Domain } from "./app/domain.ts";
import { createAppJobs } from "./app/jobs.ts";
import { type OpenOptions, openDomain } from "./app/open-domain.ts";
import { warnOfClosedMailServers } from "./app/warn-of-closed-mail-servers.ts";
import type { Secret } from "./base/secret.ts";
import type { Config } from "./config/index.ts";
import type { GeneratedKeyPair } from "./domain/signing-key/index.ts";
import {
  createListener,
  createProxyTest,
  defaultLimits,
  type ListenerLimits,
  listenForOperations,
  type OperationsListener,
  type OperationsReport,
} from "./http/index.ts";
import type { Schedule } from "./jobs/index.ts";
import type { Registry } from "./rpc/index.ts";
import type { WebRoute } from "./web/index.ts";

export interface AppOptions extends OpenOptions {
  /**
   * A bearer of this token has an owner's permissions for the lifetime of the process. Only `doorward dev` creates one.
   */
  readonly operatorToken?: Secret;
  /** First signing keys of a new database. Generated when absent, which takes a while for RSA. */
  readonly firstKeyPairs?: readonly GeneratedKeyPair[];
  /** Directory of the console's files, instead of that of its package. */
  readonly consoleDirectory?: string;
  /** Limits of one connection and one request. */
  readonly limits?: ListenerLimits;
}

export interface App {
  /** Port that the server listens on. */
  readonly port: number;
  readonly domain: Domain;
  /** Port of the operations address; undefined when there is none. */
  readonly operationsPort: number | undefined;
  /** What the operations endpoints report. */
  readonly operations: OperationsReport;
  /** Every route, and every method of the contract with its handler. */
  readonly routes: readonly WebRoute[];
  readonly methods: Registry;
  /** Methods of the earlier forms of services (`v2beta`). */
  readonly earlierMethods: Registry;
  /** Background jobs; they run by themselves. */
  readonly jobs: Schedule;
  /** Whether a page or endpoint answers GET at this path. */
  serves(path: string): boolean;
  /** Stops accepting requests, finishes the running ones (10 s at most) and closes the database. */
  close(): Promise<void>;
}

/** Builds every part and listens: the one place where the parts are wired together. */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const domain = await openDomain(config, options);
  try {
    await checkMasterKey(domain, await bootstrapFirstInstance(config, domain, options.firstKeyPairs));
    const { limits = defaultLimits } = options;
    const answering = createAnswering(config, domain, { ...options, limits });
    const jobs = createAppJobs(domain, answering, config);
    const listener = createListener(answering.listener, limits, createProxyTest(config.trustedProxies));
    const operations = await openOperations(config, domain, answering.operations);
    const port = await listener.listen(config.port, config.host).catch(async (error: unknown) => {
      await operations?.close();
      throw error;
    });
    jobs.start();
    await warnOfClosedMailServers(domain);
    return {
      port,
      operationsPort: operations?.port,
      operations: answering.operations,
      domain,
      routes: answering.routes,
      methods: answering.methods,
      earlierMethods: answering.earlierMethods,
      jobs,
      serves: answering.serves,
      close: async () => {
        await Promise.all([listener.close(10_000), jobs.stop()]);
        await operations?.close();
        await writeCounts(domain);
        await domain.database.close();
      },
    };
  } catch (error) {
    await domain.database.close();
    throw error;
  }
}

/** Writes what the last requests used of quotas. A database that is gone must not keep the process. */
async function writeCounts({ quotaMeter, log }: Domain): Promise<void> {
  try {
    await quotaMeter.fold();
  } catch (error) {
    log.warn({ error }, "what was counted of quotas could not be written");
  }
}

async function openOperations(
  { operations }: Config,
  { log }: Domain,
  report: OperationsReport,
): Promise<OperationsListener | undefined> {
  if (operations === undefined) return undefined;
  const opened = await listenForOperations(operations, report, (message, details) => log.warn(details, message));
  if (opened !== undefined) log.info({ host: operations.host, port: opened.port }, "operations endpoints");
  return opened;
}
