import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { APIAuthMethodType } from "@doorward/api/service/application/v2/api_pb";
import type { CreateApplicationRequestSchema } from "@doorward/api/service/application/v2/application_operations_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Field, Form, SelectField, TextField } from "../../parts/form.tsx";
import { Page } from "../../parts/page.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { ProjectPicker } from "../../parts/pickers.tsx";
import { t } from "../../text/catalogue.ts";
import { ApplicationResult, type CreatedApplication } from "./application-result.tsx";
import { checkAddresses, linesOf } from "./check-address.ts";
import { MetadataFields, type MetadataValues, noMetadata, toMetadata } from "./metadata-fields.tsx";
import { clientSettings, type Stack, stacks } from "./stacks.ts";
import { useProjectForNew } from "./use-project-for-new.ts";

/** Creates an application in three steps: what it is written in, its name and addresses, and how to connect it. */
export function CreateApplicationPage() {
  const [stack, setStack] = useState<Stack>();
  const [created, setCreated] = useState<CreatedApplication>();
  return (
    <Page
      title={created ? t("application.created", { name: created.name }) : t("application.create")}
      parent={{ to: "/applications", label: t("nav.applications") }}
    >
      {created && <ApplicationResult application={created} />}
      {!created && <StackChoice chosen={stack} onChoose={setStack} />}
      {!created && stack && <ApplicationForm key={stack.id} stack={stack} onCreated={setCreated} />}
    </Page>
  );
}

interface StackChoiceProps {
  readonly chosen: Stack | undefined;
  readonly onChoose: (stack: Stack) => void;
}

const StackChoice = ({ chosen, onChoose }: StackChoiceProps) => (
  <fieldset className="stacks">
    <legend className="label">{t("application.stack")}</legend>
    {stacks.map((stack) => (
      <label key={stack.id} className="stack">
        <input type="radio" name="stack" checked={stack === chosen} onChange={() => onChoose(stack)} />
        <span>{stack.name}</span>
        <span className="muted small">{t(`application.kind.${stack.kind}`)}</span>
      </label>
    ))}
  </fieldset>
);

interface ApplicationFormProps {
  readonly stack: Stack;
  readonly onCreated: (application: CreatedApplication) => void;
}

function ApplicationForm({ stack, onCreated }: ApplicationFormProps) {
  const client = createClient(ApplicationService, useTransport());
  const home = useProjectForNew();
  const [chosen, setChosen] = useState<Choice>();
  const project = chosen ?? home.project;
  const form = useForm<NewApplication>({
    defaultValues: { ...noMetadata, name: "", redirectUris: stack.redirectUri ?? "", apiMethod: String(apiSecret) },
  });
  const create = async (values: NewApplication): Promise<void> => {
    const name = values.name.trim();
    const projectId = project?.id ?? (await home.createProject(name));
    const answer = await client.createApplication({ projectId, name, applicationType: toType(stack, values) });
    const { clientId = "", clientSecret = "" } =
      answer.applicationType.case === "samlConfiguration" ? {} : (answer.applicationType.value ?? {});
    onCreated({
      applicationId: answer.applicationId,
      name,
      clientId,
      clientSecret,
      creationDate: answer.creationDate,
      stack,
      redirectUri: linesOf(values.redirectUris)[0],
    });
  };
  return (
    <Form form={form} action={t("application.create")} onSave={create}>
      <Field name="name" label={t("application.name")} hint={t("application.name.hint")} isRequired />
      {stack.kind === "saml" && <MetadataFields />}
      {stack.kind === "api" && (
        <SelectField
          name="apiMethod"
          label={t("application.method.one")}
          hint={t("application.method.api.hint")}
          options={[
            [String(apiSecret), t("application.method.basic")],
            [String(APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT), t("application.method.key")],
          ]}
        />
      )}
      {stack.redirectUri !== undefined && (
        <TextField
          name="redirectUris"
          label={t("application.redirectUris")}
          hint={t("application.redirectUris.hint")}
          check={checkAddresses}
          rows={2}
          isRequired
        />
      )}
      <ProjectPicker label={t("application.project")} chosen={project} onChoose={setChosen} hint={home.hint} />
    </Form>
  );
}

const apiSecret = APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC;

interface NewApplication extends MetadataValues {
  name: string;
  redirectUris: string;
  apiMethod: string;
}

type ApplicationType = MessageInitShape<typeof CreateApplicationRequestSchema>["applicationType"];

function toType(stack: Stack, values: NewApplication): ApplicationType {
  if (stack.kind === "api")
    return { case: "apiConfiguration", value: { authMethodType: Number(values.apiMethod) as APIAuthMethodType } };
  if (stack.kind === "saml") return { case: "samlConfiguration", value: { metadata: toMetadata(values) } };
  const redirectUris = linesOf(values.redirectUris);
  return {
    case: "oidcConfiguration",
    value: {
      ...clientSettings[stack.kind],
      redirectUris,
      pkceRequired: true,
      developmentMode: redirectUris.some((uri) => uri.startsWith("http://")),
    },
  };
}
