import type { IssuedTokens } from "../domain/token/index.ts";

/** Where an id token comes from: its family, and the access token that was issued together with it. */
export interface IdTokenReference {
  readonly familyId: string;
  /** Undefined for an id token that was issued alone. */
  readonly accessToken: { readonly tokenId: string; readonly format: "opaque" | "jwt" } | undefined;
}

/**
 * Returns the `jti` of an id token. It leads to the rows that decide whether the id token still stands for anything,
 * and is opaque to clients.
 */
export const formatIdTokenReference = ({
  family,
  format,
  tokenId,
}: Pick<IssuedTokens, "family" | "format" | "tokenId">): string => `${format}.${family.familyId}.${tokenId}`;

/** Returns where an id token comes from; undefined for a `jti` of another form, or none: that of an older version. */
export function parseIdTokenReference(jti: unknown): IdTokenReference | undefined {
  const [, format, familyId, tokenId] =
    typeof jti === "string" ? (/^(opaque|jwt|none)\.([\w-]+)\.([\w-]+)$/.exec(jti) ?? []) : [];
  if (familyId === undefined || tokenId === undefined) return undefined;
  if (format === "opaque" || format === "jwt") return { familyId, accessToken: { tokenId, format } };
  return { familyId, accessToken: undefined };
}
