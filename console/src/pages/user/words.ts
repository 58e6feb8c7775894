import { AccessTokenType, Gender, UserState } from "@doorward/api/service/user/v2/user_pb";
import type { BadgeLook } from "../../parts/badge.tsx";
import { t } from "../../text/catalogue.ts";

interface Word {
  readonly text: string;
  readonly look: BadgeLook;
}

/**
 * States that a list can be filtered by, with their words. Users whose password is blocked are active, because other
 * ways to sign in still work; who looks for those who cannot sign in wants them as well.
 */
export const stateChoices = (): readonly (readonly [value: string, label: string])[] => [
  ...[UserState.ACTIVE, UserState.INACTIVE].map(choiceOf),
  ["blocked", t("user.state.blocked")],
  choiceOf(UserState.INITIAL),
];

const choiceOf = (state: UserState) => [String(state), stateWord(state).text] as const;

/** Returns the word for a state of a user. */
export function stateWord(state: UserState): Word {
  switch (state) {
    case UserState.ACTIVE:
      return { text: t("user.state.active"), look: "good" };
    case UserState.INACTIVE:
      return { text: t("user.state.inactive"), look: "neutral" };
    case UserState.LOCKED:
      return { text: t("user.state.locked"), look: "bad" };
    case UserState.INITIAL:
      return { text: t("user.state.initial"), look: "warning" };
    case UserState.DELETED:
      return { text: t("user.state.deleted"), look: "bad" };
    default:
      return { text: t("user.state.unknown"), look: "neutral" };
  }
}

export const genderChoices = (): readonly (readonly [value: string, label: string])[] => [
  [String(Gender.UNSPECIFIED), t("user.gender.unspecified")],
  [String(Gender.FEMALE), t("user.gender.female")],
  [String(Gender.MALE), t("user.gender.male")],
  [String(Gender.DIVERSE), t("user.gender.diverse")],
];

export const tokenTypeChoices = (): readonly (readonly [value: string, label: string])[] => [
  [String(AccessTokenType.BEARER), t("user.tokenType.bearer")],
  [String(AccessTokenType.JWT), t("user.tokenType.jwt")],
];

/** Returns the name of a language in the reader's language. */
export function languageName(tag: string | undefined): string {
  if (tag === undefined || tag === "" || tag === "und") return "";
  const names = new Intl.DisplayNames(document.documentElement.lang || "en", { type: "language" });
  return names.of(tag) ?? tag;
}
