import { once } from "node:events";
import { createServer } from "node:net";
import { seconds } from "../../base/clock.ts";
import type { Config } from "../../config/index.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Checks that the port is free, or used by our own server. */
export async function checkPort({ host, port }: Config): Promise<{ finding: Finding; isRunning: boolean }> {
  const { ok, error } = findingsOf("port");
  const code = await tryToListen(host, port);
  if (code === undefined)
    return { finding: ok(`${host}:${port} is free; the server is not running`), isRunning: false };
  if (code === "EADDRINUSE") {
    const isRunning = await answersAsDoorward(host, port);
    const taken = error(
      `port ${port} is taken by another program`,
      "DOORWARD_PORT",
      "stop what listens there, or use another port",
    );
    return { finding: isRunning ? ok(`Doorward answers on ${host}:${port}`) : taken, isRunning };
  }
  if (code === "EACCES") {
    const fix = "use a port above 1023, or give the process the right to it";
    return { finding: error(`port ${port} is not permitted to this process`, "DOORWARD_PORT", fix), isRunning: false };
  }
  const fix = "use an address of this machine, for example 127.0.0.1 or 0.0.0.0";
  return { finding: error(`${host} is not an address to listen on (${code})`, "DOORWARD_HOST", fix), isRunning: false };
}

async function tryToListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    server.close();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown";
  }
}

async function answersAsDoorward(host: string, port: number): Promise<boolean> {
  const own = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const address = own.includes(":") ? `[${own}]` : own;
  try {
    const response = await fetch(`http://${address}:${port}/debug/healthz`, {
      // A server that has just started on a busy machine is slow to answer, but is not another program.
      signal: AbortSignal.timeout(seconds(10)),
    });
    return response.ok && (await response.text()) === "ok";
  } catch {
    return false;
  }
}
