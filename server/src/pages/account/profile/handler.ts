import type { Fault } from "../../../base/fault.ts";
import { shownLoginName } from "../../../base/names/shown-login-name.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { largestAvatar, removeAvatar, setMyAvatar } from "../../../domain/picture/index.ts";
import { terminateOtherSessions } from "../../../domain/sign-out/index.ts";
import type { Gender } from "../../../domain/user/index.ts";
import { updateUser } from "../../../domain/user-management/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { type ProfileField, profilePage } from "./view.ts";

const path = "/ui/account/profile";
const picturePath = `${path}/picture`;
const pictureRemovalPath = `${picturePath}/remove`;
type Values = Readonly<Record<ProfileField, string>>;

/** `/ui/account/profile`: names, picture and contact addresses. */
export const profilePages = [
  accountPage({
    path,
    goal: "account-profile",
    get: (deps, account) => draw(deps, account, valuesOf(account), undefined),
    post: async (deps, account, form) => {
      const values = readValues(form);
      const gender = genders.find((one) => one === values.gender);
      const fault = await attempt(() =>
        updateUser({ ...deps, mayPrepareFor, terminateOtherSessions }, account.call, {
          userId: account.user.userId,
          human: {
            profile: {
              givenName: values.given_name,
              familyName: values.family_name,
              displayName: values.display_name,
              nickName: values.nickname,
              preferredLanguage: values.language,
              ...(gender !== undefined && { gender }),
            },
          },
        }),
      );
      return fault === undefined ? toNews(account, path, "profile_saved") : draw(deps, account, values, fault);
    },
  }),
  accountPage({
    path: picturePath,
    goal: "account-profile",
    pageOfForm: path,
    fileField: "picture",
    post: async (deps, account, _form, file) => {
      if (file === undefined) return draw(deps, account, valuesOf(account), "no picture");
      const fault = await attempt(() => setMyAvatar(deps, account.call, { bytes: file }));
      return fault === undefined
        ? toNews(account, path, "picture_saved")
        : draw(deps, account, valuesOf(account), fault);
    },
  }),
  accountPage({
    path: pictureRemovalPath,
    goal: "account-profile",
    pageOfForm: path,
    post: async (deps, account) => {
      await removeAvatar(deps, account.call, { userId: account.user.userId });
      return toNews(account, path, "picture_removed");
    },
  }),
];

const genders: readonly Gender[] = ["female", "male", "diverse"];

function valuesOf({ user: { profile, displayName } }: Account): Values {
  return {
    given_name: profile.givenName,
    family_name: profile.familyName,
    display_name: displayName,
    nickname: profile.nickName ?? "",
    language: profile.preferredLanguage ?? "",
    gender: profile.gender ?? "",
  };
}

function readValues(form: URLSearchParams): Values {
  const read = (name: ProfileField): string => (form.get(name) ?? "").trim();
  return {
    given_name: read("given_name"),
    family_name: read("family_name"),
    display_name: read("display_name"),
    nickname: read("nickname"),
    language: read("language"),
    gender: read("gender"),
  };
}

const fields: Readonly<Record<string, ProfileField | "picture">> = {
  file: "picture",
  "profile.givenName": "given_name",
  "profile.familyName": "family_name",
  "profile.displayName": "display_name",
  "profile.nickName": "nickname",
  "profile.preferredLanguage": "language",
};

function draw(
  deps: PageDeps,
  account: Account,
  values: Values,
  failure: Fault | "no picture" | undefined,
): Promise<WebResponse> {
  const { user, visit } = account;
  const { email, phone } = user;
  // A language that was set elsewhere stays available, even if our pages do not support it.
  const tags = [...new Set([...visit.languages, ...(values.language === "" ? [] : [values.language])])];
  return showAccount(deps, account, "profile", (context, frame) =>
    profilePage(context, {
      ...frame,
      action: pageIn(account, path),
      values,
      username: user.username,
      loginNames: [...new Set(user.loginNames.map(shownLoginName))],
      languages: tags.map((tag) => ({ tag, name: nameOf(tag) })),
      usernameHref: pageIn(account, "/ui/account/username"),
      email: {
        value: email.address,
        isVerified: email.isVerified,
        changeHref: pageIn(account, "/ui/account/email"),
        verifyHref: email.isVerified ? undefined : pageIn(account, "/ui/account/email/code"),
      },
      phone: {
        value: phone?.number ?? "",
        isVerified: phone?.isVerified === true,
        changeHref: pageIn(account, "/ui/account/phone"),
        verifyHref: phone === undefined || phone.isVerified ? undefined : pageIn(account, "/ui/account/phone/code"),
      },
      picture: {
        saveAction: pageIn(account, picturePath),
        largest: largestAvatar,
        removeAction: user.avatarFile === undefined ? undefined : pageIn(account, pictureRemovalPath),
      },
      errors:
        failure === "no picture"
          ? [{ field: "picture", message: context.say("account.profile.picture_missing") }]
          : errorsOf(deps, context, failure, fields),
    }),
  );
}

/** Returns a language's name in that language; the tag where there is none. */
function nameOf(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
