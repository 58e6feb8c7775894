import { connect, type Socket } from "node:net";

/** What came back: enough to check it and to continue. */
export interface Answer {
  readonly status: number;
  /** Status line and headers as they came. */
  readonly head: string;
  readonly body: string;
}

const endOfHead = Buffer.from("\r\n\r\n");

/**
 * One HTTP/1.1 connection that is kept: a request leaves when the answer to the one before has come. Reads only as much
 * HTTP as the servers of this bench speak (a length or chunks), because the client shares the machine with them.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the server closed the connection")));
  }

  /** Sends the bytes of a whole request. */
  send(request: Buffer | string): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting = { resolve, reject };
    this.#socket.write(request);
    return promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const answer = readAnswer(this.#received);
    if (answer === undefined) return;
    this.#received = Buffer.alloc(0);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** The answer in these bytes, if all of it has come. */
function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf(endOfHead);
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const start = end + endOfHead.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const stop = start + Number(length);
    return bytes.length < stop ? undefined : { status, head, body: bytes.toString("utf8", start, stop) };
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const rest = bytes.toString("utf8", start);
    return rest.endsWith("0\r\n\r\n") ? { status, head, body: joinChunks(rest) } : undefined;
  }
  return { status, head, body: "" };
}

function joinChunks(text: string): string {
  let body = "";
  for (let rest = text; ; ) {
    const line = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.slice(0, line), 16);
    if (!(size > 0)) return body;
    body += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 2 + size + 2);
  }
}
