import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import type { Authorization } from "@doorward/api/service/authorization/v2/authorization_pb";
import { AuthorizationService } from "@doorward/api/service/authorization/v2/authorization_service_pb";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { UserPicker } from "../../parts/pickers.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { RoleChoice } from "./role-choice.tsx";

interface AssignRolesProps {
  readonly projectId: string;
  /** The assignment that is changed; a new one when left out. */
  readonly authorization?: Authorization;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** Gives a user roles in a project, or changes which roles they have. */
export function AssignRoles({ projectId, authorization, onClose, onDone }: AssignRolesProps) {
  const client = createClient(AuthorizationService, useTransport());
  const organizationId = useOrganizationId() ?? "";
  const [user, setUser] = useState<Choice>();
  const [keys, setKeys] = useState<readonly string[]>(authorization?.roles.map(({ key }) => key) ?? []);
  const save = useMutation({
    mutationFn: async () => {
      const roleKeys = [...keys];
      if (authorization) await client.updateAuthorization({ id: authorization.id, roleKeys });
      else await client.createAuthorization({ userId: user?.id ?? "", projectId, organizationId, roleKeys });
      await onDone();
    },
    onSuccess: onClose,
  });
  const title = authorization ? t("project.assignment.change") : t("project.assignment.add");
  const isReady = (authorization !== undefined || user !== undefined) && keys.length > 0;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" disabled={!isReady} isBusy={save.isPending} onClick={() => save.mutate()}>
            {title}
          </Button>
        </>
      }
    >
      {save.isError && <ErrorNotice error={save.error} />}
      {!authorization && <UserPicker label={t("project.assignment.who")} chosen={user} onChoose={setUser} />}
      <RoleChoice projectId={projectId} chosen={keys} onChoose={setKeys} />
    </Dialog>
  );
}
