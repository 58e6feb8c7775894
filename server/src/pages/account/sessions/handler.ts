import { listSessions, type ReadSession } from "../../../domain/session/index.ts";
import { describeDevice } from "../../../domain/sign-in-attempt/index.ts";
import { deleteSession, terminateOwnOtherSessions } from "../../../domain/sign-out/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type Account, pageIn, toLogin } from "../parts/account.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, toNews } from "../parts/handlers.ts";
import { pagerOf, readOffset } from "../parts/pages-of-list.ts";
import { showAccount } from "../parts/show-account.ts";
import { type SessionView, sessionsPage } from "./view.ts";

const path = accountPaths.sessions;
const endOthersPath = `${path}/end-others`;
const limit = 12;

/** `/ui/account/sessions`: the user's sessions. Ending a session revokes what was issued from it, immediately. */
export const sessionPages = [
  accountPage({
    path,
    goal: "account-sessions",
    get: async (deps, account) => {
      const offset = readOffset(account);
      const { sessions, total } = await listOwn(deps, account, offset);
      return showAccount(deps, account, "sessions", (context, frame) =>
        sessionsPage(context, {
          ...frame,
          sessions: sessions.map((session) => toView(account, session)),
          endAction: pageIn(account, path),
          endOthersAction: pageIn(account, endOthersPath),
          hasOthers: total > 1,
          pager: pagerOf(account, path, { offset, limit, total }),
        }),
      );
    },
    post: async (deps, account, form) => {
      const sessionId = form.get("session_id") ?? "";
      // A session that is absent, or another user's, counts as ended.
      await attempt(() => deleteSession(deps, account.call, { sessionId }));
      return sessionId === account.session.sessionId
        ? toLogin("account", account.visit)
        : toNews(account, path, "session_ended");
    },
  }),
  accountPage({
    path: endOthersPath,
    goal: "account-sessions",
    pageOfForm: path,
    post: async (deps, account) => {
      await terminateOwnOtherSessions(deps, account.call);
      return toNews(account, path, "others_ended");
    },
  }),
];

function listOwn(deps: PageDeps, { call, user }: Account, offset: number) {
  const filters = [{ by: "user", userId: user.userId }] as const;
  return listSessions(deps, call, { filters, page: { offset, limit }, isDescending: true });
}

const toView = (account: Account, { session }: ReadSession): SessionView => ({
  sessionId: session.sessionId,
  ...describeDevice(session.userAgent),
  address: session.userAgent.ip,
  createdAt: session.createdAt,
  changedAt: session.details.changedAt,
  isCurrent: session.sessionId === account.session.sessionId,
  isExpired: session.expiresAt !== undefined && session.expiresAt <= account.call.now,
});
