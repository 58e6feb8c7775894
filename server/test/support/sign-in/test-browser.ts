import assert from "node:assert/strict";
import { fetch } from "../http/fetch.ts";
import type { TestServer } from "../servers/server.ts";

/** A page as a browser got it. */
export interface ShownPage {
  readonly status: number;
  /** Path and query where it came from, after redirects. */
  readonly address: string;
  readonly headers: Headers;
  readonly html: string;
  /** Text of the alert, without markup. */
  readonly alert: string | undefined;
  readonly title: string;
  readonly forms: readonly ShownForm[];
}

export interface ShownForm {
  readonly action: string;
  /** Values that the page wrote into it. */
  readonly values: readonly (readonly [string, string])[];
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The user's side of a browser: cookies, forms and redirects, without script. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  /** Addresses of the redirects of the last step. */
  redirects: string[] = [];

  constructor(server: Pick<TestServer, "origin">) {
    this.#origin = server.origin;
  }

  /** A second browser with the same cookies as they are now. */
  copy(): TestBrowser {
    const copy = new TestBrowser({ origin: this.#origin });
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  /** Opens an address and follows redirects on this site; a redirect that leads away is the page that is returned. */
  open(address: string, headers: Readonly<Record<string, string>> = {}): Promise<ShownPage> {
    this.redirects = [];
    return this.#follow(address, { headers });
  }

  /**
   * Sends the form of a page: the one with `action` in its action, or the first. The destination has to fit the policy
   * of the page, as in Chromium.
   */
  async submit(
    page: ShownPage,
    fields: Fields = {},
    { action = "", headers = {} }: SubmitOptions = {},
  ): Promise<ShownPage> {
    const form = page.forms.find((one) => one.action.includes(action));
    assert.ok(form, `no form ${action} at ${page.address}: ${page.html}`);
    this.redirects = [];
    const end = await this.#follow(form.action, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: this.#origin,
        "sec-fetch-site": "same-origin",
        ...headers,
      },
      body: encodeForm(form, fields),
    });
    const isHeldHere = page.headers.get("content-security-policy")?.includes("form-action 'self'") === true;
    const isAway = new URL(end.address, this.#origin).origin !== this.#origin;
    assert.ok(!isHeldHere || !isAway, `the policy of ${page.address} keeps a browser from going to ${end.address}`);
    return end;
  }

  /**
   * Posts a form of a page of another site, as a browser does: without the cookies of this one, which are `Lax`, unless
   * they are those of a partner that makes them otherwise.
   */
  async postFrom(
    origin: string,
    address: string,
    fields: Readonly<Record<string, string>>,
    { hasCookies = false }: { readonly hasCookies?: boolean } = {},
  ): Promise<ShownPage> {
    this.redirects = [];
    return this.#follow(address, {
      method: "POST",
      credentials: hasCookies ? "include" : "omit",
      headers: { "content-type": "application/x-www-form-urlencoded", origin, "sec-fetch-site": "cross-site" },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** One request without following, as it goes over the wire. */
  async send(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0 && init.credentials !== "omit") {
      headers.set("cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const response = await fetch(new URL(address, this.#origin), { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      const separator = pair.indexOf("=");
      this.cookies.set(pair.slice(0, separator), pair.slice(separator + 1));
    }
    return response;
  }

  async #follow(address: string, init: RequestInit): Promise<ShownPage> {
    let current = address;
    let response = await this.send(current, init);
    for (let hop = 0; response.status >= 300 && response.status < 400 && hop < 10; hop++) {
      const location = response.headers.get("location") ?? "";
      this.redirects.push(location);
      await response.arrayBuffer();
      const url = new URL(location, this.#origin);
      if (url.origin !== this.#origin) return toPage(location, response, "");
      current = url.pathname + url.search;
      response = await this.send(current);
    }
    return toPage(current, response, await response.text());
  }
}

export interface SubmitOptions {
  readonly action?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function encodeForm(form: ShownForm, fields: Fields): string {
  const body = new URLSearchParams();
  for (const [name, value] of form.values) if (!(name in fields)) body.append(name, value);
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === "string" ? [value] : value) body.append(name, one);
  }
  return body.toString();
}

function toPage(address: string, response: Response, html: string): ShownPage {
  const alert = /<div[^>]*role="alert"[^>]*>([\s\S]*?)<\/div>/.exec(html)?.[1];
  return {
    status: response.status,
    address,
    headers: response.headers,
    html,
    alert: alert && decode(alert.replace(/<[^>]*>/g, "")).trim(),
    title: decode(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? ""),
    forms: [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
      ([, action = "", body = ""]) => ({
        action: decode(action),
        values: [...body.matchAll(/<input([^>]*)>/g)].flatMap(([, attributes = ""]) => {
          const name = attribute(attributes, "name");
          const isUnticked = attributes.includes('type="checkbox"') && !/\schecked/.test(attributes);
          return name === undefined || isUnticked ? [] : [[name, attribute(attributes, "value") ?? ""] as const];
        }),
      }),
    ),
  };
}

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : decode(value);
}

const decode = (text: string): string =>
  text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");
