import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import type { SAMLConfiguration } from "@doorward/api/service/application/v2/saml_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { CodeBlock } from "../../parts/code-block.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { CheckField, Form, SelectField } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { failureText } from "../../text/failure-text.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { MetadataFields, noMetadata, toMetadata } from "./metadata-fields.tsx";
import { SamlAttributesField } from "./saml-attributes-field.tsx";
import { nameIdChoices, optionValues, toOptions } from "./saml-options.ts";

interface Named {
  readonly applicationId: string;
  readonly projectId: string;
}

interface SamlProps {
  readonly named: Named;
  readonly configuration: SAMLConfiguration;
}

/** The metadata of a service provider, and what it is told of users. */
export const ApplicationSamlPage = () => (
  <ApplicationFrame>
    {({ applicationId, projectId, configuration }) =>
      configuration.case === "samlConfiguration" && (
        <>
          <Metadata named={{ applicationId, projectId }} configuration={configuration.value} />
          <Options key={applicationId} named={{ applicationId, projectId }} configuration={configuration.value} />
          <Test applicationId={applicationId} configuration={configuration.value} />
        </>
      )
    }
  </ApplicationFrame>
);

function Metadata({ named, configuration }: SamlProps) {
  const client = createClient(ApplicationService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacle("project.app.write");
  const { entityId, metadataUrl, metadataDate, metadataFailure, metadataXml } = configuration;
  const fetchAgain = async () => {
    const value = { metadata: { case: "metadataUrl", value: metadataUrl } } as const;
    await client.updateApplication({ ...named, applicationType: { case: "samlConfiguration", value } });
    await refresh(ApplicationService);
  };
  return (
    <Section
      title={t("application.saml.metadata")}
      actions={
        <>
          {metadataUrl !== "" && (
            <ActionButton run={fetchAgain} done={t("application.saml.fetched")} disabledReason={obstacle}>
              {t("application.saml.fetch")}
            </ActionButton>
          )}
          <DialogButton disabledReason={obstacle} dialog={(close) => <ReplaceMetadata named={named} onClose={close} />}>
            {t("application.saml.replace")}
          </DialogButton>
        </>
      }
    >
      {metadataFailure !== "" && (
        <Notice kind="warning">{t("application.saml.failure", { reason: failureText(metadataFailure) })}</Notice>
      )}
      <Facts
        facts={[
          [t("application.saml.entityId"), <Copyable key="entity" value={entityId} />],
          [
            t("application.saml.source"),
            metadataUrl === "" ? t("application.saml.uploaded") : <code key="url">{metadataUrl}</code>,
          ],
          [t("application.saml.since"), <Time key="since" at={metadataDate} />],
        ]}
      />
      <details>
        <summary>{t("application.saml.show")}</summary>
        <CodeBlock code={new TextDecoder().decode(metadataXml)} label={t("application.saml.metadata")} />
      </details>
    </Section>
  );
}

function ReplaceMetadata({ named, onClose }: { readonly named: Named; readonly onClose: () => void }) {
  const client = createClient(ApplicationService, useTransport());
  const refresh = useRefresh();
  const form = useForm({ defaultValues: noMetadata });
  return (
    <FormDialog
      title={t("application.saml.replace")}
      form={form}
      done={t("application.saved")}
      onClose={onClose}
      onSave={async (values) => {
        const value = { metadata: toMetadata(values) };
        await client.updateApplication({ ...named, applicationType: { case: "samlConfiguration", value } });
        await refresh(ApplicationService);
      }}
    >
      <MetadataFields />
    </FormDialog>
  );
}

function Options({ named, configuration }: SamlProps) {
  const client = createClient(ApplicationService, useTransport());
  const refresh = useRefresh();
  const form = useForm({ defaultValues: optionValues(configuration.options) });
  return (
    <Section title={t("application.saml.options")} lead={t("application.saml.options.lead")}>
      <Form
        form={form}
        done={t("application.saved")}
        readOnlyReason={useObstacle("project.app.write")}
        onSave={async (values) => {
          const value = { options: toOptions(values) };
          await client.updateApplication({ ...named, applicationType: { case: "samlConfiguration", value } });
          await refresh(ApplicationService);
        }}
      >
        <SelectField
          name="nameId"
          label={t("application.saml.nameId")}
          hint={t("application.saml.nameId.hint")}
          options={nameIdChoices()}
        />
        <SamlAttributesField />
        <CheckField
          name="encryptAssertions"
          label={t("application.saml.encrypt")}
          hint={t("application.saml.encrypt.hint")}
        />
        <CheckField name="requireSignedRequests" label={t("application.saml.signed")} />
        <CheckField
          name="allowIdpInitiated"
          label={t("application.saml.initiated")}
          hint={t("application.saml.initiated.hint")}
        />
      </Form>
    </Section>
  );
}

interface TestProps {
  readonly applicationId: string;
  readonly configuration: SAMLConfiguration;
}

const Test = ({ applicationId, configuration }: TestProps) => (
  <Section title={t("application.saml.test")}>
    {configuration.options?.allowIdpInitiated === true ? (
      <>
        <p className="muted">{t("application.saml.test.lead")}</p>
        <p>
          <a
            className="button"
            href={`/saml/v2/start?application=${encodeURIComponent(applicationId)}`}
            target="_blank"
            rel="noreferrer"
          >
            {t("application.saml.test.start")}
          </a>
        </p>
      </>
    ) : (
      <p className="muted">{t("application.saml.test.off")}</p>
    )}
  </Section>
);
