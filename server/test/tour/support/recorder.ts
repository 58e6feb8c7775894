import type { TestServer } from "../../support/servers/server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

/** A request of a browser, and what it was answered. */
export interface Exchange {
  readonly method: string;
  /** Path and query, as they were asked for. */
  readonly address: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A browser that keeps every exchange. */
export class RecordingBrowser extends TestBrowser {
  readonly #server: Pick<TestServer, "origin">;
  readonly #exchanges: Exchange[];
  readonly #more: Readonly<Record<string, string>>;

  /** `more`: headers that come with each of its requests. */
  constructor(server: Pick<TestServer, "origin">, exchanges: Exchange[], more: Readonly<Record<string, string>> = {}) {
    super(server);
    this.#server = server;
    this.#exchanges = exchanges;
    this.#more = more;
  }

  override async send(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#more)) headers.set(name, value);
    const response = await super.send(address, { ...init, headers });
    const url = new URL(address, this.#server.origin);
    this.#exchanges.push({
      method: init.method ?? "GET",
      address: url.pathname + url.search,
      status: response.status,
      headers: response.headers,
      body: await response.clone().text(),
    });
    return response;
  }
}
