import type { Secret } from "../base/secret.ts";

/** The operator's configuration, resolved and checked. */
export interface Config {
  /** `dev` creates what is missing and captures mail; `start` refuses to run without it. */
  readonly mode: "dev" | "start";
  /** `strict` raises settings and clients to values that are stricter than those of new instances. */
  readonly profile: "standard" | "strict";
  readonly host: string;
  readonly port: number;
  /** Where the operations endpoints listen; nowhere when absent. */
  readonly operations:
    | {
        readonly host: string;
        readonly port: number;
        /** Whether the operator set it, so that the server must not start without it. */
        readonly isChosen: boolean;
      }
    | undefined;
  /** Public origin of the first instance, without a trailing slash. */
  readonly baseUrl: string;
  readonly dataDirectory: string;
  /** `postgres://…`; the embedded database when absent. */
  readonly databaseUrl: Secret | undefined;
  /** 32 bytes in base64. The first one encrypts; all of them decrypt. */
  readonly masterKeys: readonly Secret[];
  readonly workers: number;
  /** Whether the console for administrators is served. */
  readonly isConsoleOn: boolean;
  /** Whether `doorward login` may sign users in: also where there is no browser (`all`), in one (`browser`), or not. */
  readonly commandLine: "all" | "browser" | "off";
  /** CIDRs of the proxies whose forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Words besides `service` that are accepted in packages, headers and scopes. */
  readonly namespaceAliases: readonly string[];
  /** CIDRs and hosts that outbound requests may reach although they are private. */
  readonly outboundAllow: readonly string[];
  /** DNS servers for outbound connections; those of the system when empty. */
  readonly dnsServers: readonly string[];
  /** Origin of a service with Twilio's interface; Twilio itself when absent. */
  readonly twilioOrigin: string | undefined;
  /** Users that may manage instances, with the files of their public keys. */
  readonly systemUsers: readonly { readonly userId: string; readonly keyFile: string }[];
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  /** Requests a minute, per client and per source address; 0 for no limit. */
  readonly rateLimits: RateLimitConfig;
  /** Accepted audiences of assertions, of clients that are not configured themselves. */
  /** Messages a day of one instance; 0 for no limit. */
  readonly messageLimits: { readonly email: number; readonly sms: number };
  readonly assertionAudience: AssertionAudience;
  readonly migrate: boolean;
  readonly bootstrap: BootstrapConfig;
  /** Whether every request is logged, and not only those that are refused. */
  readonly isAccessLogOn: boolean;
  readonly log: { readonly level: LogLevel; readonly format: "pretty" | "json" };
}

interface RateLimitConfig {
  readonly authorization: number;
  readonly token: number;
  readonly introspection: number;
  readonly login: number;
  readonly signUp: number;
  readonly registration: number;
  readonly keys: number;
}

/** Our issuer alone, or the endpoints as well; `issuer-or-token-endpoint` is the former name of the latter. */
type AssertionAudience = "issuer" | "issuer-or-endpoints" | "issuer-or-token-endpoint";
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** Initial contents of an empty database. */
export interface BootstrapConfig {
  readonly organization: string;
  readonly admin:
    | {
        readonly username: string;
        readonly email: string | undefined;
        readonly password: Secret;
        readonly mustChangePassword: boolean;
      }
    | undefined;
  /** File that receives the personal access token of the service account `bootstrap`, once. */
  readonly machinePatFile: string | undefined;
  /** File that receives a key of the same service account, once. */
  readonly machineKeyFile: string | undefined;
}
