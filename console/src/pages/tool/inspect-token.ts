/** What a JWT says about itself. Its signature is not verified. */
export interface InspectedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly issuer: string;
  readonly subject: string;
  readonly audience: readonly string[];
  readonly issuedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

/** Reads a JWT (RFC 7519); undefined for any other text, such as an opaque token. */
export function inspectToken(text: string): InspectedToken | undefined {
  const parts = text.split(".");
  const [header, claims] = parts.slice(0, 2).map(readPart);
  if (parts.length !== 3 || header === undefined || claims === undefined) return undefined;
  return {
    header,
    claims,
    issuer: textOf(claims["iss"]),
    subject: textOf(claims["sub"]),
    audience: [claims["aud"] ?? []].flat().map(textOf),
    issuedAt: instantOf(claims["iat"]),
    expiresAt: instantOf(claims["exp"]),
  };
}

function readPart(part: string): Record<string, unknown> | undefined {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
const instantOf = (value: unknown): Date | undefined =>
  typeof value === "number" && Number.isFinite(value) ? new Date(value * 1000) : undefined;
