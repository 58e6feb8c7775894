import { isIP } from "node:net";
import { resolve } from "node:path";
import { MasterKeyError, parseMasterKey } from "../base/master-key.ts";
import { isAllowEntry, isLocalhostName, isLoopbackHost, isNetwork, parseTarget } from "../base/outbound/index.ts";
import { Secret } from "../base/secret.ts";
import type { BootstrapConfig, Config, LogLevel } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { type GatheredSettings, isStrictProfile } from "./gather.ts";
import { fallbackValue, type SettingName, settings } from "./settings.ts";

export interface LoadOptions {
  readonly mode: Config["mode"];
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
}

/** Returns the checked configuration. Throws `ConfigError` for the first invalid setting. */
export function loadConfig(gathered: GatheredSettings, { mode, isTerminal }: LoadOptions): Config {
  const read = reader(gathered, mode);
  const port = read.integer("port", { least: 1, most: 65_535 });
  const databaseUrl = read.text("databaseUrl");
  const config: Config = {
    mode,
    profile: read.choice("profile", ["standard", "strict"]),
    host: read.text("host"),
    port,
    operations: readOperations(read, gathered),
    baseUrl: readBaseUrl(gathered, mode === "dev" ? `http://localhost:${port}` : undefined),
    dataDirectory: resolve(read.text("dataDirectory")),
    databaseUrl: databaseUrl === "" ? undefined : new Secret(databaseUrl),
    masterKeys: readMasterKeys(read),
    workers: read.integer("workers", { least: 1, most: 256 }),
    isConsoleOn: read.choice("console", ["true", "false"]) === "true",
    commandLine: commandLineUses[read.choice("commandLine", ["true", "browser", "false"])],
    trustedProxies: read.list("trustedProxies"),
    namespaceAliases: readAliases(read),
    outboundAllow: read.list("outboundAllow"),
    dnsServers: readDnsServers(read),
    twilioOrigin: readTwilioOrigin(read),
    systemUsers: readSystemUsers(read),
    bodyLimit: read.integer("bodyLimit", { least: 16_384, most: 104_857_600 }),
    rateLimits: readRateLimits(read),
    assertionAudience: read.choice("assertionAudience", ["issuer", "issuer-or-endpoints", "issuer-or-token-endpoint"]),
    messageLimits: readMessageLimits(read),
    migrate: true,
    bootstrap: readBootstrap(read),
    isAccessLogOn: read.choice("accessLog", ["true", "false"]) === "true",
    log: {
      level: read.choice("logLevel", logLevels),
      format: read.choice("logFormat", ["pretty", "json"], isTerminal ? "pretty" : "json"),
    },
  };
  checkTogether(config, gathered);
  return Object.freeze(config);
}

const commandLineUses = { true: "all", browser: "browser", false: "off" } as const;

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const satisfies LogLevel[];

type Read = ReturnType<typeof reader>;

function reader(gathered: GatheredSettings, mode: Config["mode"]) {
  const circumstances = { mode, isStrict: isStrictProfile(gathered) };
  const spelling = (name: SettingName): string => gathered.get(name)?.spelling ?? settings[name].environment;
  const text = (name: SettingName): string => gathered.get(name)?.text ?? fallbackValue(name, circumstances) ?? "";
  return {
    spelling,
    text,
    list: (name: SettingName): string[] =>
      text(name)
        .split(/[\s,]+/)
        .filter((entry) => entry !== ""),
    integer: (name: SettingName, { least, most }: { least: number; most: number }): number => {
      const value = Number(text(name));
      if (/^\d+$/.test(text(name)) && value >= least && value <= most) return value;
      throw new ConfigError(
        spelling(name),
        "is out of range or not a number",
        `use a whole number from ${least} to ${most}`,
      );
    },
    choice: <const Choice extends string>(name: SettingName, choices: readonly Choice[], fallback?: Choice): Choice => {
      const given = text(name);
      const found = given === "" ? fallback : choices.find((choice) => choice === given);
      if (found !== undefined) return found;
      throw new ConfigError(spelling(name), "is not one of the allowed values", `use ${choices.join(", ")}`);
    },
  };
}

function readRateLimits(read: Read): Config["rateLimits"] {
  const rate = (name: SettingName): number => read.integer(name, { least: 0, most: 100_000_000 });
  return {
    authorization: rate("rateLimitAuthorization"),
    token: rate("rateLimitToken"),
    introspection: rate("rateLimitIntrospection"),
    login: rate("rateLimitLogin"),
    signUp: rate("rateLimitSignUp"),
    registration: rate("rateLimitRegistration"),
    keys: rate("rateLimitKeys"),
  };
}

function readMessageLimits(read: Read): Config["messageLimits"] {
  const limit = (name: SettingName): number => read.integer(name, { least: 0, most: 80_000_000 });
  return { email: limit("mailLimit"), sms: limit("smsLimit") };
}

function readMasterKeys(read: Read): Secret[] {
  return read.list("masterKey").map((key) => {
    try {
      parseMasterKey(key);
    } catch (error) {
      if (!(error instanceof MasterKeyError)) throw error;
      const fix = "use 32 random bytes in base64; make a key for new data with: openssl rand -base64 32";
      throw new ConfigError(read.spelling("masterKey"), `cannot be used (${error.message})`, fix, error);
    }
    return new Secret(key);
  });
}

function readAliases(read: Read): readonly string[] {
  return read.list("namespaceAliases").map((alias) => {
    if (/^[a-z][a-z0-9]*$/.test(alias)) return alias;
    const fix = "use words of lower-case letters and digits, for example zitadel";
    throw new ConfigError(read.spelling("namespaceAliases"), `has ${alias}, which cannot be part of a name`, fix);
  });
}

function readBaseUrl(gathered: GatheredSettings, fallback: string | undefined): string {
  const given = gathered.get("baseUrl");
  const spelling = given?.spelling ?? settings.baseUrl.environment;
  const text = given?.text ?? fallback;
  if (text === undefined) {
    throw new ConfigError(spelling, "is missing", "set it to the public origin, for example https://id.example.com");
  }
  const url = URL.parse(text);
  const isOrigin =
    url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.href === `${url.origin}/`;
  if (!isOrigin) {
    throw new ConfigError(spelling, "is not an origin", "use scheme and host only, for example https://id.example.com");
  }
  return url.origin;
}

function readDnsServers(read: Read): string[] {
  return read.list("dnsServers").map((entry) => {
    const [, six, four, port] = /^(?:\[([^\]]+)\]|([\d.]+))?(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const isAddress = isIP(entry) !== 0 || isIP(six ?? four ?? "") !== 0;
    if (isAddress && Number(port ?? 53) >= 1 && Number(port ?? 53) <= 65_535) return entry;
    const fix = "use addresses, for example 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53";
    throw new ConfigError(read.spelling("dnsServers"), `has ${entry}, which is not an address`, fix);
  });
}

function readOperations(read: Read, gathered: GatheredSettings): Config["operations"] {
  const text = read.text("operationsListen");
  if (text === "") return undefined;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? "";
  const port = Number(digits);
  const isHost = host === "localhost" || isIP(host) !== 0;
  // 0 takes any free port; the log says which.
  if (isHost && port <= 65_535) return { host, port, isChosen: gathered.has("operationsListen") };
  const fix = "use an address and a port, for example 127.0.0.1:8081, or nothing for none";
  throw new ConfigError(read.spelling("operationsListen"), "is not an address with a port", fix);
}

function readTwilioOrigin(read: Read): string | undefined {
  const text = read.text("twilioUrl");
  if (text === "") return undefined;
  const url = parseTarget(text);
  if (url !== undefined && url.href === `${url.origin}/`) return url.origin;
  const fix = "use scheme and host only, for example https://sms.example.com";
  throw new ConfigError(read.spelling("twilioUrl"), "is not an origin", fix);
}

function readSystemUsers(read: Read): Config["systemUsers"] {
  return read.list("systemUsers").map((entry) => {
    const [userId = "", keyFile = "", ...rest] = entry.split("=");
    if (userId === "" || keyFile === "" || rest.length > 0) {
      throw new ConfigError(
        read.spelling("systemUsers"),
        `has ${entry}`,
        "use name=file, for example ops=/etc/doorward/ops.pem",
      );
    }
    return { userId, keyFile: resolve(keyFile) };
  });
}

function readBootstrap(read: Read): BootstrapConfig {
  const username = read.text("bootstrapAdminUsername");
  const password = read.text("bootstrapAdminPassword");
  const email = read.text("bootstrapAdminEmail");
  const machinePatFile = read.text("bootstrapMachinePatFile");
  const machineKeyFile = read.text("bootstrapMachineKeyFile");
  if (username === "" && (password !== "" || email !== "")) {
    throw new ConfigError(
      "DOORWARD_BOOTSTRAP_ADMIN_USERNAME",
      "is missing",
      "set it beside the e-mail address and password",
    );
  }
  if (username !== "" && password === "") {
    throw new ConfigError(
      "DOORWARD_BOOTSTRAP_ADMIN_PASSWORD",
      "is missing",
      "set it, or its _FILE variant, beside the username",
    );
  }
  return {
    organization: read.text("bootstrapOrganization"),
    admin:
      username === ""
        ? undefined
        : {
            username,
            email: email === "" ? undefined : email,
            password: new Secret(password),
            mustChangePassword: read.choice("bootstrapAdminPasswordChange", ["true", "false"]) === "true",
          },
    machinePatFile: machinePatFile === "" ? undefined : resolve(machinePatFile),
    machineKeyFile: machineKeyFile === "" ? undefined : resolve(machineKeyFile),
  };
}

/** Checks that involve several settings. */
function checkTogether(config: Config, gathered: GatheredSettings): void {
  const { spelling } = reader(gathered, config.mode);
  if (config.workers > 1 && config.databaseUrl === undefined) {
    throw new ConfigError(
      spelling("workers"),
      "is more than 1 on the embedded database",
      "set DOORWARD_DATABASE_URL to a PostgreSQL database, or use 1",
    );
  }
  if (config.databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(config.databaseUrl.reveal())) {
    throw new ConfigError(
      spelling("databaseUrl"),
      "is not a PostgreSQL address",
      "use postgres://user:password@host:port/database",
    );
  }
  for (const network of config.trustedProxies) {
    if (!isNetwork(network))
      throw new ConfigError(
        spelling("trustedProxies"),
        `has ${network}, which is no network`,
        "use CIDR notation, for example 10.0.0.0/8",
      );
  }
  for (const entry of config.outboundAllow) {
    if (!isAllowEntry(entry))
      throw new ConfigError(
        spelling("outboundAllow"),
        `has ${entry}, which is neither network nor host`,
        "use CIDR notation, a host, or *. and a domain, for example 10.0.0.0/8, hooks.internal or mail.internal:2526",
      );
  }
  if (config.mode !== "start") return;
  if (config.masterKeys.length === 0) {
    throw new ConfigError(
      "DOORWARD_MASTER_KEY",
      "is missing",
      "set it, or DOORWARD_MASTER_KEY_FILE, to the key that this data was made with; make a new one with: openssl rand -base64 32",
    );
  }
  const { protocol, hostname } = new URL(config.baseUrl);
  if (protocol === "http:" && !isLoopbackHost(hostname) && !isLocalhostName(hostname)) {
    throw new ConfigError(
      spelling("baseUrl"),
      `is ${config.baseUrl}, without TLS`,
      "use https; browsers and clients would send secrets in the clear",
    );
  }
}
