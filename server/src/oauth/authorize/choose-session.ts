import { type SessionDemand, satisfiesRequest } from "../../domain/auth-request/index.ts";
import type { Session } from "../../domain/session/index.ts";
import { OAuthError } from "../error.ts";

/**
 * `answer`: this session does, without asking anybody. `choose`: several do, or the client wants a choice. `login`: none does.
 */
export type SessionChoice =
  | { readonly kind: "answer"; readonly session: Session }
  | { readonly kind: "choose" }
  | { readonly kind: "login" };

/** Decides whether the browser's sessions can answer the request as they are (OpenID Connect Core §3.1.2.3). */
export function chooseSession(sessions: readonly Session[], demand: SessionDemand, now: number): SessionChoice {
  const { prompt } = demand;
  const fitting = sessions.filter((session) => satisfiesRequest(session, demand, now));
  const [first, ...others] = fitting;
  if (prompt.includes("none")) {
    if (first === undefined) throw new OAuthError("login_required", "the person has to sign in");
    if (others.length > 0) throw new OAuthError("interaction_required", "the person has to choose a session");
    return { kind: "answer", session: first };
  }
  if (prompt.includes("select_account") && sessions.length > 0) return { kind: "choose" };
  if (prompt.includes("login") || prompt.includes("create") || first === undefined) return { kind: "login" };
  return others.length > 0 ? { kind: "choose" } : { kind: "answer", session: first };
}
