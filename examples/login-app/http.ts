import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Html, html } from "./html.ts";
import { createSealer, type Jar } from "./jar.ts";
import { page } from "./page.ts";

/** A request with what its browser keeps. Handlers change the jar; it goes back with the answer. */
export interface Visit {
  readonly jar: Jar;
  readonly query: URLSearchParams;
  /** Fields of the form; empty for GET. */
  readonly form: URLSearchParams;
  readonly userAgent: string;
  /** Behind a proxy, what that proxy says instead: the server counts guesses by it. */
  readonly address: string;
}

export type Answer =
  | { readonly redirect: string }
  | { readonly page: Html; readonly status?: number; readonly hasScript?: boolean }
  | { readonly file: string | Buffer; readonly type: string };

export type Handler = (visit: Visit) => Answer | Promise<Answer>;

/** Something that the user can only start over: shown on a page. */
export class Dead extends Error {
  override readonly name = "Dead";
}

export interface Site {
  readonly origin: string;
  /** 32 bytes that seal the cookies. */
  readonly key: Buffer;
  /** By method and path: `GET /login`. */
  readonly routes: Readonly<Record<string, Handler>>;
}

const longestForm = 16_000;

/** Serves pages and takes forms. */
export function createSite({ origin, key, routes }: Site): Server {
  const isSecure = origin.startsWith("https:");
  // No other host and no other path can set or read a cookie of this name; browsers keep one only over TLS.
  const name = isSecure ? "__Host-login" : "login";
  const { seal, open } = createSealer(key);
  const answerRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const url = new URL(request.url ?? "/", origin);
      const handler = routes[`${request.method} ${url.pathname}`];
      if (handler === undefined) throw new Dead("There is no such page.");
      const jar = open(readCookie(request, name));
      const form = request.method === "POST" ? await readForm(request, jar) : new URLSearchParams();
      const { "user-agent": userAgent = "" } = request.headers;
      const address = request.socket.remoteAddress ?? "";
      const visit = { jar, form, query: url.searchParams, userAgent, address };
      const answer = await handler(visit);
      if (!("file" in answer)) {
        const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000${isSecure ? "; Secure" : ""}`;
        response.setHeader("set-cookie", `${name}=${seal(jar)}; ${attributes}`);
      }
      write(response, answer, isSecure);
    } catch (error) {
      const isDead = error instanceof Dead;
      if (!isDead) console.error(error);
      const sentence = isDead ? error.message : "Something went wrong here. Please try again in a moment.";
      const body = html`<div role="alert">${sentence}</div><p>Go back to the application and sign in from there.</p>`;
      write(response, { page: page("That did not work", body), status: isDead ? 400 : 502 }, isSecure);
    }
  };
  return createServer((request, response) => void answerRequest(request, response));
}

const readCookie = (request: IncomingMessage, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? "")?.[1] ?? "";

/** The fields of a form that one of our own pages sent. */
async function readForm(request: IncomingMessage, jar: Jar): Promise<URLSearchParams> {
  const { "sec-fetch-site": site = "same-origin", "content-type": type = "" } = request.headers;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestForm) throw new Dead("That is more than the form can hold.");
    chunks.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  const isOurs = type.startsWith("application/x-www-form-urlencoded") && site === "same-origin";
  if (!isOurs || !isEqual(form.get("csrf") ?? "", jar.csrf)) throw new Dead("This form is too old, or not ours.");
  return form;
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function write(response: ServerResponse, answer: Answer, isSecure: boolean): void {
  if (isSecure) response.setHeader("strict-transport-security", "max-age=63072000");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  if ("file" in answer) {
    response.writeHead(200, { "content-type": answer.type, "cache-control": "max-age=3600" }).end(answer.file);
    return;
  }
  response.setHeader("cache-control", "no-store");
  if ("redirect" in answer) {
    response.writeHead(303, { location: answer.redirect }).end();
    return;
  }
  // No form-action: Chromium applies it to every redirect after a form, and so would block the way back to the
  // application.
  const script = answer.hasScript === true ? "; script-src 'self'" : "";
  const policy = `default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'${script}`;
  response.setHeader("content-security-policy", policy);
  response.writeHead(answer.status ?? 200, { "content-type": "text/html; charset=utf-8" }).end(answer.page.text);
}
