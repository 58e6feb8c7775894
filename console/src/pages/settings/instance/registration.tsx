import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import type { SecuritySettings } from "@doorward/api/service/settings/v2/security_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { useForm, useFormContext } from "react-hook-form";
import { useRefresh } from "../../../api/refresh.ts";
import { CheckField, Field, Form, TextField } from "../../../parts/form.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { Page, Section } from "../../../parts/page.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";

/** Which clients may register themselves, and what they and other organizations get of users. */
export function RegistrationPage() {
  const found = useQuery(SettingsService.method.getSecuritySettings, {});
  return (
    <Page
      title={t("settings.registration")}
      lead={t("settings.registration.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data?.settings && <RegistrationForm settings={found.data.settings} />}
    </Page>
  );
}

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== "");

function valuesOf(settings: SecuritySettings) {
  const registration = settings.dynamicClientRegistration;
  const documents = settings.clientIdMetadataDocument;
  return {
    enabled: registration?.enabled === true,
    allowUnauthenticated: registration?.allowUnauthenticated === true,
    maxUnusedClients: String(registration?.maxUnusedClients ?? 0),
    maxUnusedClientsPerSource: String(registration?.maxUnusedClientsPerSource ?? 0),
    lifetimeHours: String(Number(registration?.unusedClientLifetime?.seconds ?? 0) / 3600),
    documentsEnabled: documents?.enabled === true,
    allowAnyUrl: documents?.allowAnyUrl === true,
    allowedUrls: (documents?.allowedUrls ?? []).join("\n"),
    skipConsent: settings.skipConsentAcrossOrganizations,
    claimNamespaces: settings.claimNamespaces.join("\n"),
  };
}

function RegistrationForm({ settings }: { readonly settings: SecuritySettings }) {
  const client = createClient(SettingsService, useTransport());
  const refresh = useRefresh();
  const form = useForm({ defaultValues: valuesOf(settings) });
  const save = async (values: ReturnType<typeof valuesOf>) => {
    // The method replaces the whole document, of which this page shows a part: the other part is read at once before.
    const { embeddedIframe, enableImpersonation = false } = (await client.getSecuritySettings({})).settings ?? {};
    await client.setSecuritySettings({
      ...(embeddedIframe && { embeddedIframe }),
      enableImpersonation,
      dynamicClientRegistration: {
        enabled: values.enabled,
        allowUnauthenticated: values.allowUnauthenticated,
        maxUnusedClients: Number(values.maxUnusedClients),
        maxUnusedClientsPerSource: Number(values.maxUnusedClientsPerSource),
        unusedClientLifetime: { seconds: BigInt(Math.round(Number(values.lifetimeHours) * 3600)), nanos: 0 },
      },
      clientIdMetadataDocument: {
        enabled: values.documentsEnabled,
        allowAnyUrl: values.allowAnyUrl,
        allowedUrls: linesOf(values.allowedUrls),
      },
      claimNamespaces: linesOf(values.claimNamespaces),
      skipConsentAcrossOrganizations: values.skipConsent,
    });
    await refresh(SettingsService);
  };
  return (
    <Section title={t("settings.registration")}>
      <Form form={form} done={t("settings.saved")} readOnlyReason={useObstacle("iam.policy.write")} onSave={save}>
        <RegistrationFields />
        <DocumentFields />
        <CheckField
          name="skipConsent"
          label={t("settings.registration.skipConsent")}
          hint={t("settings.registration.skipConsent.hint")}
        />
        <TextField
          name="claimNamespaces"
          label={t("settings.registration.namespaces")}
          hint={t("settings.registration.namespaces.hint")}
          rows={2}
        />
      </Form>
    </Section>
  );
}

const limit = { type: "number", min: 0, isRequired: true } as const;

function RegistrationFields() {
  const isOn = useFormContext().watch("enabled") as boolean;
  return (
    <>
      <CheckField
        name="enabled"
        label={t("settings.registration.enabled")}
        hint={t("settings.registration.enabled.hint")}
      />
      {isOn && (
        <>
          <CheckField
            name="allowUnauthenticated"
            label={t("settings.registration.anyone")}
            hint={t("settings.registration.anyone.hint")}
          />
          <Field
            {...limit}
            name="maxUnusedClients"
            label={t("settings.registration.most")}
            hint={t("settings.registration.default", { value: 1000 })}
          />
          <Field
            {...limit}
            name="maxUnusedClientsPerSource"
            label={t("settings.registration.mostOfSource")}
            hint={t("settings.registration.default", { value: 20 })}
          />
          <Field
            {...limit}
            step="any"
            name="lifetimeHours"
            label={`${t("settings.registration.lifetime")} ${t("settings.in.hours")}`}
            hint={t("settings.registration.default", { value: 24 })}
          />
        </>
      )}
    </>
  );
}

function DocumentFields() {
  const [isOn, acceptsAll] = useFormContext().watch(["documentsEnabled", "allowAnyUrl"]) as [boolean, boolean];
  return (
    <>
      <CheckField
        name="documentsEnabled"
        label={t("settings.registration.documents")}
        hint={t("settings.registration.documents.hint")}
      />
      {isOn && (
        <>
          <CheckField name="allowAnyUrl" label={t("settings.registration.anyAddress")} />
          {!acceptsAll && (
            <TextField
              name="allowedUrls"
              label={t("settings.registration.addresses")}
              hint={t("settings.registration.addresses.hint")}
            />
          )}
        </>
      )}
    </>
  );
}
