import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pino from "pino";
import { type App, startApp } from "../../../src/app.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { Secret } from "../../../src/base/secret.ts";
import type { Config } from "../../../src/config/index.ts";
import type { DatabaseLocation } from "../../../src/database/index.ts";
import { type GeneratedKeyPair, generateFirstKeyPairs } from "../../../src/domain/signing-key/index.ts";
import { defaultLimits, type ListenerLimits } from "../../../src/http/index.ts";
import { type Ending, type Engine, makeLocation, occupy } from "../databases/databases.ts";
import { type Template, templateOf } from "../databases/templates.ts";
import { fetch } from "../http/fetch.ts";
import { freePort } from "../http/free-port.ts";
import { cheapPasswords } from "./password-cost.ts";
import { useUsualSettings } from "./usual-settings.ts";

/** Login name and personal access token that every test server starts with. */
export interface TestServer {
  readonly app: App;
  readonly port: number;
  /** Origin of the first instance: `http://localhost:<port>`. */
  readonly origin: string;
  /** Personal access token of an IAM_OWNER. */
  readonly ownerToken: string;
  /** The time that the server sees; tests move it. */
  readonly clock: { now: number };
  readonly location: DatabaseLocation;
  /**
   * What the server logged as errors so far. A test fails when its server met an unexpected failure, unless the test
   * took the line away (`splice`) because it was the point of the test.
   */
  readonly errorLog: string[];
  /** Calls a REST route as JSON. */
  rest(method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  /** Calls a REST route of another instance of the server, by its host. */
  byHost(host: string, method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  /** Calls a method by Connect JSON: `connect("service.user.v2.UserService/ListUsers", {})`. */
  connect(method: string, body: object, options?: RestOptions): Promise<RestAnswer>;
}

export interface RestOptions {
  readonly body?: unknown;
  /** Bearer token; the owner's when not given; `null` for none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  readonly body: any;
}

export interface ServerOptions {
  readonly engine?: "sqlite" | "postgres";
  /** The database that another server already uses (a second node), or used before (a restart). */
  readonly location?: DatabaseLocation;
  readonly now?: number;
  readonly config?: Partial<Config>;
  readonly limits?: Partial<ListenerLimits>;
  /** Certificates (PEM) by which servers of others are trusted. */
  readonly certificates?: string;
  /** How long a mail server may take for one mail, in milliseconds. */
  readonly mailTimeout?: number;
  /** The cost of a password as every server has it, for tests that measure time; a cheap one when left out. */
  readonly passwordCost?: "usual";
  /** Token of the owner, for a database that has one already. */
  readonly ownerToken?: string;
  /**
   * What a database of its own is copied from, when it is that of an instance as these options make it
   * (`templateTimeOf`).
   */
  readonly template?: (engine: Engine) => Promise<Template<ServerFacts>>;
  /**
   * Makes the first instance at this start, as a new installation does, instead of copying one that was made with the
   * same settings; it keeps the defaults of new instances (`useUsualSettings` has what others get).
   */
  readonly isFresh?: boolean;
  /** Token of the server's operator, as `doorward dev` makes one. */
  readonly operatorToken?: Secret;
  /** Gets every line of the log, of every level. */
  readonly log?: string[];
  /** Directory of the console's files. */
  readonly consoleDirectory?: string;
}

/** What is to be known of a database whose instance was made before. */
export interface ServerFacts {
  readonly ownerToken: string;
}

// Servers of one process share their first keys.
let firstKeyPairs: Promise<readonly GeneratedKeyPair[]> | undefined;

// Always the same, so that processes can share templates.
const masterKey = new Secret(createHash("sha256").update("the master key of all tests").digest("base64"));

const startTime = Date.UTC(2027, 0, 15, 12);

/** Starts the real server on a free port with a fixed clock; it stops after the test. */
export async function startServer(t: Ending, options: ServerOptions = {}): Promise<TestServer> {
  const { engine = "sqlite" } = options;
  const time = templateTimeOf(options);
  const template = time && (await (options.template?.(engine) ?? serverTemplate(engine, time)));
  const location = options.location ?? (await makeLocation(t, engine, template?.source));
  const clock = { now: options.now ?? startTime };
  const now: Clock = () => clock.now;
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const machinePatFile = join(tmpdir(), `doorward-test-pat-${process.pid}-${port}`);
  const config = testConfig(location, {
    port,
    baseUrl: origin,
    bootstrap: { organization: "Doorward", admin: undefined, machinePatFile, machineKeyFile: undefined },
    ...options.config,
  });
  const errorLog: string[] = [];
  const log = pino(
    { level: options.log === undefined ? "error" : "trace", base: null },
    {
      write: (line: string) => {
        options.log?.push(line);
        if (/^\{"level":[56]0,/.test(line)) errorLog.push(line);
      },
    },
  );
  if (template === undefined) firstKeyPairs ??= generateFirstKeyPairs();
  const app = await startApp(config, {
    clock: now,
    ...(firstKeyPairs && { firstKeyPairs: await firstKeyPairs }),
    log,
    limits: { ...defaultLimits, ...options.limits },
    ...(options.certificates !== undefined && { certificates: options.certificates }),
    ...(options.mailTimeout !== undefined && { mailTimeout: options.mailTimeout }),
    ...(options.passwordCost !== "usual" && { passwordCost: cheapPasswords }),
    ...(options.operatorToken !== undefined && { operatorToken: options.operatorToken }),
    ...(options.consoleDirectory !== undefined && { consoleDirectory: options.consoleDirectory }),
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= app.close());
  occupy(location, close);
  t.after(close);
  t.after(() => assert.deepEqual(errorLog, [], "the server met failures that nobody expected"));
  // A second node, or a restart, finds an instance that has its owner already.
  const isFirst = existsSync(machinePatFile);
  const ownerToken = isFirst
    ? readFileSync(machinePatFile, "utf8").trim()
    : (options.ownerToken ?? template?.facts.ownerToken ?? "");
  if (isFirst) {
    rmSync(machinePatFile);
    const instance = await app.domain.findInstanceByHost(new URL(config.baseUrl).hostname);
    if (options.isFresh !== true && instance !== undefined) await useUsualSettings(app, instance.instanceId);
  }
  const api = apiOf(origin, ownerToken);
  return {
    app,
    port: app.port,
    clock,
    location,
    errorLog,
    ...api,
    byHost: (host, method, path, given) => callHost({ host, port }, method, path, { token: ownerToken, ...given }),
  };
}

/** The time at which a database was made that others are copies of: that of most tests, or the real one. */
export type TemplateTime = "fixed" | "real";

// How much older than its servers a database of the real time is at least. Some are about to start while it is made.
const margin = 60_000;

/**
 * Of which time a copied database is in which a server with these options finds what it would make there itself;
 * undefined when there is none.
 */
export function templateTimeOf({
  location,
  isFresh,
  now = startTime,
  config = {},
  passwordCost,
}: ServerOptions): TemplateTime | undefined {
  if (isFresh === true || passwordCost === "usual" || location !== undefined) return undefined;
  if ((["bootstrap", "baseUrl", "masterKeys"] as const).some((name) => name in config)) return undefined;
  if (now === startTime) return "fixed";
  return Math.abs(Date.now() - now) < margin / 2 ? "real" : undefined;
}

/** An instance with its owner, as every server makes it in an empty database. */
function serverTemplate(engine: Engine, time: TemplateTime): Promise<Template<ServerFacts>> {
  return templateOf({
    name: `server_${time}`,
    engine,
    fill: async (t, location) => {
      const { ownerToken } = await startToFill(t, location, { time });
      return { ownerToken };
    },
  });
}

/**
 * Starts a server that fills a template: a moment early, because identifiers are ordered by time and those of a copy
 * must come later.
 */
export function startToFill(
  t: Ending,
  location: DatabaseLocation,
  { config = {}, time = "fixed" }: { readonly config?: Partial<Config>; readonly time?: TemplateTime } = {},
): Promise<TestServer> {
  return startServer(t, { location, config, now: time === "fixed" ? startTime - 1 : Date.now() - margin });
}

/** Returns the configuration of a test server, with a database and on any port. */
export function testConfig(location: DatabaseLocation, overrides: Partial<Config> = {}): Config {
  return {
    mode: "dev",
    profile: "standard",
    host: "127.0.0.1",
    port: 0,
    operations: undefined,
    baseUrl: "http://localhost",
    dataDirectory: location.directory ?? "",
    databaseUrl: location.url === undefined ? undefined : new Secret(location.url),
    masterKeys: [masterKey],
    workers: 1,
    isConsoleOn: true,
    isAccessLogOn: false,
    commandLine: overrides.profile === "strict" ? "browser" : "all",
    trustedProxies: [],
    namespaceAliases: ["zitadel"],
    outboundAllow: ["127.0.0.0/8"],
    dnsServers: [],
    twilioOrigin: undefined,
    systemUsers: [],
    bodyLimit: 1024 * 1024,
    // Off: the clock of tests stands still, so a limited source would wait forever.
    rateLimits: { authorization: 0, token: 0, introspection: 0, login: 0, signUp: 0, registration: 0, keys: 0 },
    assertionAudience: overrides.profile === "strict" ? "issuer" : "issuer-or-endpoints",
    // Off for the same reason.
    messageLimits: { email: 0, sms: 0 },
    migrate: true,
    bootstrap: { organization: "Doorward", admin: undefined, machinePatFile: undefined, machineKeyFile: undefined },
    log: { level: "silent", format: "json" },
    ...overrides,
  };
}

/** Requests to a server by its address, whichever process started it. */
export type TestApi = Pick<TestServer, "origin" | "ownerToken" | "rest" | "connect">;

/** The interface at an address. */
export function apiOf(origin: string, ownerToken: string): TestApi {
  const rest: TestServer["rest"] = async (method, path, { body, token = ownerToken, headers } = {}) => {
    const response = await fetch(origin + path, {
      method,
      redirect: "manual",
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  };
  return { origin, ownerToken, rest, connect: (method, body, given) => rest("POST", `/${method}`, { ...given, body }) };
}

// `fetch` names no host but the one that it connects to.
async function callHost(
  at: { readonly host: string; readonly port: number },
  method: string,
  path: string,
  { body, token, headers }: RestOptions,
): Promise<RestAnswer> {
  const outgoing = request({
    host: "127.0.0.1",
    port: at.port,
    method,
    path,
    agent: false,
    headers: {
      host: `${at.host}:${at.port}`,
      ...(typeof token === "string" && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
  });
  outgoing.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    status: incoming.statusCode ?? 0,
    headers: new Headers(incoming.headers as Record<string, string>),
    body: parse(Buffer.concat(chunks).toString("utf8")),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
