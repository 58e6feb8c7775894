import { OAuthError } from "../../../base/oauth-error.ts";
import type { Asked } from "../asked.ts";
import { prompts, type Settled } from "../authorization-request.ts";

/** Checks the values of `prompt` (OpenID Connect Core §3.1.2.1): only known ones, and `none` only alone. */
export function checkPrompt({ parameters }: Pick<Asked, "parameters">): Settled<"prompt"> {
  const words = (parameters.get("prompt") ?? "").split(" ").filter((word) => word !== "");
  const known = prompts.filter((prompt) => words.includes(prompt));
  if (words.some((word) => !(prompts as readonly string[]).includes(word))) {
    throw new OAuthError("invalid_request", "prompt has a value that is not supported");
  }
  if (known.includes("none") && known.length > 1)
    throw new OAuthError("invalid_request", "prompt none must stand alone");
  return { prompt: new Set(known) };
}
