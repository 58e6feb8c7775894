import { useQuery } from "@connectrpc/connect-query";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import type { HumanUser, User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { Field, Form, SelectField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useUserClient } from "./user-calls.ts";
import { genderChoices, languageName } from "./words.ts";

interface Values {
  readonly givenName: string;
  readonly familyName: string;
  readonly displayName: string;
  readonly nickName: string;
  readonly username: string;
  readonly language: string;
  readonly gender: string;
}

/** Names, username and language of a person. */
export function ProfileForm({ user, human }: { readonly user: User; readonly human: HumanUser }) {
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const languages = useQuery(SettingsService.method.getGeneralSettings, {}).data?.supportedLanguages ?? [];
  const former = valuesOf(user, human);
  const form = useForm<Values>({ values: former, resetOptions: { keepDirtyValues: true } });
  const save = async (values: Values) => {
    await client.updateUser({
      userId: user.userId,
      ...(values.username !== former.username && { username: values.username }),
      userType: { case: "human", value: { profile: changesOf(values, former) } },
    });
    // A name that is emptied can only be said by a whole profile.
    if (isEmptied(values, former)) await client.updateHumanUser({ userId: user.userId, profile: wholeOf(values) });
    await refresh(UserService);
  };
  return (
    <Section title={t("user.profile.title")}>
      <Form form={form} onSave={save} done={t("user.saved")} readOnlyReason={obstacle}>
        <div className="field-row">
          <Field name="givenName" label={t("user.givenName")} isRequired />
          <Field name="familyName" label={t("user.familyName")} isRequired />
        </div>
        <div className="field-row">
          <Field name="displayName" label={t("user.displayName")} hint={t("user.displayName.hint")} />
          <Field name="nickName" label={t("user.nickName")} />
        </div>
        <Field
          name="username"
          label={t("user.username")}
          hint={t("user.username.hint")}
          spellCheck={false}
          isRequired
        />
        <div className="field-row">
          <SelectField
            name="language"
            label={t("user.language")}
            options={[["", t("user.language.none")], ...languageChoices(languages, former.language)]}
          />
          <SelectField name="gender" label={t("user.gender")} options={genderChoices()} />
        </div>
      </Form>
    </Section>
  );
}

function languageChoices(languages: readonly string[], present: string): (readonly [value: string, label: string])[] {
  const all = present === "" || languages.includes(present) ? languages : [...languages, present];
  return all
    .map((language) => [language, languageName(language)] as const)
    .sort(([, first], [, second]) => first.localeCompare(second));
}

function valuesOf({ username }: User, { profile }: HumanUser): Values {
  const language = profile?.preferredLanguage ?? "";
  return {
    givenName: profile?.givenName ?? "",
    familyName: profile?.familyName ?? "",
    displayName: profile?.displayName ?? "",
    nickName: profile?.nickName ?? "",
    username,
    language: language === "und" ? "" : language,
    gender: String(profile?.gender ?? 0),
  };
}

/** Only what was changed to something; the method leaves the rest. */
const changesOf = (values: Values, former: Values) => ({
  ...(values.givenName !== former.givenName && { givenName: values.givenName }),
  ...(values.familyName !== former.familyName && { familyName: values.familyName }),
  ...(values.displayName !== former.displayName && values.displayName !== "" && { displayName: values.displayName }),
  ...(values.nickName !== former.nickName && values.nickName !== "" && { nickName: values.nickName }),
  ...(values.language !== former.language && values.language !== "" && { preferredLanguage: values.language }),
  ...(values.gender !== former.gender && { gender: Number(values.gender) }),
});

const isEmptied = (values: Values, former: Values): boolean =>
  (["displayName", "nickName", "language"] as const).some((name) => values[name] === "" && former[name] !== "");

const wholeOf = (values: Values) => ({
  givenName: values.givenName,
  familyName: values.familyName,
  nickName: values.nickName,
  gender: Number(values.gender),
  ...(values.displayName !== "" && { displayName: values.displayName }),
  ...(values.language !== "" && { preferredLanguage: values.language }),
});
