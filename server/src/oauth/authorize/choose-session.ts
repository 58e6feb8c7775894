import type { Call } from "../../call/index.ts";
import { answersRequest, type SessionDemand } from "../../domain/auth-request/index.ts";
import type { Session, SignedInDeps } from "../../domain/session/index.ts";
import { OAuthError } from "../error.ts";

/**
 * `answer`: this session is sufficient, without interaction. `choose`: several are, or the client wants the user to
 * choose. `login`: none is. `register`: the client wants the user to create an account.
 */
export type SessionChoice =
  | { readonly kind: "answer"; readonly session: Session }
  | { readonly kind: "choose" }
  | { readonly kind: "login" }
  | { readonly kind: "register" };

/**
 * Decides whether the browser's sessions can answer the request without interaction (OpenID Connect Core §3.1.2.3).
 * Where several can and interaction is forbidden, the session of the user in `login_hint` answers.
 */
export async function chooseSession(
  deps: SignedInDeps,
  call: Call,
  sessions: readonly Session[],
  { demand, hintedUserId }: { readonly demand: SessionDemand; readonly hintedUserId: string | undefined },
): Promise<SessionChoice> {
  const { prompt } = demand;
  const isAnswer = await Promise.all(sessions.map((session) => answersRequest(deps, call, session, demand)));
  const fitting = sessions.filter((_, index) => isAnswer[index]);
  const [first, ...others] = fitting;
  if (prompt.includes("none")) {
    if (first === undefined) throw new OAuthError("login_required", "the person has to sign in");
    const hinted = others.length > 0 ? fitting.find(({ userId }) => userId === hintedUserId) : first;
    if (hinted === undefined) throw new OAuthError("interaction_required", "the person has to choose a session");
    return { kind: "answer", session: hinted };
  }
  if (prompt.includes("create")) return { kind: "register" };
  if (prompt.includes("select_account") && sessions.length > 0) return { kind: "choose" };
  if (prompt.includes("login") || first === undefined) return { kind: "login" };
  return others.length > 0 ? { kind: "choose" } : { kind: "answer", session: first };
}
