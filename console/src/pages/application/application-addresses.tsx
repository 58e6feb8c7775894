import { useForm } from "react-hook-form";
import { CheckField, Field, Form, TextField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { checkAddresses, linesOf } from "./check-address.ts";
import { type OidcFormProps, useUpdateOidc } from "./use-update-oidc.ts";

/** Where users return to after they signed in or out. */
export const ApplicationAddressesPage = () => (
  <ApplicationFrame>
    {({ applicationId, projectId, configuration }) =>
      configuration.case === "oidcConfiguration" && (
        <Addresses key={applicationId} named={{ applicationId, projectId }} configuration={configuration.value} />
      )
    }
  </ApplicationFrame>
);

function Addresses({ named, configuration }: OidcFormProps) {
  const update = useUpdateOidc(named);
  const form = useForm({
    defaultValues: {
      redirectUris: configuration.redirectUris.join("\n"),
      postLogoutRedirectUris: configuration.postLogoutRedirectUris.join("\n"),
      additionalOrigins: configuration.additionalOrigins.join("\n"),
      backChannelLogoutUri: configuration.backChannelLogoutUri,
      initiateLoginUri: configuration.initiateLoginUri,
      developmentMode: configuration.developmentMode,
    },
  });
  return (
    <Section title={t("application.tab.addresses")}>
      <Form
        form={form}
        done={t("application.saved")}
        readOnlyReason={useObstacle("project.app.write")}
        onSave={({ redirectUris, postLogoutRedirectUris, additionalOrigins, ...values }) =>
          update({
            ...values,
            redirectUris: linesOf(redirectUris),
            postLogoutRedirectUris: linesOf(postLogoutRedirectUris),
            additionalOrigins: linesOf(additionalOrigins),
          })
        }
      >
        <TextField
          name="redirectUris"
          label={t("application.redirectUris")}
          hint={t("application.redirectUris.hint")}
          check={checkAddresses}
        />
        <TextField
          name="postLogoutRedirectUris"
          label={t("application.logoutUris")}
          hint={t("application.redirectUris.hint")}
          check={checkAddresses}
          rows={3}
        />
        <TextField
          name="additionalOrigins"
          label={t("application.origins")}
          hint={t("application.origins.hint")}
          check={checkAddresses}
          rows={2}
        />
        <Field
          name="backChannelLogoutUri"
          label={t("application.backChannel")}
          hint={t("application.backChannel.hint")}
        />
        <Field name="initiateLoginUri" label={t("application.initiate")} hint={t("application.initiate.hint")} />
        <CheckField
          name="developmentMode"
          label={t("application.development")}
          hint={t("application.development.hint")}
        />
      </Form>
    </Section>
  );
}
