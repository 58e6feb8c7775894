import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { APIAuthMethodType } from "@doorward/api/service/application/v2/api_pb";
import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { OIDCAuthMethodType } from "@doorward/api/service/application/v2/oidc_pb";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { readEnvironment } from "../../session/environment.ts";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { clientIdOf } from "./application-facts.ts";
import { ApplicationFrame } from "./application-frame.tsx";

/** What a developer needs to connect an application, and its secret. */
export const ApplicationOverviewPage = () => (
  <ApplicationFrame>
    {(application) => (
      <>
        <Connection application={application} />
        {usesSecret(application) && <ClientSecret application={application} />}
      </>
    )}
  </ApplicationFrame>
);

const Connection = ({ application }: { readonly application: Application }) => (
  <Section title={t("application.connect")}>
    <Facts
      facts={[
        [t("application.issuer"), <Copyable key="issuer" value={readEnvironment().origin} />],
        [t("application.clientId"), <Copyable key="client" value={clientIdOf(application)} />],
        [t("application.id"), <Copyable key="id" value={application.applicationId} />],
        [
          t("application.project"),
          <Link key="project" to={`/projects/${application.projectId}` as "/"}>
            {application.projectId}
          </Link>,
        ],
        [t("application.createdAt"), <Time key="created" at={application.creationDate} />],
        [t("application.changed"), <Time key="changed" at={application.changeDate} />],
      ]}
    />
  </Section>
);

function usesSecret({ configuration }: Application): boolean {
  if (configuration.case === "apiConfiguration")
    return configuration.value.authMethodType === APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC;
  const method = configuration.case === "oidcConfiguration" ? configuration.value.authMethodType : undefined;
  return (
    method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC ||
    method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST
  );
}

function ClientSecret({ application: { applicationId, projectId } }: { readonly application: Application }) {
  const client = createClient(ApplicationService, useTransport());
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const obstacle = useObstacle("project.app.write");
  return (
    <Section
      title={t("application.secret")}
      lead={t("application.secret.lead")}
      actions={
        <Button icon="key" disabledReason={obstacle} onClick={() => setAsking(true)}>
          {t("application.secret.generate")}
        </Button>
      }
    >
      {secret !== undefined && (
        <Notice kind="warning">
          <p>{t("application.secret.once")}</p>
          <Copyable value={secret} label={t("application.secret")} />
        </Notice>
      )}
      {isAsking && (
        <DangerDialog
          title={t("application.secret.generate")}
          consequences={[t("application.secret.consequence")]}
          action={t("application.secret.generate")}
          onConfirm={async () =>
            setSecret((await client.generateClientSecret({ applicationId, projectId })).clientSecret)
          }
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
