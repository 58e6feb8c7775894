import type { Language } from "../base/language.ts";
import type { Call } from "../call/index.ts";
import type { RateLimitName } from "./rate-limits.ts";

/** The instance that a request reached, found by host. */
export interface ReachedInstance {
  readonly instanceId: string;
  /** Public origin: issuer, base of links and of cookies. From configuration and the instance's hosts, never from a header alone. */
  readonly origin: string;
  /** The language of whoever asks for none that may be spoken. */
  readonly defaultLanguage: Language;
}

/** A request as it arrived, with limits already enforced. Nothing in it was trusted yet. */
export interface WebRequest {
  readonly method: string;
  /** Path as it was sent, without the query. */
  readonly path: string;
  /** Values of the variables of the route's path, percent-decoded. */
  readonly pathVariables: Readonly<Record<string, string | undefined>>;
  /** Query as it was sent, without the question mark. */
  readonly query: string;
  /** Body as text; empty when there is none, and on routes that take bytes. */
  readonly body: string;
  /** Body as it came, on routes that take bytes. */
  readonly bytes?: Uint8Array;
  /** Value of a header by its name in lower case; several lines are joined by commas. */
  header(name: string): string | undefined;
  /** Network address of the client: the peer's, or what trusted proxies say. */
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

/** A handler and where it listens. Paths use `:name` for variables. */
export interface WebRoute {
  readonly methods: readonly string[];
  readonly path: string;
  readonly handler: WebHandler;
  /** How failures outside the handler (unknown host, body too large, crash) are worded for the clients of this route. */
  readonly protocol: "oauth" | "registration" | "page" | "rest" | "plain";
  /** Any origin may read the answer in a browser (discovery, key set, token …); never with credentials. */
  readonly isOpenToOrigins?: boolean;
  /** Answers on every host, without an instance (health, metrics): load balancers call by address. */
  readonly isInstanceless?: boolean;
  /** Which limit the requests of one source count against. */
  readonly rateLimit?: RateLimitName;
  /** Bytes of body; 1 MiB when not given. */
  readonly bodyLimit?: number;
  /** The body may be anything (files): it comes as `bytes`. Everywhere else it has to be UTF-8. */
  readonly takesBytes?: boolean;
}
