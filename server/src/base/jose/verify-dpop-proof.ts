import { hash } from "node:crypto";
import { Fault } from "../fault.ts";
import type { SignatureAlgorithm } from "./algorithm.ts";
import { parseSelfSignedJws } from "./compact.ts";
import { jwkThumbprint } from "./jwk.ts";
import { importPublicKey, type PublicKey } from "./public-key.ts";
import { JwtRefused } from "./refusal.ts";
import { chooseAlgorithm, verifySignature } from "./verify-signature.ts";

/** Requirements of a proof (RFC 9449 §4.3). */
export interface DpopProofRules {
  readonly algorithms: readonly SignatureAlgorithm[];
  /** HTTP method of the request, in upper case. */
  readonly method: string;
  /** Address of the request as its sender knows it, without query and fragment. */
  readonly url: string;
  /** The access token that is presented with the proof, if any. */
  readonly accessToken: string | undefined;
}

/** A proof that was made with its key, for this request. The caller checks its freshness and first use. */
export interface VerifiedDpopProof {
  /** SHA-256 thumbprint of the key (RFC 7638), `jkt` of RFC 9449 §6.1. */
  readonly thumbprint: string;
  readonly algorithm: SignatureAlgorithm;
  /** Identifies this proof to refuse a second use: the hash of its `jti`. */
  readonly replayKey: string;
  /** `iat`, milliseconds. */
  readonly issuedAt: number;
  readonly nonce: string | undefined;
}

const longestText = 2_048;
// 9999-12-31T23:59:59Z
const lastNumericDate = 253_402_300_799;

/** Verifies that the sender of the request has the key of the proof. Throws JwtRefused. */
export async function verifyDpopProof(proof: string, rules: DpopProofRules): Promise<VerifiedDpopProof> {
  const jws = parseSelfSignedJws(proof);
  if (jws.type !== "dpop+jwt") throw new JwtRefused("type");
  const key = readKey(jws.jwk);
  const algorithm = chooseAlgorithm(jws.algorithm, rules.algorithms, key.algorithms);
  await verifySignature(jws, key, algorithm);
  const { claims } = jws;
  if (readText(claims, "htm") !== rules.method) throw new JwtRefused("audience");
  if (!isSameAddress(readText(claims, "htu"), rules.url)) throw new JwtRefused("audience");
  const accessTokenHash = Object.hasOwn(claims, "ath") ? readText(claims, "ath") : undefined;
  if (rules.accessToken !== undefined && accessTokenHash !== hash("sha256", rules.accessToken, "base64url")) {
    throw new JwtRefused("subject");
  }
  return {
    thumbprint: jwkThumbprint(key.key),
    algorithm,
    replayKey: hash("sha256", readText(claims, "jti"), "base64url"),
    issuedAt: readIssuedAt(claims),
    nonce: Object.hasOwn(claims, "nonce") ? readText(claims, "nonce") : undefined,
  };
}

function readKey(jwk: Readonly<Record<string, unknown>>): PublicKey {
  try {
    return importPublicKey(jwk);
  } catch (error) {
    if (error instanceof Fault) throw new JwtRefused("key_unknown", { cause: error });
    throw error;
  }
}

function readText(claims: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof value !== "string" || value === "" || value.length > longestText) {
    throw new JwtRefused(name === "jti" ? "token_id_missing" : "payload_malformed");
  }
  return value;
}

function readIssuedAt(claims: Readonly<Record<string, unknown>>): number {
  const value = Object.hasOwn(claims, "iat") ? claims["iat"] : undefined;
  if (value === undefined) throw new JwtRefused("issued_at_missing");
  if (typeof value !== "number" || !(value >= 0 && value <= lastNumericDate)) throw new JwtRefused("payload_malformed");
  return value * 1000;
}

// RFC 9449 §4.3 point 9: compared after normalization (RFC 3986 §6.2.2, §6.2.3), which URL performs, without query and
// fragment.
function isSameAddress(claimed: string, url: string): boolean {
  if (!URL.canParse(claimed)) return false;
  const parsed = new URL(claimed);
  parsed.search = "";
  parsed.hash = "";
  return parsed.href === new URL(url).href;
}
