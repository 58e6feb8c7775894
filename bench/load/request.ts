/** A request, before it is written as bytes. */
export interface RequestParts {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly authorization?: string;
  /** Proof of possession (RFC 9449 §4.1). */
  readonly dpop?: string;
  /** Address that a proxy in front of the server says the client has. */
  readonly from?: string;
  /** What a browser keeps of the server. */
  readonly cookie?: string;
  /** Page from which a browser sends a form. */
  readonly origin?: string;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: object;
}

/** The bytes of a request, as a client library would send them, for the host that the server was configured with. */
export function writeRequest(host: string, parts: RequestParts): string {
  const { method, path, authorization, dpop, from, cookie, origin, form, json } = parts;
  const body = form === undefined ? json && JSON.stringify(json) : new URLSearchParams(form).toString();
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`, "accept: */*", "user-agent: doorward-bench"];
  if (authorization !== undefined) lines.push(`authorization: ${authorization}`);
  if (dpop !== undefined) lines.push(`dpop: ${dpop}`);
  if (from !== undefined) lines.push(`x-forwarded-for: ${from}`);
  if (cookie !== undefined) lines.push(`cookie: ${cookie}`);
  if (origin !== undefined) lines.push(`origin: ${origin}`, "sec-fetch-site: same-origin");
  if (form !== undefined) lines.push("content-type: application/x-www-form-urlencoded");
  if (json !== undefined) lines.push("content-type: application/json");
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Basic credentials, form-encoded as RFC 6749 §2.3.1 asks. */
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`;
