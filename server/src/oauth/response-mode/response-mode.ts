/** How the parameters of an authorization response travel (OAuth 2.0 Multiple Response Types §2.1, OAuth 2.0 Form Post Response Mode). */
export const responseModes = ["query", "fragment", "form_post"] as const;
export type ResponseMode = (typeof responseModes)[number];

/** What the mode of a response depends on, as the client sent it: an answer must find its way also when the request is refused. */
export interface ModeRequest {
  readonly requested: string | undefined;
  readonly responseType: string | undefined;
  readonly redirectUri: string;
}

/**
 * The mode of a response: what was asked for, when it can be had, else the default of the response type. Values that we do not know are ignored,
 * and so are `query` for what carries tokens (Multiple Response Types §5: it would leave them in logs) and `form_post` to an address that takes no
 * forms.
 */
export function chooseResponseMode({ requested, responseType, redirectUri }: ModeRequest): ResponseMode {
  const words = (responseType ?? "").split(" ");
  const hasTokens = words.includes("token") || words.includes("id_token");
  const byDefault = hasTokens ? "fragment" : "query";
  const mode = responseModes.find((known) => known === requested) ?? byDefault;
  if (mode === "query" && hasTokens) return byDefault;
  return mode === "form_post" && !/^https?:/i.test(redirectUri) ? byDefault : mode;
}
