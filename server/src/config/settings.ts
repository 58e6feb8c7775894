/** A setting. Each can be a flag, an environment variable or an entry of the file. */
export interface Setting {
  /** `DOORWARD_BASE_URL`; the flag is `--base-url` and the entry of the file `base_url`. */
  readonly environment: string;
  readonly description: string;
  /** Can also be read from the file that `<environment>_FILE` names, and is never shown. */
  readonly isSecret?: true;
  /** Whether the empty text is a value ("none"), and not the same as an absent setting. */
  readonly mayBeEmpty?: true;
  /** The default value, per mode where it differs. Absent when there is no default, or when it is computed. */
  readonly value?: string | { readonly dev: string; readonly start: string };
  /** The default value in the strict profile, where it differs; the strict value of docs/hardening.md. */
  readonly strictValue?: string;
  /** The default in words, where the value does not explain it. */
  readonly fallback?: string;
}

/** All settings, in the order of the documentation. */
export const settings = {
  host: {
    environment: "DOORWARD_HOST",
    description: "Address to listen on",
    value: { dev: "127.0.0.1", start: "0.0.0.0" },
  },
  port: { environment: "DOORWARD_PORT", description: "Port for everything", value: "8080" },
  operationsListen: {
    environment: "DOORWARD_OPERATIONS_LISTEN",
    description:
      "Address and port of /debug/metrics and of /debug/ready with reasons; empty for none. If the default address is in use, the server warns and starts without it",
    mayBeEmpty: true,
    value: "127.0.0.1:8081",
  },
  baseUrl: {
    environment: "DOORWARD_BASE_URL",
    description: "Public origin of the first instance: issuer, links, cookies",
    fallback: "http://localhost:<port> in dev; start needs it",
  },
  dataDirectory: {
    environment: "DOORWARD_DATA_DIR",
    description: "Embedded database, keys, captured mail",
    value: "./.doorward",
  },
  databaseUrl: {
    environment: "DOORWARD_DATABASE_URL",
    description: "postgres://… switches from the embedded database to PostgreSQL",
    isSecret: true,
    fallback: "embedded",
  },
  masterKey: {
    environment: "DOORWARD_MASTER_KEY",
    description: "32 bytes in base64 that encrypt secrets at rest; former keys after it, separated by commas",
    isSecret: true,
    fallback: "created in dev at <data dir>/master.key; start needs it",
  },
  profile: {
    environment: "DOORWARD_PROFILE",
    description:
      "standard, or strict: settings of instances and clients take effect only as far as docs/hardening.md permits, whatever is stored",
    value: "standard",
  },
  workers: {
    environment: "DOORWARD_WORKERS",
    description: "Processes that share the port; more than one needs PostgreSQL",
    value: "1",
  },
  console: {
    environment: "DOORWARD_CONSOLE",
    description: "Whether the console for administrators is served, at /ui/console/",
    value: "true",
  },
  commandLine: {
    environment: "DOORWARD_COMMAND_LINE",
    description:
      "Whether `doorward login` may sign users in: true, browser (only on the machine of the browser, no codes for other devices) or false",
    value: "true",
    strictValue: "browser",
  },
  trustedProxies: {
    environment: "DOORWARD_TRUSTED_PROXIES",
    description: "Networks (CIDR, separated by commas) whose forwarded headers count",
  },
  namespaceAliases: {
    environment: "DOORWARD_NAMESPACE_ALIASES",
    description: "Words besides `service` that clients may use in packages, headers and scopes; empty for none",
    mayBeEmpty: true,
    value: "zitadel",
  },
  outboundAllow: {
    environment: "DOORWARD_OUTBOUND_ALLOW",
    description:
      "Private networks and hosts that outbound requests, mail and directories may reach; with a port (`mail.internal:2526`) only that port",
    mayBeEmpty: true,
    value: { dev: "127.0.0.0/8,::1,localhost", start: "" },
  },
  dnsServers: {
    environment: "DOORWARD_DNS_SERVERS",
    description: "DNS servers for outbound connections, as addresses with or without a port, separated by commas",
    fallback: "those of the system",
  },
  twilioUrl: {
    environment: "DOORWARD_TWILIO_URL",
    description: "Origin of a Twilio-compatible service, for Twilio providers",
    fallback: "Twilio",
  },
  systemUsers: {
    environment: "DOORWARD_SYSTEM_USERS",
    description:
      "Users that may manage instances with the System API: name=file of the public key, separated by commas",
  },
  bodyLimit: {
    environment: "DOORWARD_BODY_LIMIT",
    description: "Largest request body in bytes",
    value: "1048576",
  },
  rateLimitAuthorization: {
    environment: "DOORWARD_RATE_LIMIT_AUTHORIZATION",
    description:
      "Authorization requests and sign-outs: requests a minute from one source address, in each process, an authorization request storing up to 4 KiB; 0 for no limit",
    value: "600",
  },
  rateLimitToken: {
    environment: "DOORWARD_RATE_LIMIT_TOKEN",
    description:
      "Token, revocation and pushed requests: requests a minute of one client, and from one source address, in each process; 0 for no limit",
    value: "6000",
    strictValue: "1200",
  },
  rateLimitIntrospection: {
    environment: "DOORWARD_RATE_LIMIT_INTROSPECTION",
    description:
      "Introspection and userinfo: requests a minute of one client, and from one source address, in each process; 0 for no limit",
    value: "60000",
  },
  rateLimitLogin: {
    environment: "DOORWARD_RATE_LIMIT_LOGIN",
    description: "Forms of the pages: requests a minute from one source address, in each process; 0 for no limit",
    value: "300",
    strictValue: "60",
  },
  rateLimitSignUp: {
    environment: "DOORWARD_RATE_LIMIT_SIGN_UP",
    description:
      "Forms for creating an account: requests a minute from one source address, in each process; 0 for no limit",
    value: "20",
  },
  rateLimitRegistration: {
    environment: "DOORWARD_RATE_LIMIT_REGISTRATION",
    description:
      "Dynamic client registration: requests a minute from one source address, in each process; 0 for no limit",
    value: "60",
  },
  rateLimitKeys: {
    environment: "DOORWARD_RATE_LIMIT_KEYS",
    description:
      "Key set and gRPC reflection: requests a minute from one source address, in each process; 0 for no limit",
    value: "1200",
  },
  mailLimit: {
    environment: "DOORWARD_MAIL_LIMIT",
    description:
      "Emails with codes and invitations a day for one instance; an organization may send half of them. Codes to set a new password have the same limit again, and so have codes after a first factor. 0 for no limit on emails at all, not even per recipient",
    value: "100000",
  },
  smsLimit: {
    environment: "DOORWARD_SMS_LIMIT",
    description:
      "Text messages a day for one instance; an organization may send half of them. Codes to set a new password have the same limit again, and so have codes after a first factor. 0 for no limit on text messages at all, not even per recipient",
    value: "5000",
  },
  assertionAudience: {
    environment: "DOORWARD_ASSERTION_AUDIENCE",
    description:
      "The audience that assertions of clients (private_key_jwt) and service accounts must name: issuer-or-endpoints, as OpenID Connect Core §9 suggests, or only issuer. A client's own setting takes precedence; in the strict profile only its setting issuer does",
    value: "issuer-or-endpoints",
    strictValue: "issuer",
  },
  bootstrapOrganization: {
    environment: "DOORWARD_BOOTSTRAP_ORGANIZATION",
    description: "Name of the first organization",
    value: "Doorward",
  },
  bootstrapAdminUsername: {
    environment: "DOORWARD_BOOTSTRAP_ADMIN_USERNAME",
    description: "First administrator of an empty database",
  },
  bootstrapAdminEmail: {
    environment: "DOORWARD_BOOTSTRAP_ADMIN_EMAIL",
    description: "The administrator's email address, treated as verified",
  },
  bootstrapAdminPassword: {
    environment: "DOORWARD_BOOTSTRAP_ADMIN_PASSWORD",
    description: "The administrator's first password",
    isSecret: true,
  },
  bootstrapAdminPasswordChange: {
    environment: "DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_CHANGE",
    description: "Whether the administrator must change it at the first sign-in",
    value: "true",
  },
  bootstrapMachinePatFile: {
    environment: "DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE",
    description: "File for the personal access token of a first service account `bootstrap`, written once",
  },
  bootstrapMachineKeyFile: {
    environment: "DOORWARD_BOOTSTRAP_MACHINE_KEY_FILE",
    description: "File for a key (JSON) of the same service account, to sign assertions with, written once",
  },
  accessLog: {
    environment: "DOORWARD_ACCESS_LOG",
    description:
      "Whether every request is logged: route, status, time, ids of client and user, source, never a query or a secret. Refused requests are logged in any case",
    value: "false",
  },
  logLevel: {
    environment: "DOORWARD_LOG_LEVEL",
    description: "fatal, error, warn, info, debug, trace or silent",
    value: "info",
  },
  logFormat: {
    environment: "DOORWARD_LOG_FORMAT",
    description: "pretty or json",
    fallback: "pretty on a terminal, else json",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as SettingName[];

/** What defaults depend on. */
export interface Circumstances {
  readonly mode: "dev" | "start";
  /** Whether the strict profile is chosen. */
  readonly isStrict: boolean;
}

/** Returns the default value; undefined when there is none. */
export function fallbackValue(name: SettingName, { mode, isStrict }: Circumstances): string | undefined {
  const { value, strictValue }: Setting = settings[name];
  const usual = typeof value === "object" ? value[mode] : value;
  const found = isStrict ? (strictValue ?? usual) : usual;
  return found === "" ? undefined : found;
}

/** Returns the default in words. */
export function fallbackText(name: SettingName): string {
  const { fallback, value, strictValue }: Setting = settings[name];
  if (fallback !== undefined) return fallback;
  const usual =
    typeof value === "object" ? `${value.dev || "none"} in dev, ${value.start || "none"} in start` : (value ?? "none");
  return strictValue === undefined ? usual : `${usual}; ${strictValue} in the strict profile`;
}

/** `DOORWARD_BASE_URL` → `base-url`, the name of the flag. */
export const flagOf = (name: SettingName): string =>
  settings[name].environment.slice("DOORWARD_".length).toLowerCase().replaceAll("_", "-");

/** `DOORWARD_BASE_URL` → `base_url`, the entry of the file. */
export const fileKeyOf = (name: SettingName): string => flagOf(name).replaceAll("-", "_");
