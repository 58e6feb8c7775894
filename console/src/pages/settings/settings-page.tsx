import { useTransport } from "@connectrpc/connect-query";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { CheckField, Field, Form, TextField } from "../../parts/form.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { NotFound } from "../../shell/not-found.tsx";
import { t } from "../../text/catalogue.ts";
import {
  type SettingField,
  type SettingsAccess,
  type SettingsDocument,
  type SettingValues,
  toRequest,
  toValues,
} from "./document.ts";
import { documentsOf } from "./documents.ts";
import { instanceAccess } from "./instance-access.ts";
import { organizationAccess } from "./organization-access.ts";

/** One document of settings, of the instance or of the organization that the console is about. */
export function SettingsPage() {
  const { params } = useAddress();
  const organizationId = useOrganizationId();
  const transport = useTransport();
  const path = params["document"] ?? "";
  const document = documentsOf(organizationId === undefined).find((one) => one.path === path);
  const access = organizationId === undefined ? instanceAccess(transport, path) : organizationAccess(transport, path);
  const found = useQuery({
    queryKey: ["settings", path],
    queryFn: () => access?.read() ?? Promise.reject(new Error(path)),
    enabled: access !== undefined,
  });
  if (document === undefined || access === undefined) return <NotFound />;
  return (
    <Page
      title={t(document.title)}
      lead={t(document.lead)}
      parent={{ to: "/settings", label: t("nav.settings") }}
      badges={organizationId !== undefined && found.data && <Origin isDefault={found.data.isDefault} />}
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data?.policy && (
        <DocumentForm
          key={found.dataUpdatedAt}
          document={document}
          access={access}
          policy={found.data.policy}
          isDefault={found.data.isDefault}
        />
      )}
    </Page>
  );
}

const Origin = ({ isDefault }: { readonly isDefault: boolean }) => (
  <Badge look={isDefault ? "neutral" : "good"}>{isDefault ? t("settings.inherited") : t("settings.own")}</Badge>
);

interface DocumentFormProps {
  readonly document: SettingsDocument;
  readonly access: SettingsAccess;
  readonly policy: object;
  readonly isDefault: boolean;
}

function DocumentForm({ document, access, policy, isDefault }: DocumentFormProps) {
  const queries = useQueryClient();
  const [isResetting, setResetting] = useState(false);
  const form = useForm<Record<string, string | number | boolean>>({ defaultValues: toValues(document.fields, policy) });
  const readAgain = () => queries.invalidateQueries({ queryKey: ["settings", document.path] });
  const obstacle = useObstacle(access.writePermission);
  const save = async (values: SettingValues) => {
    await access.write(toRequest(document.fields, policy, values), isDefault);
    await readAgain();
  };
  return (
    <>
      {access.reset && isDefault && <Notice>{t("settings.inherited.hint")}</Notice>}
      <Form
        form={form}
        onSave={save}
        done={t("settings.saved")}
        readOnlyReason={obstacle}
        more={access.reset && !isDefault && <Button onClick={() => setResetting(true)}>{t("settings.reset")}</Button>}
      >
        {document.fields.map((field) => (
          <SettingInput key={field.name} field={field} />
        ))}
      </Form>
      {isResetting && access.reset && (
        <DangerDialog
          title={t("settings.reset")}
          consequences={[t("settings.reset.consequence")]}
          action={t("settings.reset")}
          onConfirm={async () => {
            await access.reset?.();
            await readAgain();
          }}
          onClose={() => setResetting(false)}
        />
      )}
    </>
  );
}

function SettingInput({ field: { name, kind, text, hint } }: { readonly field: SettingField }) {
  const label =
    kind === "minutes" || kind === "hours" || kind === "days" ? `${t(text)} ${t(`settings.in.${kind}`)}` : t(text);
  const common = { name, label, hint: hint && t(hint) };
  if (kind === "flag") return <CheckField {...common} />;
  if (kind === "lines") return <TextField {...common} />;
  if (kind === "text") return <Field {...common} />;
  return <Field {...common} type="number" min={0} step={kind === "count" ? 1 : "any"} isRequired />;
}
