import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { Source } from "@doorward/api/service/feature/v2/feature_pb";
import { FeatureService } from "@doorward/api/service/feature/v2/feature_service_pb";
import type { GetInstanceFeaturesResponse } from "@doorward/api/service/feature/v2/instance_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../../api/refresh.ts";
import { Badge } from "../../../parts/badge.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { CheckField, Field, Form } from "../../../parts/form.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { Page, Section } from "../../../parts/page.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { type TextKey, t } from "../../../text/catalogue.ts";

/** Which login the instance uses, and the flags that programs of other products store. */
export function FeaturesPage() {
  const found = useQuery(FeatureService.method.getInstanceFeatures, { inheritance: true });
  return (
    <Page
      title={t("settings.features")}
      lead={t("settings.features.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={<ResetFeatures />}
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data && (
        <>
          <CustomLogin key={`${found.data.loginV2?.required} ${found.data.loginV2?.baseUri}`} features={found.data} />
          <Flags features={found.data} />
        </>
      )}
    </Page>
  );
}

function ResetFeatures() {
  const client = createClient(FeatureService, useTransport());
  const refresh = useRefresh();
  return (
    <DialogButton
      disabledReason={useObstacle("iam.feature.delete")}
      dialog={(close) => (
        <DangerDialog
          title={t("settings.features.reset")}
          consequences={[t("settings.features.reset.consequence")]}
          action={t("settings.features.reset")}
          onConfirm={async () => {
            await client.resetInstanceFeatures({});
            await refresh(FeatureService);
          }}
          onClose={close}
        />
      )}
    >
      {t("settings.features.reset")}
    </DialogButton>
  );
}

interface FeaturesProps {
  readonly features: GetInstanceFeaturesResponse;
}

function CustomLogin({ features: { loginV2 } }: FeaturesProps) {
  const client = createClient(FeatureService, useTransport());
  const refresh = useRefresh();
  const form = useForm({ defaultValues: { required: loginV2?.required === true, baseUri: loginV2?.baseUri ?? "" } });
  return (
    <Section title={t("settings.features.login")} lead={t("settings.features.login.lead")}>
      <Form
        form={form}
        done={t("settings.saved")}
        readOnlyReason={useObstacle("iam.feature.write")}
        onSave={async ({ required, baseUri }) => {
          const address = baseUri.trim();
          await client.setInstanceFeatures({ loginV2: { required, ...(address !== "" && { baseUri: address }) } });
          await refresh(FeatureService);
        }}
      >
        <CheckField
          name="required"
          label={t("settings.features.login.required")}
          hint={t("settings.features.login.required.hint")}
        />
        <Field
          name="baseUri"
          label={t("settings.features.login.address")}
          type="url"
          placeholder="https://"
          check={(value) =>
            value.trim() === "" || URL.canParse(value.trim()) ? undefined : t("settings.features.login.invalid")
          }
        />
      </Form>
    </Section>
  );
}

/** The flags that are on or off. What they switch elsewhere is always on here, or has no counterpart. */
const flags = {
  loginDefaultOrg: "settings.features.loginDefaultOrg",
  userSchema: "settings.features.userSchema",
  debugOidcParentError: "settings.features.debugOidcParentError",
  oidcSingleV1SessionTermination: "settings.features.singleTermination",
  permissionCheckV2: "settings.features.permissionCheck",
  consoleUseV2UserApi: "settings.features.consoleUsers",
  enableRelationalTables: "settings.features.relationalTables",
} as const satisfies Partial<Record<keyof GetInstanceFeaturesResponse, TextKey>>;

interface Flag {
  readonly name: keyof typeof flags;
  readonly isOn: boolean;
  readonly source: Source;
}

const columns: readonly Column<Flag>[] = [
  { key: "name", header: t("settings.features.flag"), cell: ({ name }) => t(flags[name]) },
  {
    key: "state",
    header: t("settings.keys.state"),
    cell: ({ isOn }) =>
      isOn ? <Badge look="good">{t("settings.features.on")}</Badge> : <Badge>{t("settings.features.off")}</Badge>,
  },
  { key: "source", header: t("settings.features.source"), cell: ({ source }) => sourceText(source), isSecondary: true },
];

function sourceText(source: Source): string {
  if (source === Source.INSTANCE) return t("settings.features.source.instance");
  return source === Source.SYSTEM ? t("settings.features.source.system") : t("settings.features.source.builtIn");
}

const Flags = ({ features }: FeaturesProps) => (
  <Section title={t("settings.features.others")} lead={t("settings.features.others.lead")}>
    <Table
      label={t("settings.features.others")}
      columns={columns}
      rows={(Object.keys(flags) as (keyof typeof flags)[]).map((name) => ({
        name,
        isOn: features[name]?.enabled === true,
        source: features[name]?.source ?? Source.UNSPECIFIED,
      }))}
      rowKey={({ name }) => name}
      empty={null}
    />
  </Section>
);
