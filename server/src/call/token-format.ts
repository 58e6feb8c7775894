import type { Random } from "../base/random.ts";
import { Secret } from "../base/secret.ts";

/**
 * Kinds of bearer secrets by prefix. The prefix selects the table, so no kind can be mistaken for another, and lets
 * secret scanners recognize a leaked token.
 */
const tokenPrefix = {
  accessToken: "dwa_",
  refreshToken: "dwr_",
  authorizationCode: "dwc_",
  personalAccessToken: "dwp_",
  sessionToken: "dws_",
  browserSecret: "dwb_",
  operatorToken: "dwo_",
  deviceCode: "dwd_",
  identityIntent: "dwi_",
  setupLink: "dwl_",
  setupSession: "dwu_",
} as const;

export type TokenKind = keyof typeof tokenPrefix;

// 256 bits: 43 characters of base64url after a prefix of four.
const form = /^dw[a-z]_[A-Za-z0-9_-]{43}$/;

/** Generates a token of 256 random bits. */
export function generateToken(kind: TokenKind, random: Random): Secret {
  return new Secret(tokenPrefix[kind] + random(32).toString("base64url"));
}

/** Returns the kind of token that a text could be; undefined for any other form. */
export function tokenKindOf(text: string): TokenKind | undefined {
  if (!form.test(text)) return undefined;
  const prefix = text.slice(0, 4);
  return kinds.find((kind) => tokenPrefix[kind] === prefix);
}

const kinds = Object.keys(tokenPrefix) as TokenKind[];
