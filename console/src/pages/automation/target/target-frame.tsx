import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { PayloadType, type Target } from "@doorward/api/service/action/v2/target_pb";
import type { ReactNode } from "react";
import { useAddress } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { Badge } from "../../../parts/badge.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { tell } from "../../../parts/toast.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { kindName } from "./target-values.ts";

interface TargetFrameProps {
  readonly children: (target: Target) => ReactNode;
}

/** What every page about one target shares: its name and kind, its tabs, and its deletion. */
export function TargetFrame({ children }: TargetFrameProps) {
  const { targetId = "" } = useAddress().params;
  const found = useQuery(ActionService.method.getTarget, { id: targetId });
  const target = found.data?.target;
  const path = `/automation/targets/${targetId}`;
  return (
    <Page
      title={target?.name ?? t("automation.target.one")}
      parent={{ to: "/automation", label: t("automation.targets") }}
      badges={target && <Badge>{kindName(target)}</Badge>}
      actions={target && <DeleteTarget target={target} />}
      tabs={
        <Tabs
          label={t("automation.target.tabs")}
          tabs={[
            { to: path, label: t("automation.settings"), exact: true },
            { to: `${path}/deliveries`, label: t("automation.deliveries") },
            ...(target?.payloadType === PayloadType.JWE
              ? [{ to: `${path}/encryption`, label: t("automation.keys") }]
              : []),
          ]}
        />
      }
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {target && children(target)}
    </Page>
  );
}

function DeleteTarget({ target: { id, name } }: { readonly target: Target }) {
  const client = createClient(ActionService, useTransport());
  const refresh = useRefresh();
  const { go } = useAddress();
  return (
    <DialogButton
      disabledReason={useObstacle("action.target.delete")}
      dialog={(close) => (
        <DangerDialog
          title={t("automation.target.delete")}
          consequences={[t("automation.target.delete.calls"), t("automation.target.delete.deliveries")]}
          action={t("automation.target.delete")}
          nameToType={name}
          onConfirm={async () => {
            await client.deleteTarget({ id });
            go("/automation");
            await refresh(ActionService, { isGone: true });
            tell(t("automation.deletedNamed", { name }));
          }}
          onClose={close}
        />
      )}
    >
      {t("automation.target.delete")}
    </DialogButton>
  );
}
