import type { Secret } from "../base/secret.ts";

/** Everything that an operator decides, resolved and checked. */
export interface Config {
  /** `dev` makes what is missing and captures mail; `start` refuses to run without it. */
  readonly mode: "dev" | "start";
  readonly host: string;
  readonly port: number;
  /** Public origin of the first instance, without a trailing slash. */
  readonly baseUrl: string;
  readonly dataDirectory: string;
  /** `postgres://…`; the embedded database when absent. */
  readonly databaseUrl: Secret | undefined;
  /** 32 bytes in base64. The first one encrypts; all of them decrypt. */
  readonly masterKeys: readonly Secret[];
  readonly workers: number;
  /** CIDRs whose forwarded headers count. */
  readonly trustedProxies: readonly string[];
  /** Words besides `service` that are understood in packages, headers and scopes. */
  readonly namespaceAliases: readonly string[];
  /** CIDRs and hosts that outbound requests may reach although they are private. */
  readonly outboundAllow: readonly string[];
  /** Origin of a service that is spoken to like Twilio; Twilio itself when absent. */
  readonly twilioOrigin: string | undefined;
  /** Who may manage instances, by the files of their public keys. */
  readonly systemUsers: readonly { readonly userId: string; readonly keyFile: string }[];
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  /** Requests a minute, of one client and from one source address each; 0 for as many as they like. */
  readonly rateLimits: RateLimitConfig;
  /** What client assertions may name as their audience: our issuer, or the URL of the token endpoint as well. */
  readonly assertionAudience: AssertionAudience;
  readonly migrate: boolean;
  readonly bootstrap: BootstrapConfig;
  readonly log: { readonly level: LogLevel; readonly format: "pretty" | "json" };
}

export interface RateLimitConfig {
  readonly token: number;
  readonly introspection: number;
  readonly login: number;
  readonly signUp: number;
  readonly registration: number;
  readonly keys: number;
}

export type AssertionAudience = "issuer" | "issuer-or-token-endpoint";
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** What an empty database is filled with. */
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
}
