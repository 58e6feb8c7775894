import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import type { Project } from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Copyable } from "../../parts/copyable.tsx";
import { CheckField, Field, Form, SelectField } from "../../parts/form.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ProjectFrame } from "./project-frame.tsx";

/** Facts about a project, and what it demands of users who sign in to its applications. */
export const ProjectSettingsPage = () => (
  <ProjectFrame>{(project) => <ProjectSettings key={project.projectId} project={project} />}</ProjectFrame>
);

function ProjectSettings({ project }: { readonly project: Project }) {
  const { projectId } = project;
  const client = createClient(ProjectService, useTransport());
  const queries = useQueryClient();
  const form = useForm({
    defaultValues: {
      name: project.name,
      projectRoleAssertion: project.projectRoleAssertion,
      authorizationRequired: project.authorizationRequired,
      projectAccessRequired: project.projectAccessRequired,
      privateLabelingSetting: String(project.privateLabelingSetting),
    },
  });
  return (
    <>
      <Section title={t("project.facts")}>
        <Facts
          facts={[
            [t("project.id"), <Copyable key="id" value={projectId} />],
            [t("project.organization"), <Copyable key="organization" value={project.organizationId} />],
            [t("project.created"), <Time key="created" at={project.creationDate} />],
            [t("project.changed"), <Time key="changed" at={project.changeDate} />],
          ]}
        />
      </Section>
      <Section title={t("project.tab.settings")}>
        <Form
          form={form}
          done={t("project.saved")}
          readOnlyReason={useObstacle("project.write")}
          onSave={async ({ privateLabelingSetting, ...values }) => {
            await client.updateProject({
              projectId,
              ...values,
              privateLabelingSetting: Number(privateLabelingSetting),
            });
            await queries.invalidateQueries();
          }}
        >
          <Field name="name" label={t("project.name")} isRequired />
          <CheckField name="projectRoleAssertion" label={t("project.assertion")} hint={t("project.assertion.hint")} />
          <CheckField name="authorizationRequired" label={t("project.required")} hint={t("project.required.hint")} />
          <CheckField name="projectAccessRequired" label={t("project.access")} hint={t("project.access.hint")} />
          <SelectField
            name="privateLabelingSetting"
            label={t("project.branding")}
            options={[
              ["0", t("project.branding.default")],
              ["1", t("project.branding.owner")],
              ["2", t("project.branding.user")],
            ]}
          />
        </Form>
      </Section>
    </>
  );
}
