import { markAmbiguous } from "../../../base/names/shown-login-name.ts";
import type { Href } from "../../../html/index.ts";
import { pathTo } from "../../visit/answer.ts";
import { type Account, pageIn } from "./account.ts";
import { type AccountFrame, type AccountNews, type AccountPart, accountNews, accountParts } from "./frame-view.ts";

/** Path of each part of the account. */
export const accountPaths: Readonly<Record<AccountPart, string>> = {
  home: "/ui/account",
  profile: "/ui/account/profile",
  methods: "/ui/account/methods",
  sessions: "/ui/account/sessions",
  applications: "/ui/account/applications",
  appointments: "/ui/account/appointments",
  activity: "/ui/account/activity",
  data: "/ui/account/data",
};

/** Returns the frame around the content of an account page. */
export function frameOf(account: Account, part: AccountPart): AccountFrame {
  const { user, organizationName, hasAppointments, others, visit } = account;
  const news = visit.query.get("done");
  return {
    account: {
      displayName: user.displayName,
      loginName: user.preferredLoginName,
      organizationName,
      avatarFile: user.avatarFile,
    },
    part,
    hasAppointments,
    hrefs: Object.fromEntries(accountParts.map((one) => [one, pageIn(account, accountPaths[one])])) as Record<
      AccountPart,
      Href
    >,
    others: markAmbiguous(others).map(({ session, loginName, isAmbiguous, displayName, organizationName: name }) => ({
      loginName,
      isAmbiguous,
      displayName,
      organizationName: name,
      href: pageIn({ session }, accountPaths.home),
    })),
    otherAccountHref: pathTo("/ui/login", { goal: "account", account: "other" }),
    signOutHref: pathTo("/ui/logout"),
    news: visit.request.method === "GET" && isNews(news) ? news : undefined,
  };
}

const isNews = (word: string | null): word is AccountNews => accountNews.some((news) => news === word);
