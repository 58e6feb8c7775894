import { OAuthError } from "../base/oauth-error.ts";
import type { Call } from "../call/index.ts";
import { isEndedFamily } from "../domain/token/index.ts";
import type { OAuthDeps } from "./deps.ts";
import { type IdTokenHint, readIdTokenHint } from "./own-tokens.ts";

/**
 * Returns whom an ID token names in an authorization request; undefined for any other text, which is ignored. What
 * it stands for may have ended (access taken away, revoked, signed out, deactivated): then it signs no user in without
 * a page, and `prompt=none` gets `login_required` (OpenID Connect Core §3.1.2.6).
 */
export async function readSignInHint(
  deps: Pick<OAuthDeps, "database" | "keyRing">,
  { instanceId }: Pick<Call, "instanceId">,
  input: { readonly issuer: string; readonly idToken: string; readonly isSilent: boolean },
): Promise<IdTokenHint | undefined> {
  const hint = await readIdTokenHint(deps, { instanceId, issuer: input.issuer }, input.idToken);
  const { familyId } = hint?.reference ?? {};
  if (input.isSilent && familyId !== undefined && (await isEndedFamily(deps.database.read, instanceId, familyId))) {
    throw new OAuthError("login_required", "what the id_token_hint stands for has ended");
  }
  return hint;
}
