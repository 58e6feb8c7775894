import { useMutation } from "@connectrpc/connect-query";
import { type Administrator, AdministratorState } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { ChecksField } from "../../parts/checks-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { useRoleChoices } from "./role-choices.ts";
import { levelName, levelOf, resourceOf } from "./roles.ts";

/** Changes which roles an administrator has on one resource. */
export function ChangeRoles({
  of: administrator,
  onClose,
}: {
  readonly of: Administrator;
  readonly onClose: () => void;
}) {
  const { user, roles, pendingRoles } = administrator;
  const level = levelOf(administrator);
  const name = user?.displayName || (user?.id ?? "");
  const form = useForm({ defaultValues: { roles: [...new Set([...roles, ...pendingRoles])] } });
  const update = useMutation(InternalPermissionService.method.updateAdministrator);
  const refresh = useRefresh();
  return (
    <Dialog title={t("administrator.rolesOf", { name })} onClose={onClose}>
      <p className="muted">{levelName(level)}</p>
      <Form
        form={form}
        onSave={async (values) => {
          const { state, pendingRoles: offered } = await update.mutateAsync({
            userId: user?.id ?? "",
            resource: { resource: resourceOf(administrator) },
            roles: values.roles,
          });
          await refresh(InternalPermissionService);
          const isOffer = state === AdministratorState.PENDING || offered.length > 0;
          tell(t(isOffer ? "administrator.rolesOffered" : "administrator.rolesChanged", { name }));
          onClose();
        }}
      >
        <ChecksField
          name="roles"
          label={t("administrator.roles")}
          choices={useRoleChoices(level)}
          isRequired
          hint={t("administrator.sessions")}
          empty={t("administrator.noRoles")}
        />
      </Form>
    </Dialog>
  );
}
