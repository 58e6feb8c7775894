import { OAuthError } from "../../../base/oauth-error.ts";
import { readSignInHint } from "../../sign-in-hint.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/**
 * Settles the user who is expected: the subject of the hint, or the only one in `claims`. A hint that is not one of our
 * tokens is ignored: it is only a hint. One that contradicts the claims leaves no user.
 */
export async function checkHintedUser({
  deps,
  call,
  issuer,
  idTokenHint: idToken,
  prompt,
  claims: { subjects },
}: Asked & Settled<"idTokenHint" | "prompt" | "claims">): Promise<{ readonly hintUserId: string | undefined }> {
  const isSilent = prompt.has("none");
  const hint = idToken === undefined ? undefined : await readSignInHint(deps, call, { issuer, idToken, isSilent });
  const hintUserId = hint?.subject ?? (subjects?.length === 1 ? subjects[0] : undefined);
  if (subjects === undefined) return { hintUserId };
  const isPossible = hintUserId === undefined ? subjects.length > 0 : subjects.includes(hintUserId);
  if (!isPossible) throw new OAuthError("invalid_request", "id_token_hint and claims leave no user who could answer");
  return { hintUserId };
}
