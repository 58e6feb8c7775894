import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Field, Form, SelectField } from "../../parts/form.tsx";
import { Page, Section } from "../../parts/page.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { OrganizationField } from "./new-user.tsx";
import { tokenTypeChoices } from "./words.ts";

interface Values {
  readonly name: string;
  readonly username: string;
  readonly description: string;
  readonly organization: Choice | undefined;
  readonly tokenType: string;
}

/** Creates a service account, which gets its credentials on its own page. */
export function NewServiceAccountPage() {
  const { go } = useAddress();
  const scope = useOrganizationId();
  const client = createClient(UserService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacle("user.write");
  const form = useForm<Values>({
    defaultValues: { name: "", username: "", description: "", organization: undefined, tokenType: "0" },
  });
  const create = async (values: Values) => {
    const { id } = await client.createUser({
      organizationId: scope ?? values.organization?.id ?? "",
      username: values.username,
      userType: {
        case: "machine",
        value: {
          name: values.name,
          ...(values.description !== "" && { description: values.description }),
          accessTokenType: Number(values.tokenType),
        },
      },
    });
    await refresh(UserService);
    tell(t("user.new.serviceDone"));
    go(`/users/${id}/credentials`);
  };
  return (
    <Page
      title={t("user.new.serviceTitle")}
      lead={t("user.new.serviceLead")}
      parent={{ to: "/users", label: t("nav.users") }}
    >
      <Section title={t("user.new.what")}>
        <Form form={form} onSave={create} action={t("user.new.serviceAction")} readOnlyReason={obstacle}>
          <Field name="name" label={t("user.name")} isRequired />
          <Field
            name="username"
            label={t("user.username")}
            hint={t("user.new.serviceUsernameHint")}
            spellCheck={false}
            isRequired
          />
          <Field name="description" label={t("user.description")} />
          {scope === undefined && <OrganizationField />}
          <SelectField
            name="tokenType"
            label={t("user.tokenType")}
            hint={t("user.tokenType.hint")}
            options={tokenTypeChoices()}
          />
        </Form>
      </Section>
    </Page>
  );
}
