import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { testCertificate } from "./test-certificate.ts";

/** What a receiver got. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A foreign server: gives the answers that a test sets, and remembers its requests. */
export interface Receiver {
  readonly port: number;
  /** `http://localhost:<port>`, or https. */
  readonly origin: string;
  readonly received: Received[];
  /** Connections that were opened to it, whether or not anything was sent. */
  readonly connections: number;
  /** Its answer from now on. An answer that never ends hangs. */
  answer: (request: Received, response: ServerResponse) => void;
}

/** Starts a receiver on the loopback address; it stops after the test, even with connections open. */
export async function startReceiver(t: TestContext, options: { readonly isSecure?: boolean } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const receiver = {
    answer: (_request: Received, response: ServerResponse): void => void response.end("ok"),
  };
  const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString("utf8") };
    received.push(request);
    receiver.answer(request, response);
  };
  // A sender that goes away in the middle sent nothing.
  const listener: RequestListener = (incoming, response) => void receive(incoming, response).catch(() => {});
  const server = options.isSecure === true ? createSecureServer(testCertificate, listener) : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  const origin = `${options.isSecure === true ? "https" : "http"}://localhost:${port}`;
  const made = Object.assign(receiver, { port, origin, received, connections: 0 });
  server.on("connection", () => made.connections++);
  return made;
}
