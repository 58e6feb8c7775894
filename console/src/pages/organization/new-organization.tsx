import { useMutation } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { useFinders } from "../../parts/finders.ts";
import { Field, Form } from "../../parts/form.tsx";
import { Page, Section } from "../../parts/page.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { PickerField } from "../../parts/picker-field.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ownerRole } from "./roles.ts";

interface Values {
  readonly name: string;
  readonly owner: Choice | undefined;
}

/** Creates an organization. */
export function NewOrganizationPage() {
  const { go } = useAddress();
  const refresh = useRefresh();
  const add = useMutation(OrganizationService.method.addOrganization);
  const form = useForm<Values>({ defaultValues: { name: "", owner: undefined } });
  const { findUsers } = useFinders();
  return (
    <Page
      title={t("organization.create")}
      lead={t("organization.createLead")}
      parent={{ to: "/organizations", label: t("nav.organizations") }}
    >
      <Section title={t("organization.about")}>
        <Form
          form={form}
          action={t("organization.create")}
          readOnlyReason={useObstacle("org.create")}
          onSave={async ({ name, owner }) => {
            const admins = owner === undefined ? [] : [ownerOf(owner)];
            const { organizationId } = await add.mutateAsync({ name: name.trim(), admins });
            await refresh(OrganizationService);
            tell(t("organization.createdNamed", { name: name.trim() }));
            // After the form has noted that it is saved, so that it does not ask about unsaved changes.
            setTimeout(() => go(`/organizations/${organizationId}`));
          }}
        >
          <Field
            name="name"
            label={t("organization.name")}
            hint={t("organization.nameHint")}
            isRequired
            maxLength={200}
          />
          <PickerField
            name="owner"
            label={t("organization.owner")}
            hint={t("organization.ownerHint")}
            queryKey="user"
            find={findUsers}
          />
        </Form>
      </Section>
    </Page>
  );
}

const ownerOf = ({ id }: Choice) => ({ userType: { case: "userId", value: id } as const, roles: [ownerRole] });
