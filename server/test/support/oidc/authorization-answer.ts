import assert from "node:assert/strict";

/** An answer of the authorization endpoint, as a browser would take it to the client. */
export interface AuthorizationAnswer {
  readonly mode: "query" | "fragment" | "form_post";
  /** Where it goes, without what it carries. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Reads the answer from a response to the browser: an address, or a page with a form. Undefined for everything that
 * stays with us.
 */
export async function readAnswer(response: Response): Promise<AuthorizationAnswer | undefined> {
  const location = response.headers.get("location");
  if (location !== null) return location.startsWith("/") ? undefined : readAnswerUrl(location);
  const form = /<form method="post" action="([^"]*)">([\s\S]*?)<\/form>\s*<script>/.exec(await response.text());
  if (form === null) return undefined;
  const [, action = "", inputs = ""] = form;
  const pairs = [...inputs.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = "", value = ""]) => [name, unescapeHtml(value)] as const,
  );
  return { mode: "form_post", target: unescapeHtml(action), parameters: Object.fromEntries(pairs) };
}

/** Reads the answer that an address carries. */
export function readAnswerUrl(address: string): AuthorizationAnswer {
  const url = new URL(address);
  const mode = url.hash === "" ? "query" : "fragment";
  const pairs = [...(mode === "query" ? url.searchParams : new URLSearchParams(url.hash.slice(1)))];
  assert.equal(new Set(pairs.map(([name]) => name)).size, pairs.length, `a parameter twice: ${address}`);
  return { mode, target: `${url.origin}${url.pathname}`, parameters: Object.fromEntries(pairs) };
}

const unescapeHtml = (text: string): string =>
  text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");
