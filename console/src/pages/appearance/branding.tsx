import { useTransport } from "@connectrpc/connect-query";
import { AppearanceService } from "@doorward/api/service/appearance/v2/appearance_service_pb";
import { type LabelPolicy, ThemeMode } from "@doorward/api/service/policy/v1/policy_pb";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ColorField } from "../../parts/color-field.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { CheckField, Form, SelectField } from "../../parts/form.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { t, textLanguage } from "../../text/catalogue.ts";
import { type BrandingAccess, brandingAccess } from "./branding-access.ts";
import { BrandingFiles } from "./branding-files.tsx";
import { ContrastMeter } from "./contrast-meter.tsx";
import { colorNames, isSame, type LookValues, toLook, toRequest, toValues, usualColors } from "./look.ts";
import { PagePreview } from "./page-preview.tsx";

const queryKey = ["branding"];

/** Colors, pictures and font: a draft beside the real pages, which users see once it is activated. */
export function BrandingPage() {
  const organizationId = useOrganizationId();
  const access = brandingAccess(useTransport(), organizationId);
  const found = useQuery({ queryKey, queryFn: access.read, refetchOnWindowFocus: false });
  const { active, draft } = found.data ?? {};
  return (
    <Page
      title={t("appearance.branding")}
      lead={t("appearance.branding.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      badges={active && draft && <State active={active} draft={draft} isInstance={organizationId === undefined} />}
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {active && draft && <Branding active={active} draft={draft} access={access} />}
    </Page>
  );
}

const State = (props: { readonly active: LabelPolicy; readonly draft: LabelPolicy; readonly isInstance: boolean }) => (
  <>
    {!props.isInstance && (
      <Badge look={props.active.isDefault ? "neutral" : "good"}>
        {props.active.isDefault ? t("appearance.inherited") : t("appearance.own")}
      </Badge>
    )}
    {!isSame(props.active, props.draft) && <Badge look="warning">{t("appearance.draft")}</Badge>}
  </>
);

interface BrandingProps {
  readonly active: LabelPolicy;
  readonly draft: LabelPolicy;
  readonly access: BrandingAccess;
}

function Branding({ active, draft, access }: BrandingProps) {
  const queries = useQueryClient();
  const refresh = useRefresh();
  const obstacle = useObstacle(access.permission);
  const [isResetting, setResetting] = useState(false);
  const form = useForm<LookValues>({ defaultValues: toValues(draft) });
  const values = useWatch({ control: form.control }) as LookValues;
  const isInherited = access.reset !== undefined && draft.isDefault;
  const readAgain = async () => {
    await queries.invalidateQueries({ queryKey });
    await refresh(AppearanceService);
  };
  return (
    <div className="with-preview">
      <div className="column">
        {isInherited && <Notice>{t("appearance.inherited.hint")}</Notice>}
        {!isSame(active, draft) && !form.formState.isDirty && (
          <DraftNotice access={access} obstacle={obstacle} onActivated={readAgain} />
        )}
        <Form
          form={form}
          action={t("appearance.saveDraft")}
          done={t("appearance.savedDraft")}
          readOnlyReason={obstacle}
          onSave={async (typed) => {
            await access.save(toRequest(typed), isInherited);
            await readAgain();
          }}
          more={
            access.reset !== undefined &&
            !isInherited && <Button onClick={() => setResetting(true)}>{t("appearance.reset")}</Button>
          }
        >
          <div className="theme-columns">
            <ThemeFields suffix="" values={values} />
            <ThemeFields suffix="Dark" values={values} />
          </div>
          <LookChoices />
        </Form>
        <BrandingFiles
          draft={draft}
          access={access}
          reason={obstacle ?? (isInherited ? t("appearance.files.needOwn") : undefined)}
          onChanged={readAgain}
        />
      </div>
      <PagePreview language={textLanguage} look={toLook(values)} hasMessages />
      {isResetting && access.reset && (
        <DangerDialog
          title={t("appearance.reset")}
          consequences={[t("appearance.reset.look")]}
          action={t("appearance.reset")}
          onConfirm={async () => {
            await access.reset?.();
            const { draft: next } = await access.read();
            if (next) form.reset(toValues(next));
            await readAgain();
          }}
          onClose={() => setResetting(false)}
        />
      )}
    </div>
  );
}

const DraftNotice = (props: {
  readonly access: BrandingAccess;
  readonly obstacle: string | undefined;
  readonly onActivated: () => Promise<void>;
}) => (
  <Notice kind="warning">
    <p>{t("appearance.draft.hint")}</p>
    <ActionButton
      look="primary"
      done={t("appearance.activated")}
      disabledReason={props.obstacle}
      run={async () => {
        await props.access.activate();
        await props.onActivated();
      }}
    >
      {t("appearance.activate")}
    </ActionButton>
  </Notice>
);

const LookChoices = () => (
  <>
    <SelectField
      name="themeMode"
      label={t("appearance.mode")}
      hint={t("appearance.mode.hint")}
      options={[
        [String(ThemeMode.AUTO), t("appearance.mode.auto")],
        [String(ThemeMode.LIGHT), t("appearance.mode.light")],
        [String(ThemeMode.DARK), t("appearance.mode.dark")],
      ]}
    />
    <CheckField name="hideLoginNameSuffix" label={t("appearance.hideSuffix")} hint={t("appearance.hideSuffix.hint")} />
    <CheckField
      name="disableWatermark"
      label={t("appearance.hideWatermark")}
      hint={t("appearance.hideWatermark.hint")}
    />
  </>
);

const ThemeFields = ({ suffix, values }: { readonly suffix: "" | "Dark"; readonly values: LookValues }) => (
  <fieldset className="section">
    <legend>
      <h2>{suffix === "" ? t("appearance.theme.light") : t("appearance.theme.dark")}</h2>
    </legend>
    {colorNames.map((name) => (
      <ColorField
        key={name}
        name={`${name}${suffix}`}
        label={t(`appearance.color.${name}`)}
        usual={usualColors[`${name}${suffix}`]}
      />
    ))}
    <ContrastMeter values={values} suffix={suffix} />
  </fieldset>
);
