import { type Clock, systemClock } from "../base/clock.ts";
import { createIdGenerator } from "../base/id.ts";
import type { PasswordCost } from "../base/password/password-hash.ts";
import { type Random, systemRandom } from "../base/random.ts";
import type { Config } from "../config/index.ts";
import { openDatabase } from "../database/index.ts";
import { isAnnounced } from "../event/index.ts";
import { createDomain, type Domain } from "./domain.ts";
import type { Log } from "./log.ts";

export interface OpenOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log: Log;
  /** Certificates (PEM) by which third-party servers are trusted, instead of the system's. */
  readonly certificates?: string;
  /** How long a mail server may take for one mail, in milliseconds. */
  readonly mailTimeout?: number;
  /** What hashing a password costs, instead of the usual. No setting has it. */
  readonly passwordCost?: PasswordCost;
}

/** Opens the configured database and builds the parts below the transports on it. The caller closes `database`. */
export async function openDomain(config: Config, options: OpenOptions): Promise<Domain> {
  const { clock = systemClock, random = systemRandom, log } = options;
  const database = await openDatabase({
    ...(config.databaseUrl === undefined ? { directory: config.dataDirectory } : { url: config.databaseUrl.reveal() }),
    migrations: config.migrate ? "apply" : "require",
    announces: isAnnounced,
    isStrict: config.profile === "strict",
    warn: (message, details) => log.warn(details ?? {}, message),
    clock,
  });
  try {
    return createDomain(config, {
      certificates: options.certificates,
      mailTimeout: options.mailTimeout,
      passwordCost: options.passwordCost,
      database,
      clock,
      random,
      newId: createIdGenerator(clock, random),
      log,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}
