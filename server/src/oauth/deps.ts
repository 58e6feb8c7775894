import type { Budgets } from "../base/budget/budgets.ts";
import type { Clock } from "../base/clock.ts";
import type { IdGenerator } from "../base/id.ts";
import type { Outbound } from "../base/outbound/index.ts";
import type { Random } from "../base/random.ts";
import type { Vault } from "../base/vault.ts";
import type { DpopVerifier } from "../bearer/index.ts";
import type { Database } from "../database/index.ts";
import type { ClientDirectory, CommandLineUse } from "../domain/application/index.ts";
import type { FindLoginFeature } from "../domain/feature/index.ts";
import type { SamlMetadataCache } from "../domain/identity-provider-client/index.ts";
import type { QuotaMeter } from "../domain/quota/index.ts";
import type { SettingsReader } from "../domain/settings/index.ts";
import type { KeyRing } from "../domain/signing-key/index.ts";
import type { FunctionRunner, TokenScripts } from "../extension/index.ts";
import type { RateLimits } from "../web/index.ts";
import type { FetchRequestObject } from "./authorize/referenced-object.ts";
import type { ClientKeys } from "./client-authentication/client-keys.ts";
import type { ExplainClient, FindClient } from "./client-documents/find-client.ts";

/** Dependencies of the protocol endpoints. */
export interface OAuthDeps {
  readonly database: Database;
  readonly clients: ClientDirectory;
  /** Finds the login of applications that do not name one. */
  readonly findLoginFeature: FindLoginFeature;
  readonly keyRing: KeyRing;
  readonly settings: SettingsReader;
  readonly vault: Vault;
  /** Metadata of SAML providers, which may want to know that a user signed out. */
  readonly samlMetadata: SamlMetadataCache;
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly clock: Clock;
  /** The only way to servers with configurable addresses. */
  readonly outbound: Outbound;
  /** Words besides `service` that clients may use in scopes. */
  readonly namespaceAliases: readonly string[];
  /** Returns the id of the instance's built-in project: the audience of our own APIs. */
  readonly systemProjectIdOf: (instanceId: string) => Promise<string>;
  /** Returns the id of the instance's default organization. */
  readonly defaultOrganizationIdOf: (instanceId: string) => Promise<string>;
  /** Finds the client of a request, including one whose id is the address of its metadata document. */
  readonly findClient: FindClient;
  /** Tells the developer of a client why its metadata document is refused. */
  readonly explainClient: ExplainClient;
  /** Keys with which clients sign. */
  readonly clientKeys: ClientKeys;
  /** Whether assertions may name our endpoints, unless a client says otherwise (`DOORWARD_ASSERTION_AUDIENCE`). */
  readonly takesEndpointsAsAudience: boolean;
  /** Whether the strict profile holds. */
  readonly isStrict: boolean;
  /** Whether `doorward login` may sign users in (`DOORWARD_COMMAND_LINE`). */
  readonly commandLine: CommandLineUse;
  /** Reads a request object that a client published. */
  readonly fetchRequestObject: FetchRequestObject;
  /** Returns the public origin of an instance: its issuer. */
  readonly originOf: (instanceId: string) => Promise<string>;
  /** Extends tokens and user information. */
  readonly functions: FunctionRunner;
  /** Scripts of organizations that complement tokens and responses about users. */
  readonly tokenScripts: TokenScripts;
  /** Rate limits of clients. */
  readonly rateLimits: RateLimits;
  readonly budgets: Budgets;
  /** Counts requests with a valid token. */
  readonly quotaMeter: Pick<QuotaMeter, "takeRequest">;
  /** Verifies proofs of possession. */
  readonly dpop: DpopVerifier;
  /** Called for every unexpected failure. */
  readonly report: (error: unknown, requestId: string) => void;
}
