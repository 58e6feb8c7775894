import { OIDCTokenType } from "@doorward/api/service/application/v2/oidc_pb";
import { useForm } from "react-hook-form";
import { CheckField, Form, SelectField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { type OidcFormProps, useUpdateOidc } from "./use-update-oidc.ts";

/** What tokens of an application contain, and what the application has to do to get them. */
export const ApplicationTokensPage = () => (
  <ApplicationFrame>
    {({ applicationId, projectId, configuration }) =>
      configuration.case === "oidcConfiguration" && (
        <Tokens key={applicationId} named={{ applicationId, projectId }} configuration={configuration.value} />
      )
    }
  </ApplicationFrame>
);

function Tokens({ named, configuration }: OidcFormProps) {
  const update = useUpdateOidc(named);
  const form = useForm({
    defaultValues: {
      accessTokenType: String(configuration.accessTokenType),
      accessTokenRoleAssertion: configuration.accessTokenRoleAssertion,
      idTokenRoleAssertion: configuration.idTokenRoleAssertion,
      idTokenUserinfoAssertion: configuration.idTokenUserinfoAssertion,
      roleListAssertion: configuration.roleListAssertion,
      groupListAssertion: configuration.groupListAssertion,
      pkceRequired: configuration.pkceRequired,
      dpopBoundAccessTokens: configuration.dpopBoundAccessTokens,
      requirePushedAuthorizationRequests: configuration.requirePushedAuthorizationRequests,
      narrowAudience: configuration.narrowAudience,
    },
  });
  return (
    <Section title={t("application.tab.tokens")}>
      <Form
        form={form}
        done={t("application.saved")}
        readOnlyReason={useObstacle("project.app.write")}
        onSave={({ accessTokenType, ...values }) =>
          update({
            ...values,
            accessTokenType: Number(accessTokenType) as OIDCTokenType,
          })
        }
      >
        <SelectField
          name="accessTokenType"
          label={t("application.tokenType")}
          hint={t("application.tokenType.hint")}
          options={[
            [String(OIDCTokenType.OIDC_TOKEN_TYPE_BEARER), t("application.tokenType.opaque")],
            [String(OIDCTokenType.OIDC_TOKEN_TYPE_JWT), t("application.tokenType.jwt")],
          ]}
        />
        <CheckField name="accessTokenRoleAssertion" label={t("application.rolesInAccess")} />
        <CheckField name="idTokenRoleAssertion" label={t("application.rolesInId")} />
        <CheckField name="roleListAssertion" label={t("application.roleList")} hint={t("application.roleList.hint")} />
        <CheckField
          name="groupListAssertion"
          label={t("application.groupList")}
          hint={t("application.groupList.hint")}
        />
        <CheckField name="idTokenUserinfoAssertion" label={t("application.profileInId")} />
        <CheckField name="pkceRequired" label={t("application.pkce")} hint={t("application.pkce.hint")} />
        <CheckField name="dpopBoundAccessTokens" label={t("application.dpop")} hint={t("application.dpop.hint")} />
        <CheckField
          name="requirePushedAuthorizationRequests"
          label={t("application.par")}
          hint={t("application.par.hint")}
        />
        <CheckField name="narrowAudience" label={t("application.narrow")} hint={t("application.narrow.hint")} />
      </Form>
    </Section>
  );
}
