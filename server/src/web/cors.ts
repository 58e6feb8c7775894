import type { WebResponse } from "./exchange.ts";

/**
 * Any origin may read these responses, never with browser credentials. Cookies are ignored wherever these headers are
 * sent, so an open origin gives a page no more access than any other program.
 */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "content-length, location, www-authenticate, dpop-nonce, grpc-status, grpc-message, grpc-status-details-bin, x-request-id",
} as const;

/** Returns the response to a preflight request; `headers` are those that depend on the configuration. */
export function preflight(methods: readonly string[], headers: readonly string[]): WebResponse {
  return {
    status: 204,
    headers: {
      ...corsHeaders,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": [...requestHeaders, ...headers].join(", "),
      "access-control-max-age": "7200",
    },
  };
}

const requestHeaders = [
  "authorization",
  "content-type",
  "accept",
  "accept-language",
  "dpop",
  "x-user-agent",
  "x-grpc-web",
  "grpc-timeout",
  "connect-protocol-version",
  "connect-timeout-ms",
];
