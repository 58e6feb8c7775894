import { useQuery } from "@connectrpc/connect-query";
import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { Link } from "@tanstack/react-router";
import { CodeBlock } from "../../parts/code-block.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { readEnvironment } from "../../session/environment.ts";
import { t } from "../../text/catalogue.ts";
import { clientIdOf } from "./application-facts.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { SamlAddresses } from "./saml-addresses.tsx";
import { introspection } from "./snippets.ts";

/** What a developer needs to connect an application. */
export const ApplicationOverviewPage = () => (
  <ApplicationFrame>
    {(application) => (
      <>
        <Connection application={application} />
        {application.configuration.case === "samlConfiguration" && (
          <Section title={t("application.saml.ours")} lead={t("application.saml.ours.lead")}>
            <SamlAddresses />
          </Section>
        )}
        {application.configuration.case === "apiConfiguration" && <Introspection />}
      </>
    )}
  </ApplicationFrame>
);

function Connection({ application }: { readonly application: Application }) {
  const isSaml = application.configuration.case === "samlConfiguration";
  const clientId = <Copyable key="client" value={clientIdOf(application)} />;
  const { projectId } = application;
  const project = useQuery(ProjectService.method.getProject, { projectId });
  return (
    <Section title={t("application.connect")}>
      <Facts
        facts={[
          ...(isSaml
            ? [[t("application.saml.entityId"), clientId] as const]
            : [
                [t("application.issuer"), <Copyable key="issuer" value={readEnvironment().origin} />] as const,
                [t("application.clientId"), clientId] as const,
              ]),
          [t("application.id"), <Copyable key="id" value={application.applicationId} />],
          [
            t("application.project"),
            <Link key="project" to={`/projects/${projectId}` as "/"}>
              {project.data?.project?.name ?? projectId}
            </Link>,
          ],
          [t("application.createdAt"), <Time key="created" at={application.creationDate} />],
          [t("application.changed"), <Time key="changed" at={application.changeDate} />],
        ]}
      />
    </Section>
  );
}

function Introspection() {
  const { origin } = readEnvironment();
  return (
    <Section title={t("application.introspection")} lead={t("application.introspection.lead")}>
      <Facts
        facts={[
          [t("application.introspection.endpoint"), <Copyable key="one" value={`${origin}/oauth/v2/introspect`} />],
          [t("application.introspection.keys"), <Copyable key="keys" value={`${origin}/oauth/v2/keys`} />],
        ]}
      />
      <CodeBlock
        code={introspection({ issuer: origin, clientId: "", redirectUri: "" })}
        label={t("application.introspection")}
      />
    </Section>
  );
}
