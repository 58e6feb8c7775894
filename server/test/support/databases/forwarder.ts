import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Stands between a program and a PostgreSQL server, and fails as networks do. */
export interface Forwarder {
  /** Of the same database, through the forwarder. */
  readonly url: string;
  /** Cuts a connection as soon as it has sent this word to the server; the server gets it, the answer is lost. */
  cutAfterSending(word: string): void;
  /** Keeps connections open, takes new ones, and passes nothing on. */
  swallow(): void;
  /** Works again, for connections made from now on. */
  restore(): void;
}

/** Starts one on 127.0.0.1; it ends with the test. */
export async function startForwarder(t: TestContext, target: string): Promise<Forwarder> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  let state: "passing" | "swallowing" = "passing";
  let word: string | undefined;

  const server = createServer((from) => {
    const to = connectTo(url);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.on("data", (chunk) => {
      if (state === "swallowing") return;
      if (word === undefined || !chunk.includes(word)) {
        to.write(chunk);
        return;
      }
      // Nothing comes back, and the way there stays open until the server surely has it.
      to.removeAllListeners("data");
      to.write(chunk, () => setTimeout(() => from.destroy(), 100));
    });
    to.on("data", (chunk) => state === "passing" && from.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const own = new URL(target);
  own.searchParams.delete("host");
  own.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  own.searchParams.set("application_name", "forwarded");
  return {
    url: own.href,
    cutAfterSending(each) {
      word = each;
    },
    swallow() {
      state = "swallowing";
    },
    restore() {
      state = "passing";
      word = undefined;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function connectTo(url: URL): Socket {
  const host = url.searchParams.get("host") ?? url.hostname;
  const port = Number(url.port || 5432);
  return host.startsWith("/") ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
}
