import { type Call, Refusal } from "./api.ts";
import type { Visit } from "./http.ts";
import { type Attempt, dropSession, holdSession } from "./jar.ts";
import type { Session, WrittenSession } from "./server-words.ts";

// For how long the server keeps what was proven; the login settings say how much of it still counts.
const lifetime = "864000s";

/** What a session is given. */
export interface Given {
  readonly checks?: Readonly<Record<string, object>>;
  readonly challenges?: object;
}

/** Returns what the server limits guesses by, and shows the user of their sessions. */
export const agentOf = ({ jar, userAgent, address }: Visit) => ({
  fingerprintId: jar.browser,
  ip: address,
  description: userAgent.slice(0, 200),
});

/**
 * Adds checks to the session of a sign-in, or creates one for the named user. The first failing check is the refusal,
 * and counts at the server.
 */
export async function prove(call: Call, visit: Visit, attempt: Attempt, given: Given): Promise<WrittenSession> {
  const { jar } = visit;
  const { sessionId } = attempt;
  if (sessionId !== undefined) {
    try {
      const written = await call<WrittenSession>("session.v2.SessionService/SetSession", { sessionId, ...given });
      holdSession(jar, { id: sessionId, token: written.sessionToken });
      return written;
    } catch (error) {
      // The session ended or expired meanwhile: another one takes its place.
      if (!(error instanceof Refusal && error.id.startsWith("session."))) throw error;
      dropSession(jar, sessionId);
      delete attempt.sessionId;
    }
  }
  const checks = { user: { loginName: attempt.loginName ?? "" }, ...given.checks };
  const made = await call<WrittenSession>("session.v2.SessionService/CreateSession", {
    ...given,
    checks,
    lifetime,
    userAgent: agentOf(visit),
  });
  attempt.sessionId = made.sessionId ?? "";
  holdSession(jar, { id: attempt.sessionId, token: made.sessionToken });
  return made;
}

/** Reads the session of a sign-in from the server. */
export async function readSession(call: Call, attempt: Attempt): Promise<Session> {
  const asked = { sessionId: attempt.sessionId ?? "" };
  return (await call<{ session: Session }>("session.v2.SessionService/GetSession", asked)).session;
}

/** Returns the user who proved a first factor in the session of a sign-in: a name alone gives access to nothing. */
export async function readProvenUser(call: Call, attempt: Attempt, within = Number.POSITIVE_INFINITY) {
  if (attempt.sessionId === undefined) return undefined;
  const { user, password, webAuthN, intent } = (await readSession(call, attempt)).factors ?? {};
  const isProven = [password, webAuthN, intent].some(
    (check) => check !== undefined && Date.parse(check.verifiedAt) + within > Date.now(),
  );
  return isProven ? user : undefined;
}

/** Returns the sessions of this browser in which a factor was proven, newest first. Ended sessions are dropped. */
export async function listSessions(call: Call, { jar }: Visit): Promise<Session[]> {
  if (jar.sessions.length === 0) return [];
  const ids = jar.sessions.map(({ id }) => id);
  const { sessions = [] } = await call<{ sessions?: readonly Session[] }>("session.v2.SessionService/ListSessions", {
    queries: [{ idsQuery: { ids } }],
  });
  const alive = sessions.filter(
    ({ expirationDate }) => expirationDate === undefined || Date.parse(expirationDate) > Date.now(),
  );
  for (const id of ids) if (!alive.some((session) => session.id === id)) dropSession(jar, id);
  return ids.flatMap((id) => alive.filter((session) => session.id === id && isProven(session)));
}

/** Whether anything but the name was ever checked. */
const isProven = ({ factors: { user, ...proofs } = {} }: Session): boolean =>
  user !== undefined && Object.keys(proofs).length > 0;

/** Ends a session of this browser, with all tokens that depend on it. Its own token is the right to do so. */
export async function endSession(call: Call, { jar }: Visit, sessionId: string): Promise<void> {
  const held = jar.sessions.find(({ id }) => id === sessionId);
  if (held === undefined) return;
  dropSession(jar, sessionId);
  const ending = { sessionId, sessionToken: held.token };
  await call("session.v2.SessionService/DeleteSession", ending).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}
