import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandError } from "../command-error.ts";
import { returnPage, returnPageHeaders } from "./return-page.ts";

/** Thrown where the machine lacks the address to listen at. */
export class PortUnavailable extends CommandError {}

export interface ReturnListener {
  /** The redirect address, with the port of the listener. */
  readonly redirectUri: string;
  /** Waits for the redirect and returns its parameters. */
  wait(milliseconds: number): Promise<URLSearchParams>;
  close(): void;
}

/** Listens at the redirect address of the browser, for the one response with the state. */
export async function listenForReturn(redirectUri: string, state: string): Promise<ReturnListener> {
  const address = new URL(redirectUri);
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", address.origin);
    const parameters = url?.pathname === address.pathname ? url.searchParams : undefined;
    const isOurs = parameters?.get("state") === state;
    response
      .writeHead(isOurs ? 200 : 404, { ...returnPageHeaders, connection: "close" })
      .end(returnPage(isOurs ? (parameters.has("error") ? "refused" : "signed_in") : "unexpected"));
    if (isOurs) resolve(parameters);
  });
  const port = await listen(server, address);
  // RFC 8252 §7.3: a native application may use any port. Other applications have registered theirs.
  const isPortFree = address.port === "";
  return {
    redirectUri: isPortFree ? `http://${address.hostname}:${port}${address.pathname}` : redirectUri,
    wait: (milliseconds) => orTimeout(promise, milliseconds),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { hostname, port }: URL): Promise<number> {
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ""));
  try {
    await once(server, "listening");
  } catch (cause) {
    if (port === "") throw new PortUnavailable(`${hostname} is not available on this machine`, { cause });
    throw new CommandError(`port ${port} of the application's redirect address is not available`, {
      fix: "stop the application while you do this, or create a separate one for the terminal: doorward app create cli --type native",
      cause,
    });
  }
  return (server.address() as AddressInfo).port;
}

async function orTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CommandError("the sign-in was not completed in time")), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
