import { isPasswordEnding } from "../../../domain/password/index.ts";
import type { BrowserAccount } from "../../../domain/session/index.ts";
import type { Href } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";

/** Returns where the user changes their password, when it will soon expire. */
export async function findPasswordRenewal(
  deps: PageDeps,
  { call }: Pick<Visit, "call">,
  { userId, sessionId }: Pick<BrowserAccount["session"], "userId" | "sessionId">,
): Promise<Href | undefined> {
  const isEnding = userId !== undefined && (await isPasswordEnding(deps, call, userId));
  return isEnding ? pathTo("/ui/account/password", { session: sessionId }) : undefined;
}
