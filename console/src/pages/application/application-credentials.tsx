import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { APIAuthMethodType } from "@doorward/api/service/application/v2/api_pb";
import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { OIDCAuthMethodType } from "@doorward/api/service/application/v2/oidc_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { Form, SelectField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { SecretDialog } from "../../parts/secret-dialog.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { ApplicationKeys } from "./application-keys.tsx";
import { oidcMethods } from "./oidc-methods.ts";

/** How an application proves who it is: the method, and its secret or keys. */
export const ApplicationCredentialsPage = () => (
  <ApplicationFrame>
    {(application) => (
      <>
        <Method key={application.applicationId} application={application} />
        {uses(application) === "secret" && <ClientSecret application={application} />}
        {uses(application) === "key" && <ApplicationKeys application={application} />}
        {application.hasRegistrationToken && <RegistrationToken application={application} />}
      </>
    )}
  </ApplicationFrame>
);

function uses({ configuration }: Application): "secret" | "key" | undefined {
  if (configuration.case === "apiConfiguration")
    return configuration.value.authMethodType === APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC ? "secret" : "key";
  if (configuration.case !== "oidcConfiguration") return undefined;
  const method = configuration.value.authMethodType;
  if (method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT) return "key";
  return method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE ? undefined : "secret";
}

const apiMethods = () =>
  [
    [String(APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC), t("application.method.basic")],
    [String(APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT), t("application.method.key")],
  ] as const;

function Method({ application: { applicationId, projectId, configuration } }: { readonly application: Application }) {
  const client = createClient(ApplicationService, useTransport());
  const refresh = useRefresh();
  const isApi = configuration.case === "apiConfiguration";
  const present = isApi || configuration.case === "oidcConfiguration" ? String(configuration.value.authMethodType) : "";
  const form = useForm({ defaultValues: { method: present } });
  return (
    <Section title={t("application.method")} lead={t("application.method.lead")}>
      <Form
        form={form}
        done={t("application.saved")}
        readOnlyReason={useObstacle("project.app.write")}
        onSave={async ({ method }) => {
          const authMethodType = Number(method);
          await client.updateApplication({
            applicationId,
            projectId,
            applicationType: isApi
              ? { case: "apiConfiguration", value: { authMethodType } }
              : { case: "oidcConfiguration", value: { authMethodType } },
          });
          await refresh(ApplicationService);
        }}
      >
        <SelectField name="method" label={t("application.method.one")} options={isApi ? apiMethods() : oidcMethods()} />
      </Form>
    </Section>
  );
}

function ClientSecret({ application }: { readonly application: Application }) {
  const { applicationId, projectId, hasSecret } = application;
  const refresh = useRefresh();
  const client = createClient(ApplicationService, useTransport());
  const [secret, setSecret] = useState<string>();
  return (
    <Section
      title={t("application.secret")}
      lead={t("application.secret.lead")}
      actions={
        <DialogButton
          icon="key"
          disabledReason={useObstacle("project.app.write")}
          dialog={(close) => (
            <DangerDialog
              title={t("application.secret.generate")}
              look={hasSecret ? "danger" : "primary"}
              consequences={hasSecret ? [t("application.secret.consequence")] : []}
              action={t("application.secret.generate")}
              onConfirm={async () => {
                setSecret((await client.generateClientSecret({ applicationId, projectId })).clientSecret);
                await refresh(ApplicationService);
              }}
              onClose={close}
            />
          )}
        >
          {t("application.secret.generate")}
        </DialogButton>
      }
    >
      <p>{hasSecret ? t("application.secret.exists") : t("application.secret.absent")}</p>
      {secret !== undefined && (
        <SecretDialog
          title={t("application.secret")}
          values={[[t("application.secret"), secret]]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  );
}

/** With what an application that registered itself changes and deletes itself (RFC 7592). */
function RegistrationToken({ application: { applicationId, projectId } }: { readonly application: Application }) {
  const refresh = useRefresh();
  const client = createClient(ApplicationService, useTransport());
  return (
    <Section
      title={t("application.registration")}
      actions={
        <DialogButton
          icon="key"
          disabledReason={useObstacle("project.app.write")}
          dialog={(close) => (
            <DangerDialog
              title={t("application.registration.revoke")}
              consequences={[t("application.registration.consequence")]}
              action={t("application.registration.revoke")}
              onConfirm={async () => {
                await client.revokeRegistrationToken({ applicationId, projectId });
                await refresh(ApplicationService);
                tell(t("application.registration.revoked"));
              }}
              onClose={close}
            />
          )}
        >
          {t("application.registration.revoke")}
        </DialogButton>
      }
    >
      <p>{t("application.registration.lead")}</p>
    </Section>
  );
}
