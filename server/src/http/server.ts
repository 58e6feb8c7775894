import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { networkOf } from "../base/budget/network-of.ts";
import { payerOf, payFor } from "../base/budget/payer.ts";
import type { Clock, Instant } from "../base/clock.ts";
import { drainBody } from "../base/drain-body.ts";
import { chooseLanguage, parseAcceptLanguage } from "../base/language.ts";
import type { Random } from "../base/random.ts";
import type { Call, RequestNote } from "../call/index.ts";
import {
  asksToComeAgain,
  type ByteShare,
  corsHeaders,
  type HoldRefusal,
  isClosed,
  preflight,
  type RateLimitName,
  type RateLimits,
  type ReachedInstance,
  retryAfterSeconds,
  type WebRequest,
  type WebResponse,
  type WebRoute,
} from "../web/index.ts";
import { abandonBody } from "./abandon-body.ts";
import { readBytes, toText } from "./body.ts";
import type { ClientAddress } from "./client-address.ts";
import { countUnsent } from "./count-unsent.ts";
import { type FailureProtocol, type FailureWriter, failureOf } from "./failure.ts";
import { lingerBeforeClosing } from "./linger.ts";
import { RequestRefused } from "./request-refused.ts";
import type { Found, Router } from "./router.ts";
import { isWellEncoded, readTarget, type Target } from "./target.ts";
import { type NodeResponse, writeResponse } from "./write-response.ts";

export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** Finds the instance of a host; synchronously when it is cached. */
export type FindInstance = (host: string) => FoundInstance | undefined | Promise<FoundInstance | undefined>;

export interface FoundInstance extends ReachedInstance {
  /** Whether the operator blocked it. */
  readonly isBlocked?: boolean;
}

/** A request with its instance, before a route is chosen. */
interface Incoming {
  readonly target: Target;
  readonly instance: FoundInstance;
  readonly call: Call;
  readonly clientAddress: string;
}

/** A handler with its own framing on the same port (gRPC, Connect), which takes over the raw exchange. */
interface RawHandler {
  /** Whether the path has the form of a call. */
  matches(path: string): boolean;
  /** Whether a path is answered without credentials, so that requests of its source are counted. */
  isOpenToStrangers(path: string): boolean;
  /** Whether a path is answered in an instance that the operator blocked. */
  answersWhenBlocked(path: string): boolean;
  /** Takes over the exchange; returns false when there is no such call. */
  handle(request: NodeRequest, response: NodeResponse, incoming: Incoming): boolean;
}

export interface ServerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly findInstance: FindInstance;
  readonly router: Router;
  readonly raw: RawHandler;
  readonly clientAddress: ClientAddress;
  readonly fail: FailureWriter;
  readonly rateLimits: RateLimits;
  readonly holdRefusal: HoldRefusal;
  /** Called once a response was written, for metrics and the access log. */
  readonly observe: (observation: Observation) => void;
  readonly bodyLimit: number;
  readonly bodyShare: ByteShare;
  readonly answerShare: ByteShare;
  /** Names of additional headers that pages of other origins may send. */
  readonly organizationHeaders: readonly string[];
  /** Time limit for the arrival of a body, in milliseconds. */
  readonly bodyTimeout: number;
  /** Called for every unexpected failure. */
  readonly report: (error: unknown, requestId: string) => void;
}

export interface Observation {
  readonly method: string;
  /** Path of the route, not of the request, to keep the number of labels small. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string;
  /** Empty where the request reached none. */
  readonly instanceId: string;
  readonly source: string;
  readonly now: Instant;
  readonly noted: RequestNote;
}

/** Creates the request listener of the port: from bytes, already limited, to the route that answers. */
export function createRequestListener(deps: ServerDeps): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    answer(deps, request, response).catch((error: unknown) => {
      // Even the failure could not be sent. One request must not end the process.
      deps.report(error, "none");
      response.destroy();
    });
  };
}

/** The state of a request: what is known of it so far, for the response and the log. */
interface Passage {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly requestId: string;
  readonly method: string;
  route: WebRoute | undefined;
  protocol: FailureProtocol;
  /** What the log says of it. */
  readonly noted: { -readonly [Name in keyof RequestNote]: RequestNote[Name] };
  /** Absent before the instance is known. */
  call?: Call;
}

async function answer(deps: ServerDeps, request: NodeRequest, response: NodeResponse): Promise<void> {
  const started = performance.now();
  const requestId = deps.random(12).toString("hex");
  const method = request.method ?? "GET";
  const passage: Passage = { request, response, requestId, method, route: undefined, protocol: "plain", noted: {} };
  const finish = async (early: WebResponse): Promise<void> => {
    const isWhole = request.httpVersionMajor !== 1 || (await drainBody(request as IncomingMessage));
    const answered = isWhole ? reopened(early) : closed(early);
    const isOpen = asksToComeAgain(answered.status) && answered.headers["retry-after"] === undefined;
    if (answered.status === 429 && passage.call !== undefined) await deps.holdRefusal(passage.call);
    const added = { "x-request-id": requestId, ...(isOpen && comeAgain) };
    if (!isWhole && request.httpVersionMajor === 1) lingerBeforeClosing(request.socket);
    writeResponse(response, answered, passage.route?.isOpenToOrigins === true ? { ...corsHeaders, ...added } : added);
    countUnsent(response, deps.answerShare, () => sourceOf(deps, passage));
    abandonBody(response);
    observe(deps, passage, { started, route: passage.route?.path ?? "none", status: answered.status });
  };
  try {
    const answered = await proceed(deps, passage);
    if (answered === undefined) observeLater(deps, passage, started);
    else await finish(answered);
  } catch (error) {
    const protocol = isPageAsked(passage) ? "page" : passage.protocol;
    const acceptLanguage = header(request, "accept-language");
    const contentType = header(request, "content-type");
    const path = readTarget(request)?.path ?? "";
    const failure = failureOf(error);
    passage.noted.errorId = failure.slug;
    await finish(await deps.fail({ ...failure, protocol, requestId, path, acceptLanguage, contentType }));
  }
}

function observe(
  deps: ServerDeps,
  passage: Passage,
  { started, ...answered }: Pick<Observation, "route" | "status"> & { readonly started: number },
): void {
  const { method, requestId, noted, call } = passage;
  const about = { instanceId: call?.instanceId ?? "", source: sourceOf(deps, passage), now: deps.clock() };
  const milliseconds = performance.now() - started;
  deps.observe({ method: wordOf(method), ...answered, milliseconds, requestId, ...about, noted });
}

/** Observes what another framing answers, once that is over. Its path is that of a method that exists. */
function observeLater(deps: ServerDeps, passage: Passage, started: number): void {
  const { response, request } = passage;
  const route = readTarget(request)?.path ?? "none";
  response.once("close", () => observe(deps, passage, { started, route, status: response.statusCode }));
}

// Where no route decides on the format, a browser that navigates says that it reads pages.
const isPageAsked = ({ request, method, protocol }: Passage): boolean =>
  protocol === "plain" &&
  (method === "GET" || method === "HEAD") &&
  /(?:^|,)\s*text\/html\s*(?:[,;]|$)/i.test(header(request, "accept") ?? "");

// An answer before the instance was known has no call.
const sourceOf = (deps: ServerDeps, { request, call }: Passage): string =>
  call?.source ?? networkOf(deps.clientAddress(request.socket?.remoteAddress, header(request, "x-forwarded-for")));

/** Returns the response; undefined when another framing took over the exchange. Throws errors for `failureOf`. */
async function proceed(deps: ServerDeps, passage: Passage): Promise<WebResponse | undefined> {
  const { request, response, method } = passage;
  const target = readTarget(request);
  if (target === undefined) throw new RequestRefused(400, "request.malformed");
  const { path } = target;
  const found = deps.router.find(method, path);
  const isCall = found === undefined && deps.raw.matches(path);
  passage.route = found?.route;
  passage.protocol = isCall ? "rpc" : (found?.route.protocol ?? deps.router.protocolOf(path));
  if (found === undefined && !isWellEncoded(path)) throw new RequestRefused(400, "request.malformed_path");
  const incoming = await receive(deps, passage, target);
  passage.call = incoming.call;
  if (incoming.instance.isBlocked === true) {
    const isAnswered = isCall ? deps.raw.answersWhenBlocked(path) : found?.route.answersWhenBlocked === true;
    if (!isAnswered) throw new RequestRefused(429, "instance.blocked", { headers: blockedFor });
  }
  if (isCall) {
    if (method === "OPTIONS") return preflight(["POST"], deps.organizationHeaders);
    if (method !== "POST") throw new RequestRefused(405, "request.wrong_method", { headers: { allow: "POST" } });
    if (deps.raw.isOpenToStrangers(path)) countSource(deps, "keys", incoming);
    if (payFor(payerOfRequest(incoming), () => deps.raw.handle(request, response, incoming))) return undefined;
    throw new RequestRefused(404, "method.unknown", { code: "unimplemented" });
  }
  return found === undefined ? answerWithoutRoute(deps, passage, path) : runRoute(deps, passage, incoming, found);
}

/** Finds the requested instance. Throws `RequestRefused` when there is none. */
async function receive(
  deps: ServerDeps,
  { request, response, requestId, route, noted }: Passage,
  target: Target,
): Promise<Incoming> {
  const now = deps.clock();
  const instance = route?.isInstanceless === true ? nowhere : await deps.findInstance(target.host);
  if (instance === undefined) {
    throw new RequestRefused(404, "instance.unknown_host", { values: { host: target.host } });
  }
  const languages = parseAcceptLanguage(header(request, "accept-language"));
  const language = chooseLanguage(languages) ?? instance.defaultLanguage;
  const clientAddress = deps.clientAddress(request.socket?.remoteAddress, header(request, "x-forwarded-for"));
  let gone: AbortSignal | undefined;
  const call = {
    instanceId: instance.instanceId,
    requestId,
    source: networkOf(clientAddress),
    now,
    language,
    gone: () => {
      gone ??= goneWith(response);
      return gone;
    },
    note: (known: RequestNote) => note(noted, known),
  };
  return { target, instance, clientAddress, call };
}

function note(noted: Passage["noted"], { errorId, clientId, userId }: RequestNote): void {
  if (errorId !== undefined) noted.errorId = errorId;
  if (clientId !== undefined) noted.clientId = clientId;
  if (userId !== undefined) noted.userId = userId;
}

// Made only for what waits: most requests never ask.
function goneWith(response: NodeResponse): AbortSignal {
  if (isClosed(response)) return AbortSignal.abort();
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

async function runRoute(
  deps: ServerDeps,
  { request, method }: Passage,
  { target, instance, clientAddress, call }: Incoming,
  { route, variables }: Found,
): Promise<WebResponse> {
  const { rateLimit } = route;
  if (rateLimit !== undefined) countSource(deps, rateLimit, { instance, clientAddress, call });
  const { takesBytes = false, readsBodyLate = false } = route;
  const limits = {
    limit: route.bodyLimit ?? deps.bodyLimit,
    timeout: deps.bodyTimeout,
    share: deps.bodyShare,
    source: networkOf(clientAddress),
  };
  const readBody = async (): Promise<Buffer> =>
    hasBody(method) ? readBytes(request as IncomingMessage, limits) : noBytes;
  const bytes = readsBodyLate ? noBytes : await readBody();
  const now = deps.clock();
  const exchange: WebRequest = {
    method,
    path: target.path,
    pathVariables: variables,
    query: target.query,
    body: takesBytes ? "" : toText(bytes),
    ...(takesBytes && { bytes }),
    ...(readsBodyLate && { lateBody: { bytes: readBody, text: async () => toText(await readBody()) } }),
    // In HTTP/2 the host is in a pseudo-header (RFC 9113 §8.3.1).
    header: (name) => (name === "host" ? target.host : header(request, name)),
    clientAddress,
    instance,
    // What expired while the body was on its way has expired.
    call: now === call.now ? call : { ...call, now },
  };
  return payFor(payerOfRequest({ instance, clientAddress }), () => route.handler(exchange));
}

function countSource(
  { rateLimits }: ServerDeps,
  name: RateLimitName,
  { instance, clientAddress, call }: Pick<Incoming, "instance" | "clientAddress" | "call">,
): void {
  const wait = rateLimits.ofSource({ name, instanceId: instance.instanceId, now: call.now }, clientAddress);
  if (wait > 0) throw new RequestRefused(429, "request.too_many", { headers: { "retry-after": String(wait) } });
}

// What a request causes is paid for by its instance, and within the instance by its source.
const payerOfRequest = ({ instance, clientAddress }: Pick<Incoming, "instance" | "clientAddress">) =>
  payerOf(instance.instanceId, networkOf(clientAddress));

function answerWithoutRoute(
  { router, organizationHeaders }: ServerDeps,
  { method }: Passage,
  path: string,
): WebResponse {
  const allowed = router.methodsOf(path);
  if (method === "OPTIONS" && router.isOpenToOrigins(path)) return preflight(allowed, organizationHeaders);
  if (allowed.length === 0) throw new RequestRefused(404, "request.unknown_path");
  throw new RequestRefused(405, "request.wrong_method", { headers: { allow: allowed.join(", ") } });
}

// The rest of a body that was not read would be taken for the next request.
const closed = (answered: WebResponse): WebResponse => ({
  ...answered,
  headers: { ...answered.headers, connection: "close" },
});

// A refusal of a body closes the connection, unless the rest of the body could be read.
function reopened(answered: WebResponse): WebResponse {
  if (answered.headers["connection"] === undefined) return answered;
  const { connection: _connection, ...headers } = answered.headers;
  return { ...answered, headers };
}

// In HTTP/2 a method is any text. What is counted and logged has a fixed number of words.
const countedMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const wordOf = (method: string): string => (countedMethods.has(method) ? method : "other");

// A block ends when the operator says so, not after moments.
const blockedFor = { "retry-after": "3600" } as const;

const comeAgain = { "retry-after": String(retryAfterSeconds) } as const;

const nowhere: FoundInstance = { instanceId: "", origin: "", defaultLanguage: "en" };

const noBytes = Buffer.alloc(0);

const hasBody = (method: string): boolean => method !== "GET" && method !== "HEAD" && method !== "OPTIONS";

function header(request: NodeRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
