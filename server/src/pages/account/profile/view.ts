import {
  arrangeErrors,
  type FormError,
  type FormErrors,
  field,
  fileField,
  form,
  type Href,
  type Html,
  html,
  link,
  type PageContext,
  select,
} from "../../../html/index.ts";
import { avatar } from "../../login/parts/account.ts";
import { type Entry, entryList, section } from "../parts/entry.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** Names of the inputs of a profile. */
export type ProfileField = "given_name" | "family_name" | "display_name" | "nickname" | "language" | "gender";

/** Something that messages are sent to. */
interface ContactView {
  readonly value: string;
  readonly isVerified: boolean;
  readonly changeHref: Href;
  /** To the page that asks for the code; absent when it is verified. */
  readonly verifyHref?: Href | undefined;
}

/** The picture of the account. Saving posts `picture`, a file. */
interface PictureView {
  readonly saveAction: Href;
  /** Absent without a picture. */
  readonly removeAction?: Href | undefined;
  /** Largest permitted file, in bytes. */
  readonly largest: number;
}

/** Names and contact addresses of the user. Posts the fields of the profile. */
export interface ProfileModel extends AccountFrame {
  readonly action: Href;
  readonly values: Readonly<Record<ProfileField, string>>;
  /** Tags with the languages' own names. */
  readonly languages: readonly { readonly tag: string; readonly name: string }[];
  readonly username: string;
  readonly usernameHref: Href;
  readonly loginNames: readonly string[];
  readonly email: ContactView;
  readonly phone: ContactView;
  readonly picture: PictureView;
  readonly errors?: readonly FormError<ProfileField | "picture">[];
}

export function profilePage(context: PageContext, model: ProfileModel): Html {
  const errors = arrangeErrors(context, model.errors);
  return accountPage(context, model, {
    title: context.say("account.profile.title"),
    hasErrors: errors.any,
    // Replaces the common script: the page needs nothing else from it, and each file costs a request.
    scripts: ["picture.js"],
    body: html`${errors.summary}
<div class="panel">${form(context, {
      action: model.action,
      body: fields(context, model, errors),
      submit: { label: context.say("account.save") },
    })}</div>
<div class="panel">${picture(context, model, errors)}</div>
${section("reach", context.say("account.profile.reach"), entryList([contact(context, "email", model.email), contact(context, "phone", model.phone)]))}
${section("names", context.say("account.profile.login_names"), entryList([names(context, model)]))}`,
  });
}

function picture(context: PageContext, { account, picture: view }: ProfileModel, errors: Errors): Html {
  const { saveAction, removeAction, largest } = view;
  const choice = fileField({
    name: "picture",
    label: context.say("account.profile.picture"),
    accept: acceptedTypes,
    hint: context.say("account.profile.picture_hint", { maximum: Math.floor(largest / 1024) }),
    error: errors.of("picture"),
    autofocus: errors.focuses("picture"),
  });
  return html`<div class="picture">${avatar(account.displayName, account.avatarFile)}
<div class="stack">${form(context, {
    action: saveAction,
    hasFile: true,
    body: choice,
    submit: { label: context.say("account.profile.picture_save"), kind: "secondary" },
  })}
${
  removeAction !== undefined &&
  form(context, {
    action: removeAction,
    submit: { label: context.say("account.profile.picture_remove"), kind: "quiet" },
  })
}</div></div>`;
}

const acceptedTypes = ["image/png", "image/jpeg", "image/webp"];

type Errors = FormErrors<ProfileField | "picture">;

function fields(context: PageContext, { values, languages }: ProfileModel, errors: Errors): Html {
  const text = (name: "given_name" | "family_name" | "display_name" | "nickname") => ({
    name,
    label: context.say(`account.profile.${name}`),
    value: values[name],
    error: errors.of(name),
    autofocus: errors.focuses(name),
    maximumLength: 200,
  });
  return html`<div class="pair">${field(context, { type: "text", autocomplete: "given-name", ...text("given_name") })}
${field(context, { type: "text", autocomplete: "family-name", ...text("family_name") })}</div>
<div class="pair">${field(context, { type: "text", autocomplete: "name", optional: true, ...text("display_name") })}
${field(context, { type: "text", autocomplete: "nickname", optional: true, ...text("nickname") })}</div>
<div class="pair">${select({
    name: "language",
    label: context.say("account.profile.language"),
    autocomplete: "language",
    value: values.language,
    error: errors.of("language"),
    options: [
      { value: "", label: context.say("account.profile.language_none") },
      ...languages.map(({ tag, name }) => ({ value: tag, label: name, lang: tag })),
    ],
  })}
${select({
  name: "gender",
  label: context.say("account.profile.gender"),
  autocomplete: "sex",
  value: values.gender,
  error: errors.of("gender"),
  // Once set, it can be changed, but not cleared.
  options: (["none", "female", "male", "diverse"] as const)
    .filter((gender) => gender !== "none" || values.gender === "")
    .map((gender) => ({
      value: gender === "none" ? "" : gender,
      label: context.say(`account.profile.gender_${gender}`),
    })),
})}</div>`;
}

function contact(context: PageContext, kind: "email" | "phone", shown: ContactView): Entry {
  const { value, isVerified, changeHref, verifyHref } = shown;
  const isThere = value !== "";
  return {
    title: context.say(`account.profile.${kind}`),
    mark: isThere ? context.say(`account.profile.${kind}_${isVerified ? "verified" : "unverified"}`) : undefined,
    isOpen: !isVerified,
    isGood: isVerified,
    lines: [isThere ? html`<bdi>${value}</bdi>` : context.say("account.none")],
    actions: html`${verifyHref !== undefined && link(verifyHref, context.say("account.verify"), context.say(`account.profile.verify_${kind}`))}
${link(changeHref, context.say(isThere ? "account.change" : "account.add"), context.say(`account.profile.change_${kind}`))}`,
  };
}

const names = (context: PageContext, { username, usernameHref, loginNames }: ProfileModel): Entry => ({
  title: html`<bdi>${username}</bdi>`,
  lines: loginNames.map((name) => html`<bdi>${name}</bdi>`),
  actions: link(usernameHref, context.say("account.change"), context.say("account.username.title")),
});
