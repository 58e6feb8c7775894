import type { Call } from "../../call/index.ts";
import { challengeAnyPasskey, challengeKey, type RequestOptions } from "../webauthn-key/index.ts";
import { type BrowserVisit, endOf, keyOf, type SignInDeps } from "./browser-visit.ts";
import { putSignIn } from "./sign-in.store.ts";
import type { SignIn } from "./state.ts";

/**
 * Returns what a browser is to ask passkeys and security keys for. Before a first factor any user's passkey may answer;
 * after it only keys of this user. Throws when the user has none that works at this host.
 */
export function challengeKeys(deps: SignInDeps, call: Call, visit: BrowserVisit, at: SignIn): Promise<RequestOptions> {
  const sessionId = at.wayId ?? deps.newId();
  const place = { sessionId, domain: visit.host, field: "credential" };
  return deps.database.touch(call, async (tx) => {
    if (at.wayId === undefined) await putSignIn(tx, keyOf(visit), { ...at, wayId: sessionId }, endOf(visit, call));
    if (at.state !== "second_factor" || at.userId === undefined) return challengeAnyPasskey(tx, deps, place);
    return challengeKey(tx, deps, { ...place, userId: at.userId, userVerification: "preferred" });
  });
}
