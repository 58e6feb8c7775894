import { useQuery } from "@connectrpc/connect-query";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { ReactNode } from "react";
import { useAddress } from "../../address.ts";
import { nameOf } from "../../api/user-name.ts";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../text/catalogue.ts";
import { OrganizationHere } from "./obstacle-here.ts";
import { UserActions } from "./user-actions.tsx";
import { UserBadges } from "./user-badges.tsx";

/** What all pages about one user have: their name and state, what can be done with them, and the other pages. */
export function UserFrame({ children }: { readonly children: (user: User) => ReactNode }) {
  const { userId = "" } = useAddress().params;
  const { data, error } = useQuery(UserService.method.getUserByID, { userId });
  const parent = { to: "/users", label: t("nav.users") };
  const user = data?.user;
  if (error) {
    return (
      <Page title={t("user.title")} parent={parent}>
        <ErrorNotice error={error} />
      </Page>
    );
  }
  if (user === undefined) {
    return (
      <Page title={t("user.title")} parent={parent}>
        <span className="skeleton" />
      </Page>
    );
  }
  return (
    <OrganizationHere value={user.details?.resourceOwner}>
      <Page
        title={nameOf(user)}
        parent={parent}
        lead={user.type.case === "machine" ? t("user.kind.service") : user.preferredLoginName}
        badges={<UserBadges user={user} />}
        actions={<UserActions user={user} />}
        tabs={<Tabs label={t("user.pages")} tabs={tabsOf(user)} />}
      >
        {children(user)}
      </Page>
    </OrganizationHere>
  );
}

function tabsOf({ userId, type }: User) {
  const base = `/users/${userId}`;
  const isHuman = type.case === "human";
  return [
    { to: base, label: t("user.tab.overview"), exact: true },
    { to: `${base}/profile`, label: isHuman ? t("user.tab.profile") : t("user.tab.settings") },
    ...(isHuman
      ? [
          { to: `${base}/sign-in`, label: t("user.tab.signIn") },
          { to: `${base}/sessions`, label: t("user.tab.sessions") },
        ]
      : [{ to: `${base}/credentials`, label: t("user.tab.credentials") }]),
    { to: `${base}/roles`, label: t("user.tab.roles") },
    { to: `${base}/administration`, label: t("user.tab.administration") },
    { to: `${base}/metadata`, label: t("user.tab.metadata") },
    { to: `${base}/activity`, label: t("user.tab.activity") },
  ];
}
