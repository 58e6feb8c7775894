import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { Field, Form, SelectField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useUserClient } from "./user-calls.ts";
import { tokenTypeChoices } from "./words.ts";

/** What a service account is called, and which tokens it gets. */
export function ServiceAccountForm({ user }: { readonly user: User }) {
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const machine = user.type.case === "machine" ? user.type.value : undefined;
  const former = {
    name: machine?.name ?? "",
    username: user.username,
    description: machine?.description ?? "",
    tokenType: String(machine?.accessTokenType ?? 0),
  };
  const form = useForm({ values: former });
  return (
    <Section title={t("user.tab.settings")}>
      <Form
        form={form}
        done={t("user.saved")}
        readOnlyReason={obstacle}
        onSave={async ({ name, username, description, tokenType }) => {
          await client.updateUser({
            userId: user.userId,
            ...(username !== former.username && { username }),
            userType: {
              case: "machine",
              value: {
                ...(name !== former.name && { name }),
                ...(description !== former.description && { description }),
                ...(tokenType !== former.tokenType && { accessTokenType: Number(tokenType) }),
              },
            },
          });
          await refresh(UserService);
        }}
      >
        <Field name="name" label={t("user.name")} isRequired />
        <Field
          name="username"
          label={t("user.username")}
          hint={t("user.username.serviceHint")}
          spellCheck={false}
          isRequired
        />
        <Field name="description" label={t("user.description")} />
        <SelectField
          name="tokenType"
          label={t("user.tokenType")}
          hint={t("user.tokenType.hint")}
          options={tokenTypeChoices()}
        />
      </Form>
    </Section>
  );
}
