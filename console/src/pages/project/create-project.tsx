import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { OrganizationPicker } from "../../parts/organization-picker.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { useHomeOrganization, useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

/** Asks for the name of a new project, and for its organization where the console is about the whole instance. */
export function CreateProject({ onClose }: { readonly onClose: () => void }) {
  const client = createClient(ProjectService, useTransport());
  const { go } = useAddress();
  const organizationId = useOrganizationId();
  const home = useHomeOrganization();
  const [chosen, setChosen] = useState<Choice>();
  const owner = chosen ?? home;
  const form = useForm({ defaultValues: { name: "" } });
  return (
    <Dialog title={t("project.create")} onClose={onClose}>
      {owner === undefined ? (
        <span className="skeleton" />
      ) : (
        <Form
          form={form}
          action={t("project.create")}
          onSave={async ({ name }) => {
            const { projectId } = await client.createProject({ organizationId: owner.id, name: name.trim() });
            form.reset();
            onClose();
            go(`/projects/${projectId}`);
          }}
        >
          <Field name="name" label={t("project.name")} isRequired />
          {organizationId === undefined && (
            <OrganizationPicker label={t("project.organization")} chosen={owner} onChoose={setChosen} />
          )}
        </Form>
      )}
    </Dialog>
  );
}
