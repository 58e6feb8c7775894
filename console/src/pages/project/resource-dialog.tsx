import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { ApplicationType } from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import type { Resource, ResourceTokenFormat } from "@doorward/api/service/resource/v2/resource_pb";
import { ResourceService } from "@doorward/api/service/resource/v2/resource_service_pb";
import { useForm } from "react-hook-form";
import { ChecksField } from "../../parts/checks-field.tsx";
import { Field, SelectField, TextField } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { RowsField } from "../../parts/rows-field.tsx";
import { t } from "../../text/catalogue.ts";
import {
  checkDescriptions,
  formatChoices,
  type ResourceValues,
  resourceValues,
  toLifetime,
  toScopes,
} from "./resource-values.ts";

interface ResourceDialogProps {
  readonly projectId: string;
  /** The resource that is changed; a new one when left out. */
  readonly resource?: Resource;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

const mostScopes = 50;
const mostApplications = 100;

/** Asks what an API is called, where it is, and what its access tokens are like. */
export function ResourceDialog({ projectId, resource, onClose, onDone }: ResourceDialogProps) {
  const client = createClient(ResourceService, useTransport());
  const form = useForm<ResourceValues>({ defaultValues: resourceValues(resource) });
  const save = async (values: ResourceValues): Promise<void> => {
    const common = {
      name: values.name.trim(),
      tokenFormat: Number(values.tokenFormat) as ResourceTokenFormat,
    };
    const applicationIds = [...values.applicationIds];
    const scopes = toScopes(values.scopes);
    const accessTokenLifetime = toLifetime(values);
    if (resource === undefined) {
      const lifetime = values.minutes === "" ? {} : { accessTokenLifetime };
      const uri = values.uri.trim();
      await client.createResource({ projectId, uri, ...common, ...lifetime, scopes, applicationIds });
    } else {
      const changed = { scopes: { scopes }, applications: { applicationIds } };
      await client.updateResource({ id: resource.id, ...common, accessTokenLifetime, ...changed });
    }
    await onDone();
  };
  return (
    <FormDialog
      title={resource ? t("project.resource.change") : t("project.resource.add")}
      action={resource ? t("common.save") : t("project.resource.add")}
      form={form}
      done={t("project.resource.saved")}
      onClose={onClose}
      onSave={save}
    >
      <Field name="name" label={t("project.name")} isRequired maxLength={200} />
      <Field
        name="uri"
        label={t("project.resource.uri")}
        hint={t("project.resource.uri.hint")}
        placeholder="https://"
        isRequired
        readOnly={resource !== undefined}
        check={(value) => (URL.canParse(value.trim()) ? undefined : t("project.resource.uri.invalid"))}
      />
      <SelectField name="tokenFormat" label={t("project.resource.format")} options={formatChoices()} />
      <Field
        name="minutes"
        label={t("project.resource.lifetime")}
        hint={t("project.resource.lifetime.hint")}
        type="number"
        min={0}
        step="any"
      />
      <RowsField
        name="scopes"
        label={t("project.resource.scopes")}
        add={t("project.resource.scopes.add")}
        empty={t("project.resource.scopes.none")}
        newRow={{ name: "", descriptions: "" }}
        most={mostScopes}
      >
        {(prefix) => (
          <>
            <Field name={`${prefix}.name`} label={t("project.resource.scope")} isRequired maxLength={100} />
            <TextField
              name={`${prefix}.descriptions`}
              label={t("project.resource.descriptions")}
              hint={t("project.resource.descriptions.hint")}
              rows={2}
              check={checkDescriptions}
            />
          </>
        )}
      </RowsField>
      <Applications projectId={projectId} />
    </FormDialog>
  );
}

function Applications({ projectId }: { readonly projectId: string }) {
  const found = useQuery(ApplicationService.method.listApplications, {
    pagination: { limit: mostApplications, asc: true },
    filters: [
      { filter: { case: "projectIdFilter", value: { projectId } } },
      { filter: { case: "typeFilter", value: ApplicationType.API } },
    ],
  });
  return (
    <ChecksField
      name="applicationIds"
      label={t("project.resource.applications")}
      empty={t("project.resource.applications.none")}
      choices={found.data?.applications.map(({ applicationId, name }) => ({ id: applicationId, name }))}
    />
  );
}
