import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import {
  answersBesideContext,
  answersRequest,
  contextReachOf,
  type VisitDemand,
} from "../../domain/auth-request/index.ts";
import { meetsEssential, type Session, type SignedInDeps } from "../../domain/session/index.ts";

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
  { demand, hintedUserId }: { readonly demand: VisitDemand; readonly hintedUserId: string | undefined },
): Promise<SessionChoice> {
  const { prompt } = demand;
  const isAnswer = await Promise.all(sessions.map((session) => answersRequest(deps, call, session, demand)));
  const fitting = sessions.filter((_, index) => isAnswer[index]);
  const [first, ...others] = fitting;
  if (prompt.includes("none")) {
    if (first === undefined) throw await explainRefusal(deps, call, sessions, demand);
    const hinted = others.length > 0 ? fitting.find(({ userId }) => userId === hintedUserId) : first;
    if (hinted === undefined) throw new OAuthError("interaction_required", "the user has to choose a session");
    return { kind: "answer", session: hinted };
  }
  if (prompt.includes("create")) return { kind: "register" };
  if (prompt.includes("select_account") && sessions.length > 0) return { kind: "choose" };
  if (prompt.includes("login") || first === undefined) return { kind: "login" };
  return others.length > 0 ? { kind: "choose" } : { kind: "answer", session: first };
}

/**
 * Returns why no session answers without a question: the user has to sign in, or has nothing with which they could
 * reach what the client insists on (OpenID Connect Core Unmet Authentication Requirements 1.0 §2).
 */
async function explainRefusal(
  deps: SignedInDeps,
  call: Call,
  sessions: readonly Session[],
  demand: VisitDemand,
): Promise<OAuthError> {
  const reaches = await Promise.all(
    sessions.map(async (session) => {
      const { userId, organizationId } = session;
      if (userId === undefined || !(await answersBesideContext(deps, call, session, demand))) return [];
      return [await contextReachOf(deps, call, { userId, organizationId, host: demand.host })];
    }),
  );
  const found = reaches.flat();
  return found.length > 0 && !found.some((reach) => meetsEssential(demand, reach))
    ? new OAuthError("unmet_authentication_requirements", "the user cannot meet the requested acr")
    : new OAuthError("login_required", "the user has to sign in");
}
