import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../process/free-port.ts";
import { type ServerProcess, startProcess } from "../process/server-process.ts";
import type { PeerConfiguration } from "./main.ts";
import { newPeerClients, type PeerSeed, toPeerSeed } from "./seed.ts";

export interface StartedPeer extends ServerProcess {
  readonly port: number;
  readonly seed: PeerSeed;
}

/** Starts oidc-provider in a process of its own. */
export async function startPeer(
  adapter: PeerConfiguration["adapter"],
  databaseUrl: string | undefined,
): Promise<StartedPeer> {
  const directory = mkdtempSync(join(tmpdir(), "doorward-bench-peer-"));
  const port = await freePort();
  const clients = newPeerClients();
  const location = adapter === "postgres" ? (databaseUrl ?? "") : join(directory, "peer.db");
  const configuration: PeerConfiguration = { port, adapter, location, clients };
  const running = await startProcess({
    arguments: [fileURLToPath(new URL("./main.ts", import.meta.url))],
    environment: { BENCH_PEER: JSON.stringify(configuration) },
    ready: `http://127.0.0.1:${port}/bench/ready`,
  });
  return {
    ...running,
    port,
    seed: toPeerSeed(clients),
    stop: async () => {
      await running.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
