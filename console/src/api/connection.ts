import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { Session } from "../session/session.ts";
import { organizationHeader } from "./call.ts";
import { rememberCalls } from "./calls.ts";

/**
 * Returns the connection to the API that everyone can use: Connect over the origin of the document, with the user's
 * token. `organizationId` is read anew for every request; a call that names an organization itself is about that one.
 */
export function createConnection(session: Session, organizationId: () => string | undefined): Transport {
  return createConnectTransport({
    baseUrl: location.origin,
    useBinaryFormat: true,
    interceptors: [rememberCalls((headers) => headers.get(organizationHeader) ?? organizationId())],
    fetch: (input, init) => {
      const id = organizationId();
      const headers = new Headers(init?.headers);
      headers.set("accept-language", document.documentElement.lang);
      if (id !== undefined && !headers.has(organizationHeader)) headers.set(organizationHeader, id);
      return session.fetch(input, { ...init, headers });
    },
  });
}
