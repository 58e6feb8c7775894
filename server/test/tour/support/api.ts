import { fetch } from "../../support/http/fetch.ts";
import type { TestServer } from "../../support/servers/server.ts";
import type { Exchange } from "./recorder.ts";

/** What a call of the API was answered, and the exchange that it was. */
export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  readonly body: any;
  readonly exchange: Exchange;
}

export interface ApiCall {
  readonly body?: unknown;
  /** Bearer token; the owner's when not given; `null` for none. */
  readonly token?: string | null;
}

/** A program that uses the API and keeps every exchange. */
export class RecordingApi {
  readonly #server: Pick<TestServer, "origin" | "ownerToken">;
  readonly #exchanges: Exchange[];
  readonly #more: Readonly<Record<string, string>>;

  /** `more`: headers that come with each of its requests. */
  constructor(
    server: Pick<TestServer, "origin" | "ownerToken">,
    exchanges: Exchange[],
    more: Readonly<Record<string, string>> = {},
  ) {
    this.#server = server;
    this.#exchanges = exchanges;
    this.#more = more;
  }

  /** Calls a REST route; a body that is a text is sent as it is. */
  async rest(method: string, address: string, given: ApiCall = {}): Promise<ApiAnswer> {
    const { body, token = this.#server.ownerToken } = given;
    const headers = new Headers(this.#more);
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    if (body !== undefined) headers.set("content-type", "application/json");
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(this.#server.origin + address, {
      method,
      headers,
      redirect: "manual",
      ...(body !== undefined && { body: sent }),
    });
    const text = await answer.text();
    const exchange = { method, address, status: answer.status, headers: answer.headers, body: text };
    this.#exchanges.push(exchange);
    return { status: answer.status, body: text === "" ? {} : JSON.parse(text), exchange };
  }

  /** Calls a Connect method. */
  connect(method: string, given: ApiCall): Promise<ApiAnswer> {
    return this.rest("POST", `/${method}`, given);
  }
}

/** Returns what makes an API answer unsafe to open in a browser; empty when nothing does. */
export function demandInert({ method, address, status, headers }: Exchange): string[] {
  const faults: string[] = [];
  const demand = (isGood: boolean, what: string): void => {
    if (!isGood) faults.push(`${method} ${address.split("?", 1)[0]} ${status}: ${what}`);
  };
  demand(status < 500, "a failure of the server");
  const type = headers.get("content-type");
  // A request that is not HTTP is refused before its path is known.
  const isPlain = status === 400 && type === "text/plain; charset=utf-8";
  demand(isPlain || type?.split(";", 1)[0] === "application/json", `is ${type}`);
  demand(headers.get("x-content-type-options") === "nosniff", "may be sniffed");
  demand(headers.get("cache-control")?.includes("no-store") === true, `kept: ${headers.get("cache-control")}`);
  demand(headers.get("location") === null, "leads somewhere");
  demand(headers.getSetCookie().length === 0, "sets a cookie");
  return faults;
}
