import { chooseLanguage, type Language, parseAcceptLanguage } from "../base/language.ts";
import { restError, rpcError, statusOf } from "../rpc/index.ts";
import type { WebResponse } from "../web/index.ts";
import type { Failure, FailureWriter } from "./failure.ts";

export interface FailureDeps {
  readonly translate: (language: Language, key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Called for every unexpected failure. */
  readonly report: (error: unknown, requestId: string) => void;
  /** Renders a failure as a page. */
  readonly renderPage: (failure: {
    language: Language;
    slug: string;
    status: number;
    requestId: string;
    path: string;
    /** Requested host, where that is the cause. */
    host?: string | undefined;
  }) => WebResponse;
}

/** Creates the writer of failures outside a handler, in the protocol of the requested route. */
export function createFailureWriter(deps: FailureDeps): FailureWriter {
  return async (failure) => {
    if (failure.cause !== undefined) deps.report(failure.cause, failure.requestId);
    const language = chooseLanguage(parseAcceptLanguage(failure.acceptLanguage)) ?? "en";
    const values = { ...failure.values, reference: failure.requestId };
    const message = deps.translate(language, `fault.${failure.slug}`, values);
    const response = await word(deps, failure, language, message);
    return { ...response, headers: { ...response.headers, ...failure.headers } };
  };
}

async function word(deps: FailureDeps, failure: Failure, language: Language, message: string): Promise<WebResponse> {
  const { status, code, protocol, requestId, path, slug, contentType } = failure;
  switch (protocol) {
    case "oauth":
    case "registration": {
      // RFC 6749 §5.2: descriptions are ASCII, so they are English whatever the reader's language.
      const description = deps.translate("en", `fault.${slug}`, { ...failure.values, reference: requestId });
      return json(status, { error: oauthErrorOf(status, protocol), error_description: description });
    }
    case "rest":
      return json(status, restError({ code: statusOf[code].grpc, message, id: slug, word: "service" }));
    case "rpc":
      return rpcError(contentType, { code, id: slug, message, status });
    case "page":
      return deps.renderPage({ language, slug, status, requestId, path, host: hostOf(failure) });
    case "plain":
      return { status, headers: { ...common, "content-type": "text/plain; charset=utf-8" }, body: `${message}\n` };
    default:
      return protocol satisfies never;
  }
}

const hostOf = ({ values: { host } }: Failure): string | undefined => (typeof host === "string" ? host : undefined);

// RFC 6749 §4.1.2.1, §5.2; RFC 7591 §3.2.2 for a body that is too large or unreadable.
function oauthErrorOf(status: number, protocol: "oauth" | "registration"): string {
  if (status === 429 || status === 503) return "temporarily_unavailable";
  if (status >= 500) return "server_error";
  const isAboutBody = status === 400 || status === 413;
  return protocol === "registration" && isAboutBody ? "invalid_client_metadata" : "invalid_request";
}

const common = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" } as const;

const json = (status: number, body: object): WebResponse => ({
  status,
  headers: { ...common, "content-type": "application/json" },
  body: JSON.stringify(body),
});
