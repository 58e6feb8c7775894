import type { Random } from "./random.ts";
import { Secret } from "./secret.ts";

/**
 * Kinds of bearer secrets by prefix. The prefix says which table to ask, so one kind can never be taken for another, and lets secret
 * scanners recognise a token that leaked.
 */
export const tokenPrefix = {
  accessToken: "dwa_",
  refreshToken: "dwr_",
  authorizationCode: "dwc_",
  personalAccessToken: "dwp_",
  sessionToken: "dws_",
  browserSecret: "dwb_",
  operatorToken: "dwo_",
  deviceCode: "dwd_",
  identityIntent: "dwi_",
} as const;

export type TokenKind = keyof typeof tokenPrefix;

// 256 bits: 43 characters of base64url after a prefix of four.
const form = /^dw[a-z]_[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits. */
export function generateToken(kind: TokenKind, random: Random): Secret {
  return new Secret(tokenPrefix[kind] + random(32).toString("base64url"));
}

/** The kind that a text could be a token of; undefined for every text of another form. */
export function tokenKindOf(text: string): TokenKind | undefined {
  if (!form.test(text)) return undefined;
  const prefix = text.slice(0, 4);
  return kinds.find((kind) => tokenPrefix[kind] === prefix);
}

const kinds = Object.keys(tokenPrefix) as TokenKind[];
