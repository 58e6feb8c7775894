import type { Language } from "../base/language.ts";
import type { Call } from "../call/index.ts";
import type { RateLimitName } from "./rate-limits.ts";

/** The instance of a request, found by host. */
export interface ReachedInstance {
  readonly instanceId: string;
  /**
   * Public origin: issuer, base of links and of cookies. From configuration and the instance's hosts, never from a
   * header alone.
   */
  readonly origin: string;
  /** The language for users without a supported and permitted preference. */
  readonly defaultLanguage: Language;
}

/** A body that is read when the handler asks for it, once. Throws what the port refuses; handlers pass it on. */
interface LateBody {
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
}

/** An incoming request, with limits already enforced. None of it is trusted yet. */
export interface WebRequest {
  readonly method: string;
  /** Path as it was sent, without the query. */
  readonly path: string;
  /** Values of the variables of the route's path, percent-decoded. */
  readonly pathVariables: Readonly<Record<string, string | undefined>>;
  /** Query as it was sent, without the question mark. */
  readonly query: string;
  /** Body as text; empty without a body, and on routes that accept bytes or read it late. */
  readonly body: string;
  /** Unchanged body, on routes that accept bytes. */
  readonly bytes?: Uint8Array;
  /** The body, on routes that read it late. */
  readonly lateBody?: LateBody;
  /** Returns the value of a header by its name in lower case; several lines are joined by commas. */
  header(name: string): string | undefined;
  /** Network address of the client: the peer's, or the one reported by trusted proxies. */
  readonly clientAddress: string;
  readonly instance: ReachedInstance;
  /** The call of this request, still without a caller. */
  readonly call: Call;
}

export interface WebResponse {
  readonly status: number;
  /** Header names in lower case; several `set-cookie` values as an array. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** Answers one request. */
export type WebHandler = (request: WebRequest) => Promise<WebResponse>;

/** A handler and its path. Paths use `:name` for variables. */
export interface WebRoute {
  readonly methods: readonly string[];
  readonly path: string;
  readonly handler: WebHandler;
  /** The format of failures outside the handler (unknown host, body too large, crash) for the clients of this route. */
  readonly protocol: "oauth" | "registration" | "page" | "rest" | "plain";
  /** Any origin may read the response in a browser (discovery, key set, token …); never with credentials. */
  readonly isOpenToOrigins?: boolean;
  /** Answers on every host, without an instance (health, metrics): load balancers call by address. */
  readonly isInstanceless?: boolean;
  /** Answers in instances that the operator blocked (the System API, style sheets of the page that says so). */
  readonly answersWhenBlocked?: boolean;
  /** The rate limit that counts the requests of one source. */
  readonly rateLimit?: RateLimitName;
  /** Largest body in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** The body may be binary (files) and is passed as `bytes`. Elsewhere it must be UTF-8. */
  readonly takesBytes?: boolean;
  /** The handler reads the body once it knows the caller, so that no body of a stranger is kept. */
  readonly readsBodyLate?: boolean;
}
