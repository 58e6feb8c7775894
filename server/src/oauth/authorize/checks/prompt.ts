import { OAuthError } from "../../../base/oauth-error.ts";
import type { Asked } from "../asked.ts";
import { prompts, type Settled } from "../authorization-request.ts";

/**
 * Checks the values of `prompt` (OpenID Connect Core §3.1.2.1): `none` stands alone. Unknown values are ignored,
 * because clients send some that other providers define.
 */
export function checkPrompt({ parameters }: Pick<Asked, "parameters">): Settled<"prompt"> {
  const words = (parameters.get("prompt") ?? "").split(" ").filter((word) => word !== "");
  const known = prompts.filter((prompt) => words.includes(prompt));
  if (known.includes("none") && words.some((word) => word !== "none"))
    throw new OAuthError("invalid_request", "prompt none must stand alone");
  return { prompt: new Set(known) };
}
