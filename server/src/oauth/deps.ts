import type { Clock } from "../base/clock.ts";
import type { IdGenerator } from "../base/id.ts";
import type { Outbound } from "../base/outbound/index.ts";
import type { Random } from "../base/random.ts";
import type { Vault } from "../base/vault.ts";
import type { Call } from "../call/index.ts";
import type { Database } from "../database/index.ts";
import type { ClientDirectory } from "../domain/application/index.ts";
import type { FindLoginFeature } from "../domain/feature/index.ts";
import type { SettingsReader } from "../domain/settings/index.ts";
import type { KeyRing } from "../domain/signing-key/index.ts";
import type { ActiveToken } from "../domain/token/index.ts";
import type { FunctionRunner } from "../extension/index.ts";
import type { RateLimits } from "../web/index.ts";
import type { FetchRequestObject } from "./authorize/referenced-object.ts";
import type { ClientKeys } from "./client-authentication/client-keys.ts";
import type { FindClient } from "./client-documents/find-client.ts";
import type { DpopVerifier } from "./dpop/verifier.ts";
import type { ProvenKey } from "./proven-key.ts";

/** What the protocol endpoints are built from. */
export interface OAuthDeps {
  readonly database: Database;
  readonly clients: ClientDirectory;
  /** Which login serves the applications that name none. */
  readonly findLoginFeature: FindLoginFeature;
  readonly keyRing: KeyRing;
  readonly settings: SettingsReader;
  readonly vault: Vault;
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly clock: Clock;
  /** The one way to servers that somebody named. */
  readonly outbound: Outbound;
  /** Words besides `service` that clients may use in scopes. */
  readonly namespaceAliases: readonly string[];
  /** Id of the instance's built-in project: the audience of our own APIs. */
  readonly systemProjectIdOf: (instanceId: string) => Promise<string>;
  /** Id of the organization where clients land that nobody brought. */
  readonly defaultOrganizationIdOf: (instanceId: string) => Promise<string>;
  /** The client that a request comes from, also one whose id is the address of its metadata document. */
  readonly findClient: FindClient;
  /** Keys with which clients sign. */
  readonly clientKeys: ClientKeys;
  /** Whether client assertions may name the token endpoint as their audience (`DOORWARD_ASSERTION_AUDIENCE`). */
  readonly takesEndpointAsAudience: boolean;
  /** Reads a request object that a client published. */
  readonly fetchRequestObject: FetchRequestObject;
  /** Public origin of an instance: its issuer. */
  readonly originOf: (instanceId: string) => Promise<string>;
  /**
   * The token, if it is an access token of ours that is good at this moment. One that is bound to a key only for who proved that key
   * (`thumbprint`), or for who does not take it as a credential (`any key`: introspection, exchange).
   */
  readonly verifyAccessToken: (call: Call, token: string, proven?: ProvenKey) => Promise<ActiveToken | undefined>;
  /** What extends tokens and answers about users. */
  readonly functions: FunctionRunner;
  /** How often clients may come. */
  readonly rateLimits: RateLimits;
  /** Proofs of possession. */
  readonly dpop: DpopVerifier;
  /** Told of every failure that nobody expected. */
  readonly report: (error: unknown, requestId: string) => void;
}
