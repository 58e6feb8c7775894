import { Agent, type IncomingMessage, request } from "node:http";

const agent = new Agent({ keepAlive: true });

// What the `fetch` of Node.js sends, but for compression.
const usualHeaders = { accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors", "user-agent": "node" };

/**
 * What tests need of `fetch`, for a third of its processor time, which is a good part of what a test takes. A redirect
 * is followed on the same server, unless `redirect: "manual"` is said. The whole body has been read when the answer is
 * there, so an unread one holds no connection.
 */
export async function fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(address);
  const answer = await exchangeAgain(url, await read(init));
  const location = answer.headers.get("location");
  if (location === null || init.redirect === "manual" || ![301, 302, 303].includes(answer.status)) return answer;
  const next = new URL(location, url);
  if (next.origin !== url.origin) throw new Error(`a test does not follow a redirect to ${next.origin}`);
  return fetch(next, init.headers === undefined ? {} : { headers: init.headers });
}

// A server closes idle connections, maybe at the moment in which one is used again, and those of requests that it
// refuses before it has read all of them: the `fetch` of Node.js still reads the answer then.
async function exchangeAgain(url: URL, sent: Sent): Promise<Response> {
  try {
    return await exchange(url, sent);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ECONNRESET" && code !== "EPIPE") throw new TypeError("fetch failed", { cause: error });
    const { method, headers, body, signal } = sent;
    const { "content-length": _, ...others } = headers;
    return globalThis.fetch(url, {
      method,
      headers: others,
      body: body ?? null,
      signal: signal ?? null,
      redirect: "manual",
    });
  }
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal | undefined;
}

async function read({ method = "GET", headers: given, body, signal }: RequestInit): Promise<Sent> {
  const headers = { ...usualHeaders, ...Object.fromEntries(new Headers(given)) };
  const common = { method, signal: signal ?? undefined };
  if (body === undefined || body === null) {
    const isBodyUsual = method !== "GET" && method !== "HEAD";
    return { ...common, headers: isBodyUsual ? { ...headers, "content-length": "0" } : headers, body: undefined };
  }
  const content = typeof body === "string" ? body : new Response(body);
  const type = typeof content === "string" ? "text/plain;charset=UTF-8" : content.headers.get("content-type");
  const bytes = typeof content === "string" ? content : new Uint8Array(await content.arrayBuffer());
  const length = { "content-length": String(Buffer.byteLength(bytes)) };
  return { ...common, headers: { ...(type !== null && { "content-type": type }), ...headers, ...length }, body: bytes };
}

function exchange(url: URL, { method, headers, body, signal }: Sent): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = request(url, { method, agent, headers, ...(signal && { signal }) });
  outgoing.on("error", reject);
  outgoing.on("response", (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", reject);
    incoming.on("end", () => resolve(toResponse(incoming, chunks)));
  });
  outgoing.end(body);
  return promise;
}

function toResponse({ statusCode = 0, rawHeaders }: IncomingMessage, chunks: readonly Buffer[]): Response {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  const isWithoutBody = statusCode === 204 || statusCode === 205 || statusCode === 304;
  return new Response(isWithoutBody ? null : Buffer.concat(chunks), { status: statusCode, headers });
}
