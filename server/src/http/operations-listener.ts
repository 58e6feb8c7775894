import { isIP } from "node:net";
import { AddressUnavailable } from "../base/address-unavailable.ts";
import { isLoopbackAddress } from "../base/outbound/index.ts";
import type { WebResponse } from "../web/index.ts";
import { createListener, defaultLimits } from "./listener.ts";
import { answerOperations, isOperationsPath, type OperationsReport } from "./operations-answer.ts";
import type { NodeRequest } from "./server.ts";
import { writeResponse } from "./write-response.ts";

/** Where the operations endpoints listen. */
export interface OperationsAddress {
  readonly host: string;
  readonly port: number;
  /** Whether the operator chose the address, so that it must be had. */
  readonly isChosen: boolean;
}

export interface OperationsListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens at the operations address: `/debug/healthz`, `/debug/ready` with reasons, `/debug/metrics`. Returns undefined
 * after `warn` when a default address cannot be had: this keeps no server from starting.
 */
export async function listenForOperations(
  address: OperationsAddress,
  report: OperationsReport,
  warn: (message: string, details: Readonly<Record<string, unknown>>) => void,
): Promise<OperationsListener | undefined> {
  const { host, port, isChosen } = address;
  const limits = { ...defaultLimits, requestTimeout: 10_000, maxConnections: 100 };
  const listener = createListener((request, response) => {
    answer(report, host === "localhost" || isLoopbackAddress(host), request).then(
      (answered) => writeResponse(response, answered, {}),
      () => writeResponse(response, plain(503, "unavailable"), {}),
    );
  }, limits);
  try {
    const found = await listener.listen(port, host);
    return { port: found, close: () => listener.close(0) };
  } catch (error) {
    if (isChosen) throw new AddressUnavailable("DOORWARD_OPERATIONS_LISTEN", `${host}:${port}`, error);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const fix = "set DOORWARD_OPERATIONS_LISTEN to a free address, or to nothing";
    warn("metrics have no address", { address: `${host}:${port}`, code, fix });
    return undefined;
  }
}

async function answer(report: OperationsReport, isLocal: boolean, request: NodeRequest): Promise<WebResponse> {
  const { method = "", url = "", headers } = request;
  // A page in a browser on this machine could have its own name resolved to this address (DNS rebinding).
  if (isLocal && !isAddress(headers.host ?? headers[":authority"]?.toString() ?? ""))
    return plain(421, "call this address by its number or as localhost");
  const path = url.split("?", 1)[0] ?? "";
  if (!isOperationsPath(path)) return plain(404, "unknown path");
  if (method !== "GET" && method !== "HEAD") return plain(405, "only GET");
  return answerOperations(report, path, { showsReasons: true });
}

function isAddress(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  return name === "localhost" || isIP(name) !== 0;
}

const plain = (status: number, body: string): WebResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body,
});
