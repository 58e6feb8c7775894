import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { useForm, useWatch } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { ChecksField } from "../../parts/checks-field.tsx";
import { Form, SelectField } from "../../parts/form.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { nameOfLanguage, useSupportedLanguages } from "./languages-choice.tsx";

/** The languages that pages and messages are offered in, and the one of users who prefer none of them. */
export function LanguagesPage() {
  const supported = useSupportedLanguages();
  const restrictions = useQuery(AdminService.method.getRestrictions, {}, { refetchOnWindowFocus: false });
  const usual = useQuery(AdminService.method.getDefaultLanguage, {}, { refetchOnWindowFocus: false });
  const error = restrictions.error ?? usual.error;
  return (
    <Page
      title={t("appearance.languages")}
      lead={t("appearance.languages.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
    >
      {error && <ErrorNotice error={error} />}
      {supported && restrictions.data && usual.data && (
        <LanguagesForm supported={supported} allowed={restrictions.data.allowedLanguages} usual={usual.data.language} />
      )}
    </Page>
  );
}

interface LanguagesFormProps {
  readonly supported: readonly string[];
  /** Empty when all are. */
  readonly allowed: readonly string[];
  readonly usual: string;
}

interface Values {
  readonly allowed: readonly string[];
  readonly usual: string;
}

function LanguagesForm({ supported, allowed, usual }: LanguagesFormProps) {
  const admin = createClient(AdminService, useTransport());
  const refresh = useRefresh();
  const cannotRestrict = useObstacle("iam.restrictions.write");
  const cannotChoose = useObstacle("iam.write");
  const form = useForm<Values>({ defaultValues: { allowed: allowed.length === 0 ? supported : allowed, usual } });
  const chosen = useWatch({ control: form.control, name: "allowed" });
  const save = async (values: Values) => {
    const restrict = (list: readonly string[]) =>
      // No restriction also allows what a later version adds.
      admin.setRestrictions({ allowedLanguages: { list: list.length === supported.length ? [] : [...list] } });
    const next = values.allowed.includes(values.usual) ? values.allowed : [...values.allowed, values.usual];
    if (values.usual === usual) await restrict(next);
    else {
      // The present default has to stay allowed until there is another.
      await restrict([...new Set([...next, usual])]);
      await admin.setDefaultLanguage({ language: values.usual });
      await restrict(next);
    }
    await refresh(AdminService);
  };
  return (
    <Form form={form} onSave={save} done={t("settings.saved")} readOnlyReason={cannotRestrict ?? cannotChoose}>
      <SelectField
        name="usual"
        label={t("appearance.languages.usual")}
        hint={t("appearance.languages.usual.hint")}
        options={supported
          .filter((language) => chosen.includes(language) || language === usual)
          .map((language) => [language, nameOfLanguage(language)])}
      />
      <ChecksField
        name="allowed"
        label={t("appearance.languages.offered")}
        empty=""
        isRequired
        choices={supported.map((language) => ({ id: language, name: nameOfLanguage(language) }))}
      />
    </Form>
  );
}
