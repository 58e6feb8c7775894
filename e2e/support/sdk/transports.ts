import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { NewAuthorizationBearerInterceptor } from "@zitadel/client";
import { createServerTransport } from "@zitadel/client/node";
import { createClientTransport } from "@zitadel/client/web";

/** The two transports of `@zitadel/client`, and two of the library that it is built on, with its interceptor. */
export function transportsTo(baseUrl: string, token: string): Readonly<Record<string, Transport>> {
  const interceptors = [NewAuthorizationBearerInterceptor(token)];
  return {
    gRPC: createServerTransport(token, { baseUrl }),
    "gRPC-Web": createClientTransport(token, { baseUrl }),
    "Connect in JSON": createConnectTransport({ baseUrl, httpVersion: "1.1", interceptors }),
    "Connect in binary": createConnectTransport({ baseUrl, httpVersion: "2", interceptors, useBinaryFormat: true }),
  };
}
