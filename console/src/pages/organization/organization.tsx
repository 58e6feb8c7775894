import { useMutation } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { Organization } from "@doorward/api/service/org/v2/organization_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { Copyable } from "../../parts/copyable.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useObstacleIn } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { OrganizationCounts } from "./organization-counts.tsx";
import { OrganizationDanger } from "./organization-danger.tsx";
import { OrganizationFrame } from "./organization-frame.tsx";

/** The overview of an organization: facts, its name, and what ends it. */
export const OrganizationPage = () => (
  <OrganizationFrame>
    {(organization) => (
      <>
        <Section title={t("organization.about")}>
          <Facts
            facts={[
              [t("organization.id"), <Copyable key="id" value={organization.id} label={t("organization.id")} />],
              [t("organization.primaryDomain"), organization.primaryDomain],
              [t("organization.created"), <Time key="created" at={organization.details?.creationDate} />],
              [t("organization.changed"), <Time key="changed" at={organization.details?.changeDate} />],
            ]}
          />
          <OrganizationCounts organizationId={organization.id} />
        </Section>
        <Section title={t("organization.rename")}>
          <NameForm key={organization.name} of={organization} />
        </Section>
        <OrganizationDanger of={organization} />
      </>
    )}
  </OrganizationFrame>
);

function NameForm({ of: { id, name } }: { readonly of: Organization }) {
  const form = useForm({ defaultValues: { name } });
  const refresh = useRefresh();
  const update = useMutation(OrganizationService.method.updateOrganization);
  return (
    <Form
      form={form}
      done={t("organization.renamed")}
      readOnlyReason={useObstacleIn(id, "org.write")}
      onSave={async (values) => {
        await update.mutateAsync({ organizationId: id, name: values.name.trim() });
        await refresh(OrganizationService);
      }}
    >
      <Field
        name="name"
        label={t("organization.name")}
        hint={t("organization.renameHint")}
        isRequired
        maxLength={200}
      />
    </Form>
  );
}
