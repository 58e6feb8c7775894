import type { Call } from "../../call/index.ts";
import { challengeAnyPasskey, challengeKey, type RequestOptions } from "../webauthn-key/index.ts";
import { type BrowserVisit, endOf, keyOf, type SignInDeps } from "./browser-visit.ts";
import { putSignIn } from "./sign-in.store.ts";
import type { SignIn } from "./state.ts";

/**
 * Returns what a browser is to ask passkeys and security keys for. Before a first factor any user's passkey may answer;
 * after it only keys of this user. Throws when the user has none that works at this host.
 */
export function challengeKeys(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: SignIn,
): Promise<RequestOptions> {
  const sessionId = signIn.attemptId ?? deps.newId();
  const challenge = { sessionId, domain: visit.host, field: "credential" };
  return deps.database.touch(call, async (tx) => {
    if (signIn.attemptId === undefined)
      await putSignIn(tx, keyOf(visit), { ...signIn, attemptId: sessionId }, endOf(visit, call));
    if (signIn.state !== "second_factor" || signIn.userId === undefined)
      return challengeAnyPasskey(tx, deps, challenge);
    return challengeKey(tx, deps, { ...challenge, userId: signIn.userId, userVerification: "preferred" });
  });
}
