import { Fault } from "../../base/fault.ts";
import { importPublicKey } from "../../base/jose/index.ts";
import { isRecord } from "../../base/json.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { parseTarget } from "../../base/outbound/index.ts";
import type { OidcConfiguration } from "../../domain/oidc-configuration/index.ts";
import { type Members, optionalText } from "./members.ts";

const mostKeys = 20;

/** Reads the keys of a client (RFC 7591 §2): a document, or its address, never both. Skips keys for other uses. */
export function readKeys(members: Members): Pick<OidcConfiguration, "jwks" | "jwksUri"> {
  const { jwks } = members;
  const jwksUri = optionalText(members, "jwks_uri") ?? "";
  if (jwks !== undefined && jwksUri !== "") throw invalid("jwks and jwks_uri must not both be given");
  if (jwksUri !== "" && parseTarget(jwksUri) === undefined) throw invalid("jwks_uri is not a web address");
  return { jwks: jwks === undefined ? [] : readDocument(jwks), jwksUri };
}

function readDocument(document: unknown): Readonly<Record<string, unknown>>[] {
  const keys = isRecord(document) ? document["keys"] : undefined;
  if (!Array.isArray(keys) || !keys.every(isRecord)) throw invalid("jwks is not a key set");
  if (keys.length > mostKeys) throw invalid(`jwks has more than ${mostKeys} keys`);
  const usable = keys.filter(isForSignatures);
  if (usable.length === 0) throw invalid("jwks has no key for signatures");
  return usable;
}

function isForSignatures(key: Readonly<Record<string, unknown>>): boolean {
  try {
    importPublicKey(key, "jwks");
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.id === "public_key.not_for_signatures") return false;
    throw invalid(reasons[error.id] ?? "a key of jwks cannot be used");
  }
}

const reasons: Readonly<Record<string, string>> = {
  "public_key.private": "jwks has a private or a symmetric key",
  "public_key.weak": "a key of jwks is too weak",
  "public_key.unsupported": "a key of jwks is of a kind that is not supported",
};

const invalid = (description: string): OAuthError => new OAuthError("invalid_client_metadata", description);
