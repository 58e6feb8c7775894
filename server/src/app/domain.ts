import { availableParallelism } from "node:os";
import { type Budgets, createBudgets } from "../base/budget/budgets.ts";
import type { Clock } from "../base/clock.ts";
import type { IdGenerator } from "../base/id.ts";
import { createPublishedKeys, type PublishedKeys } from "../base/jose/index.ts";
import { createLdap, type Ldap } from "../base/ldap/index.ts";
import { parseMasterKey } from "../base/master-key.ts";
import {
  type Connect,
  createConnect,
  createLookups,
  createOutbound,
  createTargetRule,
  directoryPorts,
  type HasTextRecord,
  type Outbound,
  type TargetRule,
} from "../base/outbound/index.ts";
import { createPasswordHasher, type PasswordCost, type PasswordHasher } from "../base/password/password-hash.ts";
import { createJobRuns, type JobRunsBook } from "../base/queue/job-runs.ts";
import { createSignal, type Signal } from "../base/queue/signal.ts";
import type { Random } from "../base/random.ts";
import { createMailer, type Mailer } from "../base/smtp/index.ts";
import { createVault, type Vault } from "../base/vault.ts";
import type { Config } from "../config/index.ts";
import type { Database } from "../database/index.ts";
import { createExecutionDirectory, type ExecutionDirectory } from "../domain/action/index.ts";
import { isCredentialSuspended, mayPrepareFor, mayVouchFor } from "../domain/administrator-access/index.ts";
import { refuseLockout } from "../domain/administrator-lockout/index.ts";
import { type ClientDirectory, createClientDirectory } from "../domain/application/index.ts";
import {
  createFindBrand,
  createFindSharedBrandingFile,
  type FindBrand,
  type FindSharedBrandingFile,
} from "../domain/branding/index.ts";
import { type ClientLogos, createClientLogos } from "../domain/client-logo/index.ts";
import { createFindLoginFeature, type FindLoginFeature } from "../domain/feature/index.ts";
import {
  createDiscoveryCache,
  createSamlMetadataCache,
  type DiscoveryCache,
  type SamlMetadataCache,
  type SignClientAssertion,
} from "../domain/identity-provider-client/index.ts";
import {
  createFindInstanceByHost,
  createFindInstanceById,
  createOriginOf,
  type FindInstanceByHost,
  type FindInstanceById,
  type OriginOf,
} from "../domain/instance/index.ts";
import { createFindLoginWords, type FindLoginWords } from "../domain/login-text/index.ts";
import {
  createMessageBudgets,
  createSmtpTokens,
  type MessageBudgets,
  type SmtpTokens,
} from "../domain/message-provider/index.ts";
import { type BuiltInTexts, createBuiltInTexts } from "../domain/message-text/index.ts";
import type { RefuseLockout } from "../domain/organization/index.ts";
import { createFindSharedAvatar, type FindSharedAvatar } from "../domain/picture/index.ts";
import { createQuotaMeter, type QuotaMeter } from "../domain/quota/index.ts";
import { createSamlKeyRing, type SamlKeyRing } from "../domain/saml-key/index.ts";
import { createScriptDirectory, type ScriptDirectory } from "../domain/script/index.ts";
import { createSettingsReader, type SettingsReader } from "../domain/settings/index.ts";
import { createKeyRing, type KeyRing } from "../domain/signing-key/index.ts";
import type { IsCredentialSuspended, MayPrepareFor, MayVouchFor } from "../domain/user/index.ts";
import { createTexts, type Texts } from "../text/index.ts";
import { createClientAssertions } from "./client-assertions.ts";
import type { Log } from "./log.ts";

/** What every process is built from. */
export interface Foundation {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: IdGenerator;
  readonly log: Log;
}

/** The parts from which operations, endpoints and pages take what they need. */
export interface Domain extends Foundation {
  /** Host of the configured base URL. */
  readonly baseHost: string;
  /** Port of the configured base URL; empty for the default port. */
  readonly basePort: string;
  readonly texts: Texts;
  /** Built-in texts of messages. */
  readonly builtInTexts: BuiltInTexts;
  readonly settings: SettingsReader;
  /** Branding of pages and mails. */
  readonly findBrand: FindBrand;
  /** Files that any caller may have. */
  readonly findSharedBrandingFile: FindSharedBrandingFile;
  readonly findSharedAvatar: FindSharedAvatar;
  /** Custom texts of the login pages, which replace those of the catalogues. */
  readonly findLoginWords: FindLoginWords;
  readonly findInstanceByHost: FindInstanceByHost;
  readonly findInstanceById: FindInstanceById;
  /** Public origin of an instance. */
  readonly originOf: OriginOf;
  /** Decides whether something that another party prepared for a user may still sign the user in. */
  readonly mayPrepareFor: MayPrepareFor;
  readonly mayVouchFor: MayVouchFor;
  /** Decides whether a password or passkey signs its user in no longer. */
  readonly isCredentialSuspended: IsCredentialSuspended;
  readonly refuseLockout: RefuseLockout;
  readonly clients: ClientDirectory;
  readonly findLoginFeature: FindLoginFeature;
  readonly keyRing: KeyRing;
  /** Keys that sign SAML messages. */
  readonly samlKeys: SamlKeyRing;
  /** The targets of each instance that are called when something happens. */
  readonly executions: ExecutionDirectory;
  /** The scripts of each organization, by where they run. */
  readonly scripts: ScriptDirectory;
  readonly passwordHasher: PasswordHasher;
  /** Counts what instances use of their quotas. */
  readonly quotaMeter: QuotaMeter;
  /** The budgets of each source, browser and client in this process. */
  readonly budgets: Budgets;
  /** The budgets of messages; what is left of them is stored in rows. */
  readonly messageBudgets: MessageBudgets;
  readonly vault: Vault;
  /** The only way to servers with configurable addresses. */
  readonly outbound: Outbound;
  readonly hasTextRecord: HasTextRecord;
  /** The only way to directories. */
  readonly ldap: Ldap;
  /** Key sets at the addresses of third parties. */
  readonly publishedKeys: PublishedKeys;
  readonly clientLogos: ClientLogos;
  /** Discovery documents of identity providers. */
  readonly providerDiscovery: DiscoveryCache;
  readonly samlMetadata: SamlMetadataCache;
  /** Authenticates this service to identity providers. */
  readonly signClientAssertion: SignClientAssertion;
  /** Checks that an address allows before it is stored, without a lookup. */
  readonly allowsTarget: TargetRule;
  /** Which mail servers may be reached. */
  readonly connect: Pick<Connect, "judge">;
  /** The only way to SMTP servers. */
  readonly mailer: Mailer;
  readonly smtpTokens: SmtpTokens;
  /** The runs of the jobs of this process. */
  readonly jobRuns: JobRunsBook;
  /** Given when a message was queued without an event that announces it. */
  readonly messageQueued: Signal;
}

interface DomainOptions {
  readonly certificates?: string | undefined;
  readonly mailTimeout?: number | undefined;
  readonly passwordCost?: PasswordCost | undefined;
}

/** Builds the parts below the transports. */
export function createDomain(
  config: Config,
  { certificates, mailTimeout: timeout, passwordCost: cost, ...foundation }: Foundation & DomainOptions,
): Domain {
  const { database, random, clock } = foundation;
  const baseHost = new URL(config.baseUrl).hostname;
  // One resolver for all outbound connections, so that it can divide the lookups among those who cause them.
  const { resolve, hasTextRecord } = createLookups({ servers: config.dnsServers });
  const network = {
    allow: config.outboundAllow,
    resolve,
    ...(certificates !== undefined && { trusted: certificates }),
  };
  // On a developer's own machine, clients that register themselves are the developer's too.
  const outbound = createOutbound({ ...network, allowForStrangers: config.mode === "dev" ? config.outboundAllow : [] });
  const isAnyLoopbackPortOpen = config.mode === "dev";
  const connect = createConnect({ ...network, isAnyLoopbackPortOpen });
  const [writing, ...reading] = config.masterKeys.map((key) => parseMasterKey(key.reveal()));
  if (writing === undefined) throw new Error("no master key");
  const concurrency = availableParallelism();
  const isStrict = config.profile === "strict";
  const budgets = createBudgets(config.rateLimits);
  const vault = createVault({ writing, reading, random });
  const findInstanceById = createFindInstanceById({ database });
  const keyRing = createKeyRing({ database, vault });
  const texts = createTexts();
  const settings = createSettingsReader({ database });
  return {
    ...foundation,
    baseHost,
    basePort: new URL(config.baseUrl).port,
    texts,
    builtInTexts: createBuiltInTexts(),
    settings,
    findBrand: createFindBrand({ database }),
    findSharedBrandingFile: createFindSharedBrandingFile({ database }),
    findSharedAvatar: createFindSharedAvatar({ database }),
    findLoginWords: createFindLoginWords({ database, texts, settings }),
    findInstanceByHost: createFindInstanceByHost({ database }),
    quotaMeter: createQuotaMeter({
      ...foundation,
      warn: (message, details) => foundation.log.warn(details ?? {}, message),
    }),
    budgets,
    messageBudgets: createMessageBudgets(config.messageLimits, budgets),
    passwordHasher: createPasswordHasher({ concurrency, queueLimit: concurrency * 64, random, cost }),
    vault,
    outbound,
    hasTextRecord,
    ldap: createLdap(createConnect({ ...network, ports: directoryPorts, isAnyLoopbackPortOpen })),
    publishedKeys: createPublishedKeys({ outbound, clock }),
    clientLogos: createClientLogos({ outbound, clock }),
    providerDiscovery: createDiscoveryCache({ outbound, clock }),
    samlMetadata: createSamlMetadataCache({ outbound, clock }),
    signClientAssertion: createClientAssertions({ database, keyRing, random }),
    allowsTarget: createTargetRule(network),
    connect,
    mailer: createMailer({ connect, name: baseHost, ...(timeout !== undefined && { timeout }) }),
    smtpTokens: createSmtpTokens({ outbound, clock }),
    jobRuns: createJobRuns(),
    messageQueued: createSignal(),
    findInstanceById,
    originOf: createOriginOf(config.baseUrl, findInstanceById),
    mayPrepareFor,
    mayVouchFor,
    isCredentialSuspended,
    refuseLockout,
    clients: createClientDirectory({
      database,
      settings,
      isStrict,
      builtIns: { base: config.baseUrl, isConsoleOn: config.isConsoleOn, commandLine: config.commandLine },
    }),
    findLoginFeature: createFindLoginFeature({ database }),
    keyRing,
    samlKeys: createSamlKeyRing({ ...foundation, vault }),
    executions: createExecutionDirectory({ database }),
    scripts: createScriptDirectory({ database }),
  };
}
