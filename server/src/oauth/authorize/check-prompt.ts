import { OAuthError } from "../../base/oauth-error.ts";
import type { Parameters } from "../parameters.ts";

const prompts = ["none", "login", "select_account", "create", "consent"] as const;
export type Prompt = (typeof prompts)[number];

/** Checks the values of `prompt` (OpenID Connect Core §3.1.2.1): only known ones, and `none` only alone. */
export function checkPrompt(parameters: Parameters): ReadonlySet<Prompt> {
  const words = (parameters.get("prompt") ?? "").split(" ").filter((word) => word !== "");
  const known = prompts.filter((prompt) => words.includes(prompt));
  if (words.some((word) => !(prompts as readonly string[]).includes(word))) {
    throw new OAuthError("invalid_request", "prompt has a value that is not supported");
  }
  if (known.includes("none") && known.length > 1)
    throw new OAuthError("invalid_request", "prompt none must stand alone");
  return new Set(known);
}

/** Checks `max_age`, in seconds (OpenID Connect Core §3.1.2.1). */
export function checkMaxAge(parameters: Parameters): number | undefined {
  const maxAge = parameters.get("max_age");
  if (maxAge === undefined) return undefined;
  if (!/^\d{1,10}$/.test(maxAge)) throw new OAuthError("invalid_request", "max_age must be a number of seconds");
  return Number(maxAge);
}
