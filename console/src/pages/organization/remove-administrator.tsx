import { useMutation } from "@connectrpc/connect-query";
import type { Administrator } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { useRefresh } from "../../api/refresh.ts";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { tell } from "../../parts/toast.tsx";
import { useMe } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { resourceOf, roleName } from "./roles.ts";

/** Takes all roles on one resource from an administrator, or takes back what was offered. */
export function RemoveAdministrator(props: { readonly of: Administrator; readonly onClose: () => void }) {
  const { of: administrator, onClose } = props;
  const { user, roles, pendingRoles } = administrator;
  const me = useMe();
  const name = user?.displayName || (user?.id ?? "");
  const remove = useMutation(InternalPermissionService.method.deleteAdministrator);
  const refresh = useRefresh();
  const isOffer = roles.length === 0;
  const isSelf = me?.id === user?.id;
  const title = isOffer
    ? "administrator.takeBackTitle"
    : isSelf
      ? "administrator.leaveTitle"
      : "administrator.removeTitle";
  return (
    <DangerDialog
      title={t(title, { name })}
      consequences={[
        ...roles.map((role) =>
          t(isSelf ? "administrator.leaveLoss" : "administrator.removeLoss", { role: roleName(role) }),
        ),
        ...pendingRoles.map((role) => t("administrator.takeBackLoss", { role: roleName(role) })),
        ...(isSelf ? [t("administrator.removeSelf")] : [t("administrator.removeKept")]),
      ]}
      action={t(isOffer ? "administrator.takeBack" : isSelf ? "administrator.leave" : "administrator.remove")}
      onConfirm={async () => {
        await remove.mutateAsync({ userId: user?.id ?? "", resource: { resource: resourceOf(administrator) } });
        await refresh(InternalPermissionService);
        tell(t("administrator.removed", { name }));
      }}
      onClose={onClose}
    />
  );
}
