import type { Budgets } from "../base/budget/budgets.ts";
import type { Clock } from "../base/clock.ts";
import type { IdGenerator } from "../base/id.ts";
import type { PublishedKeys } from "../base/jose/index.ts";
import type { Ldap } from "../base/ldap/index.ts";
import type { Connect, HasTextRecord, Outbound, TargetRule } from "../base/outbound/index.ts";
import type { PasswordHasher } from "../base/password/password-hash.ts";
import type { JobRuns } from "../base/queue/job-runs.ts";
import type { Signal } from "../base/queue/signal.ts";
import type { Random } from "../base/random.ts";
import type { Mailer } from "../base/smtp/index.ts";
import type { Vault } from "../base/vault.ts";
import type { Database } from "../database/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import type { ContactProofDeps } from "../domain/contact/index.ts";
import type {
  DiscoveryCache,
  SamlMetadataCache,
  SignClientAssertion,
} from "../domain/identity-provider-client/index.ts";
import type { FindInstanceById, OriginOf } from "../domain/instance/index.ts";
import type { MessageBudgets, SmtpTokens } from "../domain/message-provider/index.ts";
import type { BuiltInTexts } from "../domain/message-text/index.ts";
import type { RefuseLockout } from "../domain/organization/index.ts";
import type { SettingsReader } from "../domain/settings/index.ts";
import type { KeyRing } from "../domain/signing-key/index.ts";
import type { Texts } from "../text/index.ts";
import type { PerformOther, PerformTogether } from "./contract/index.ts";

/** The parts of the domain from which the methods take what their operations need. */
export interface ApiDeps extends ContactProofDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: IdGenerator;
  readonly baseHost: string;
  readonly basePort: string;
  readonly texts: Texts;
  readonly builtInTexts: BuiltInTexts;
  readonly settings: SettingsReader;
  readonly refuseLockout: RefuseLockout;
  readonly originOf: OriginOf;
  readonly clients: ClientDirectory;
  readonly keyRing: KeyRing;
  readonly findInstanceById: FindInstanceById;
  readonly passwordHasher: PasswordHasher;
  readonly budgets: Budgets;
  readonly messageBudgets: MessageBudgets;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly hasTextRecord: HasTextRecord;
  readonly ldap: Ldap;
  readonly publishedKeys: PublishedKeys;
  readonly providerDiscovery: DiscoveryCache;
  readonly samlMetadata: SamlMetadataCache;
  readonly signClientAssertion: SignClientAssertion;
  readonly allowsTarget: TargetRule;
  readonly connect: Pick<Connect, "judge">;
  readonly mailer: Mailer;
  readonly smtpTokens: SmtpTokens;
  readonly messageQueued: Signal;
  readonly jobRuns: JobRuns;
  readonly performOther: PerformOther;
  readonly performTogether: PerformTogether;
  /** Our namespace word and its aliases. */
  readonly namespaceWords: readonly string[];
}
