import type { User } from "@doorward/api/service/user/v2/user_pb";
import { Badge } from "../../parts/badge.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../text/catalogue.ts";
import { RecentAttempts } from "../attempt/recent-attempts.tsx";
import { AccountUse } from "./account-use.tsx";
import { OrganizationName } from "./organization-name.tsx";
import { UserFrame } from "./user-frame.tsx";
import { languageName, tokenTypeChoices } from "./words.ts";

/** What is known about a user, and whether anything keeps them from signing in. */
export const UserOverviewPage = () => (
  <UserFrame>
    {(user) => (
      <>
        <AccountUse user={user} />
        <Section title={t("user.facts")}>
          <Facts facts={[...factsOf(user), ...commonFactsOf(user)]} />
        </Section>
        {user.type.case === "human" && <RecentAttempts userId={user.userId} />}
      </>
    )}
  </UserFrame>
);

type Fact = readonly [name: string, value: React.ReactNode];

function factsOf({ type, loginNames }: User): Fact[] {
  if (type.case === "machine") {
    const tokenType = String(type.value.accessTokenType);
    return [
      [t("user.description"), type.value.description],
      [t("user.tokenType"), tokenTypeChoices().find(([value]) => value === tokenType)?.[1]],
      [t("user.secret"), type.value.hasSecret ? t("user.secret.set") : t("user.secret.none")],
    ];
  }
  const human = type.value;
  return [
    [t("user.email"), <Contact key="email" value={human?.email?.email} isVerified={human?.email?.isVerified} />],
    [t("user.phone"), <Contact key="phone" value={human?.phone?.phone} isVerified={human?.phone?.isVerified} />],
    [t("user.loginNames"), loginNames.join(", ")],
    [t("user.language"), languageName(human?.profile?.preferredLanguage)],
    [t("user.password.changed"), <Time key="password" at={human?.passwordChanged} />],
  ];
}

const commonFactsOf = ({ userId, username, details }: User): Fact[] => [
  [t("user.username"), username],
  [t("user.id"), <Copyable key="id" value={userId} label={t("user.id")} />],
  [t("user.organization"), <OrganizationName key="organization" id={details?.resourceOwner} />],
  [t("user.created"), <Time key="created" at={details?.creationDate} />],
  [t("user.changed"), <Time key="changed" at={details?.changeDate} />],
];

function Contact({ value = "", isVerified = false }: { readonly value?: string; readonly isVerified?: boolean }) {
  if (value === "") return <span className="muted">–</span>;
  return (
    <>
      {value}{" "}
      <Badge look={isVerified ? "good" : "warning"}>
        {isVerified ? t("user.contact.verified") : t("user.contact.unverified")}
      </Badge>
    </>
  );
}
