import { type Call, Refusal } from "./api.ts";
import { at } from "./attempt.ts";
import { over } from "./auth-request.ts";
import { type Answer, Dead, type Visit } from "./http.ts";
import { type Attempt, closeAttempt } from "./jar.ts";
import { nextStep } from "./next-step.ts";

interface Finish {
  /** Whether the user lets the application have what it asks for. */
  readonly consentGiven?: boolean;
  /** Where the user is asked for consent; a page of ours by default. */
  readonly askConsent?: () => Answer | Promise<Answer>;
}

/**
 * Tries to reach the goal with the session of the sign-in. The server is the judge: it knows whether what was proven is
 * enough, for this request and by the settings. Where it is not, returns undefined.
 */
export async function tryFinish(
  call: Call,
  visit: Visit,
  attempt: Attempt,
  { consentGiven = false, askConsent = () => at("/consent", attempt) }: Finish = {},
): Promise<Answer | undefined> {
  const held = visit.jar.sessions.find(({ id }) => id === attempt.sessionId);
  if (held === undefined) return undefined;
  // The device is allowed on a page of its own, where the user sees what it asks for.
  if (attempt.device !== undefined) return undefined;
  try {
    const session = { sessionId: held.id, sessionToken: held.token };
    return await answer(call, visit, attempt, { session, consentGiven });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.id === "auth_request.session_insufficient") return undefined;
    // The application is untrusted, and the user has not agreed to it yet.
    if (error.id === "auth_request.consent_required") return askConsent();
    if (error.id === "auth_request.access_denied") return refuse(call, visit, attempt, "ERROR_REASON_ACCESS_DENIED");
    throw new Dead(over);
  }
}

/** Continues after a proof: to the goal, or to what is still missing. */
export async function proceed(call: Call, visit: Visit, attempt: Attempt): Promise<Answer> {
  return (await tryFinish(call, visit, attempt)) ?? nextStep(call, visit, attempt);
}

/** Sends the browser back to the application with an error (RFC 6749 §4.1.2.1). */
export async function refuse(call: Call, visit: Visit, attempt: Attempt, error: string): Promise<Answer> {
  try {
    return await answer(call, visit, attempt, { error: { error } });
  } catch (problem) {
    if (problem instanceof Refusal) throw new Dead(over);
    throw problem;
  }
}

/** Tells the device that waits for the sign-in, if there is one, that it is not allowed. */
export async function denyDevice(call: Call, { jar }: Visit, attempt: Attempt): Promise<void> {
  closeAttempt(jar, attempt);
  const denial = { deviceAuthorizationId: attempt.device ?? "", deny: {} };
  await call("oidc.v2.OIDCService/AuthorizeOrDenyDeviceAuthorization", denial).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

async function answer(call: Call, { jar }: Visit, attempt: Attempt, given: object): Promise<Answer> {
  const { callbackUrl } = await call<{ callbackUrl: string }>("oidc.v2.OIDCService/CreateCallback", {
    authRequestId: attempt.authRequest,
    ...given,
  });
  closeAttempt(jar, attempt);
  return { redirect: callbackUrl };
}
