import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Values by name in lower case; several lines of one name are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** Lines in the order of sending; `host` and `content-length` are added unless they are here or the value is null. */
  readonly headers?: readonly (readonly [name: string, value: string | null])[];
  readonly body?: string | Buffer;
}

/** Returns the bytes of a request that HTTP client libraries would refuse to write. */
export function rawRequest({ method = "GET", path = "/", headers = [], body }: RawRequest): Buffer {
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  const bytes = typeof body === "string" ? Buffer.from(body) : (body ?? Buffer.alloc(0));
  const lines = [
    ...(has("host") ? [] : [["host", "localhost"] as const]),
    ...headers.filter(([, value]) => value !== null),
    ...(body === undefined || has("content-length") || has("transfer-encoding")
      ? []
      : [["content-length", String(bytes.length)] as const]),
  ];
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), bytes]);
}

/** A connection on which anything can be sent. */
export class RawConnection {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.setNoDelay(true);
    return new RawConnection(socket);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Everything received that was not read as an answer. */
  get rest(): string {
    return this.#received.toString("latin1");
  }

  send(bytes: string | Buffer): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** The next answer; undefined when the connection was closed without one. Fails when neither happens in time. */
  async answer({ method = "GET", patience = 10_000 } = {}): Promise<RawAnswer | undefined> {
    const end = performance.now() + patience;
    for (;;) {
      const answer = this.#take(method);
      if (answer !== undefined) return answer;
      if (this.#isClosed) return undefined;
      await this.#change(end);
    }
  }

  /** Resolves when the other side has closed; fails when it does not in time. */
  async closed(patience = 10_000): Promise<void> {
    const end = performance.now() + patience;
    while (!this.#isClosed) await this.#change(end);
  }

  close(): void {
    this.socket.destroy();
  }

  #change(end: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error("nothing happened in time")),
        Math.max(0, end - performance.now()),
      );
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(method: string): RawAnswer | undefined {
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) return undefined;
    const [statusLine = "", ...lines] = this.#received.toString("latin1", 0, headEnd).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      const before = headers.get(name);
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    const found = this.#body(headEnd + 4, { status, headers, method });
    if (found === undefined) return undefined;
    this.#received = this.#received.subarray(found.end);
    return status === 100 ? this.#take(method) : { status, headers, body: found.body.toString("utf8") };
  }

  #body(
    start: number,
    { status, headers, method }: { status: number; headers: ReadonlyMap<string, string>; method: string },
  ): { body: Buffer; end: number } | undefined {
    const bytes = this.#received;
    if (status < 200 || status === 204 || status === 304 || method === "HEAD")
      return { body: Buffer.alloc(0), end: start };
    if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes, start);
    const length = headers.get("content-length");
    if (length === undefined) return this.#isClosed ? { body: bytes.subarray(start), end: bytes.length } : undefined;
    const end = start + Number(length);
    return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
  }
}

function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let from = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", from);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", from, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(bytes.subarray(lineEnd + 2, end - 2));
    from = end;
  }
}

/** Sends one request on a connection of its own; undefined when it was closed without an answer. */
export async function exchange(port: number, request: RawRequest | Buffer): Promise<RawAnswer | undefined> {
  const connection = await RawConnection.open(port);
  try {
    connection.send(Buffer.isBuffer(request) ? request : rawRequest(request));
    return await connection.answer({ method: Buffer.isBuffer(request) ? "GET" : (request.method ?? "GET") });
  } finally {
    connection.close();
  }
}
