import { OAuthError } from "../../../base/oauth-error.ts";
import type { Client } from "../../../domain/application/index.ts";
import type { Parameters } from "../../parameters.ts";
import { requirePlainCode } from "../allowed-response.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/**
 * Checks the S256 code challenge (RFC 7636 §4.3): required of public clients, and of
 * others that are configured so (RFC 9700 §2.1.1), honored for all. No other method is
 * accepted. The challenge protects a code; without one there is nothing to protect.
 */
export function checkCodeChallenge({
  parameters,
  client,
  responseType,
}: Pick<Asked, "parameters" | "client"> & Settled<"responseType">): Settled<"codeChallenge"> {
  return { codeChallenge: responseType === "code" ? readChallenge(parameters, client) : undefined };
}

function readChallenge(parameters: Parameters, client: Client): string | undefined {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) throw new OAuthError("invalid_request", "parameter code_challenge is missing");
    requirePlainCode(client);
    return undefined;
  }
  if (method !== "S256") throw new OAuthError("invalid_request", "code_challenge_method must be S256");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError("invalid_request", "code_challenge must be 43 characters of base64url");
  }
  return challenge;
}
