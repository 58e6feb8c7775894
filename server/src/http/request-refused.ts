import type { FaultCode } from "../base/fault.ts";

export interface RefusalOptions {
  /** For responses with a code beside or in place of the status; derived from the status by default. */
  readonly code?: FaultCode;
  /** Values for the placeholders of the sentence. */
  readonly values?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const codes = {
  400: "invalid_argument",
  404: "not_found",
  405: "unimplemented",
  408: "deadline_exceeded",
  413: "invalid_argument",
  429: "resource_exhausted",
} as const satisfies Record<number, FaultCode>;
type RefusedStatus = keyof typeof codes;

/**
 * Thrown for a request that reached no handler, or whose body could not be read. `slug` names the cause; its sentence
 * is the text `fault.<slug>`.
 */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
  readonly status: RefusedStatus;
  readonly code: FaultCode;
  readonly slug: string;
  readonly values: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: RefusedStatus, slug: string, options: RefusalOptions = {}) {
    super(slug);
    const { code = codes[status], values = {}, headers = {} } = options;
    this.status = status;
    this.code = code;
    this.slug = slug;
    this.values = values;
    this.headers = headers;
  }
}
