/**
 * How the parameters of an authorization response are transported (OAuth 2.0 Multiple Response Types §2.1, OAuth 2.0
 * Form Post Response Mode).
 */
export const responseModes = ["query", "fragment", "form_post"] as const;
export type ResponseMode = (typeof responseModes)[number];

/** The parameters that determine the mode, as the client sent them: a refused request needs a response mode, too. */
export interface ModeRequest {
  readonly requested: string | undefined;
  readonly responseType: string | undefined;
  readonly redirectUri: string;
}

/**
 * Returns the mode of a response: the requested one when it is possible, otherwise the default of the response type.
 * Unknown values are ignored. So are `query` for tokens, which would appear in logs (Multiple Response Types §5), and
 * `form_post` to an address that cannot receive forms.
 */
export function chooseResponseMode({ requested, responseType, redirectUri }: ModeRequest): ResponseMode {
  const words = (responseType ?? "").split(" ");
  const hasTokens = words.includes("token") || words.includes("id_token");
  const byDefault = hasTokens ? "fragment" : "query";
  const mode = responseModes.find((known) => known === requested) ?? byDefault;
  if (mode === "query" && hasTokens) return byDefault;
  return mode === "form_post" && !/^https?:/i.test(redirectUri) ? byDefault : mode;
}
