import { useForm } from "react-hook-form";
import { CheckField, Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { type OidcFormProps, useUpdateOidc } from "./use-update-oidc.ts";

/** Whether users are asked before an application gets something, and what it may do as them. */
export const ApplicationTrustPage = () => (
  <ApplicationFrame>
    {({ applicationId, projectId, configuration }) =>
      configuration.case === "oidcConfiguration" && (
        <Trust key={applicationId} named={{ applicationId, projectId }} configuration={configuration.value} />
      )
    }
  </ApplicationFrame>
);

function Trust({ named, configuration }: OidcFormProps) {
  const update = useUpdateOidc(named);
  const { consentRequired, trustedForApi } = configuration;
  const form = useForm({ defaultValues: { consentRequired, trustedForApi } });
  const mayTrust = useObstacle("iam.write");
  return (
    <Section title={t("application.tab.trust")} lead={t("application.trust.lead")}>
      <Form
        form={form}
        done={t("application.saved")}
        readOnlyReason={useObstacle("project.app.write")}
        onSave={(values) =>
          update({
            // An administrator who sets it vouches for the application, so it is sent only when it was changed.
            ...(values.consentRequired !== consentRequired && { consentRequired: values.consentRequired }),
            // Only administrators of the instance may decide it.
            ...(values.trustedForApi !== trustedForApi && { trustedForApi: values.trustedForApi }),
          })
        }
      >
        <CheckField name="consentRequired" label={t("application.consent")} hint={t("application.consent.hint")} />
        <CheckField
          name="trustedForApi"
          label={t("application.trusted")}
          hint={t("application.trusted.hint")}
          disabledReason={mayTrust}
        />
      </Form>
    </Section>
  );
}
