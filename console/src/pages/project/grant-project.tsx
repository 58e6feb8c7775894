import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import type { ProjectGrant } from "@doorward/api/service/project/v2/project_grant_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { OrganizationPicker } from "../../parts/organization-picker.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { t } from "../../text/catalogue.ts";
import { RoleChoice } from "./role-choice.tsx";

interface GrantProjectProps {
  readonly projectId: string;
  /** The grant that is changed; a new one when left out. */
  readonly grant?: ProjectGrant;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** Grants a project to an organization, or changes which roles that organization may assign. */
export function GrantProject({ projectId, grant, onClose, onDone }: GrantProjectProps) {
  const client = createClient(ProjectService, useTransport());
  const [organization, setOrganization] = useState<Choice>();
  const [keys, setKeys] = useState<readonly string[]>(grant?.grantedRoleKeys ?? []);
  const save = useMutation({
    mutationFn: async () => {
      const grantedOrganizationId = grant?.grantedOrganizationId ?? organization?.id ?? "";
      const named = { projectId, grantedOrganizationId, roleKeys: [...keys] };
      await (grant ? client.updateProjectGrant(named) : client.createProjectGrant(named));
      await onDone();
    },
    onSuccess: onClose,
  });
  const title = grant ? t("project.grant.change") : t("project.grant.add");
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button
            look="primary"
            disabled={grant === undefined && organization === undefined}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            {title}
          </Button>
        </>
      }
    >
      {save.isError && <ErrorNotice error={save.error} />}
      <p className="muted">{t("project.grant.lead")}</p>
      {!grant && <OrganizationPicker label={t("project.grant.to")} chosen={organization} onChoose={setOrganization} />}
      <RoleChoice projectId={projectId} chosen={keys} onChoose={setKeys} />
    </Dialog>
  );
}
