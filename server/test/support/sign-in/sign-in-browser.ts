import type { IdGenerator } from "../../../src/base/id.ts";
import type { Tx } from "../../../src/database/index.ts";
import { advance } from "../../../src/domain/sign-in/index.ts";
import { findSignInEpoch } from "../../../src/domain/user/index.ts";

/**
 * Step: signs a browser in by a password, as the last step of the login does. Undefined when the request is not this
 * browser's.
 */
export async function signInBrowser(
  tx: Tx,
  deps: { readonly newId: IdGenerator },
  input: {
    readonly userId: string;
    readonly organizationId: string;
    readonly authRequestId: string | undefined;
    readonly browser: { readonly from: string; readonly to: string };
    readonly expiresAt: number;
  },
): Promise<{ readonly sessionId: string } | undefined> {
  const { userId, organizationId, authRequestId, browser, expiresAt } = input;
  const factors = { passwordCheckedAt: tx.now };
  const authRequest = authRequestId === undefined ? undefined : ({ authRequestId } as never);
  const signInEpoch = (await findSignInEpoch(tx, tx.instanceId, userId)) ?? 0;
  const arrived = await advance(tx, deps, {
    visit: { browserHash: browser.from, authRequest, userAgent: {}, host: "localhost" },
    proven: { userId, organizationId, loginName: "", factors, signInEpoch },
    next: { state: "signed_in", factors, secondFactors: [] },
    attemptId: "attempt",
    browser: { hash: browser.to } as never,
    attemptEnd: expiresAt,
    sessionEnd: expiresAt,
  });
  if (arrived?.sessionId === undefined) return undefined;
  return { sessionId: arrived.sessionId };
}
