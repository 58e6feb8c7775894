import { OAuthError } from "../../../base/oauth-error.ts";
import type { Asked } from "../asked.ts";
import { longestUiLocales } from "../read-ui-locales.ts";

const longest = {
  state: 4_096,
  nonce: 1_024,
  login_hint: 512,
  ui_locales: longestUiLocales,
  id_token_hint: 16_384,
  claims: 8_192,
} as const;

/** Refuses values that would be stored, and are longer than any client needs. */
export function checkLengths({ parameters }: Pick<Asked, "parameters">): void {
  for (const [name, maximum] of Object.entries(longest)) {
    const length = parameters.get(name)?.length ?? 0;
    if (length > maximum) throw new OAuthError("invalid_request", `parameter ${name} is too long`);
  }
}
