import type { User } from "@doorward/api/service/user/v2/user_pb";
import { Badge } from "../../parts/badge.tsx";
import { t } from "../../text/catalogue.ts";
import { stateWord } from "./words.ts";

/** The words about a user's state. */
export function UserBadges({ user }: { readonly user: User }) {
  const { text, look } = stateWord(user.state);
  const isBlocked = user.type.case === "human" && user.type.value.passwordBlocked !== undefined;
  return (
    <>
      <Badge look={look}>{text}</Badge> {isBlocked && <Badge look="bad">{t("user.state.passwordBlocked")}</Badge>}
    </>
  );
}
