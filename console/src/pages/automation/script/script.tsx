import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type Action, ActionState } from "@doorward/api/service/action/v1/action_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Link } from "@tanstack/react-router";
import { linkTo, useAddress } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { ActionButton } from "../../../parts/action-button.tsx";
import { Copyable } from "../../../parts/copyable.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { Facts, Page, Section } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { tell } from "../../../parts/toast.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { ScriptBadge } from "./script-badge.tsx";
import { ScriptForm } from "./script-form.tsx";

/** A script: its text, and whether it runs. */
export function ScriptPage() {
  const { scriptId = "" } = useAddress().params;
  const client = createClient(ManagementService, useTransport());
  const refresh = useRefresh();
  const found = useQuery(ManagementService.method.getAction, { id: scriptId });
  const script = found.data?.action;
  return (
    <Page
      title={script?.name ?? t("automation.script.one")}
      parent={{ to: "/automation/scripts", label: t("automation.scripts") }}
      badges={script && <ScriptBadge state={script.state} />}
      actions={script && <ScriptActions script={script} />}
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {script && (
        <Section title={t("automation.script.one")}>
          <Facts
            facts={[
              [t("automation.id"), <Copyable key="id" value={script.id} />],
              [t("automation.changed"), <Time key="changed" at={script.details?.changeDate} />],
              [
                t("automation.triggers"),
                <Link key="triggers" {...linkTo("/automation/triggers")}>
                  {t("automation.script.toTriggers")}
                </Link>,
              ],
            ]}
          />
          <ScriptForm
            key={script.id}
            values={{
              name: script.name,
              script: script.script,
              timeout: String(Number(script.timeout?.seconds ?? 0) + (script.timeout?.nanos ?? 0) / 1e9),
              allowedToFail: script.allowedToFail,
            }}
            action={t("common.save")}
            done={t("automation.saved")}
            onSave={async (changed) => {
              await client.updateAction({ id: script.id, ...changed });
              await refresh(ManagementService);
            }}
          />
        </Section>
      )}
    </Page>
  );
}

function ScriptActions({ script: { id, name, state } }: { readonly script: Action }) {
  const client = createClient(ManagementService, useTransport());
  const refresh = useRefresh();
  const { go } = useAddress();
  const mayWrite = useObstacle("org.action.write");
  const mayDelete = useObstacle("org.action.delete");
  const change = async (action: () => Promise<unknown>) => {
    await action();
    await refresh(ManagementService);
  };
  return (
    <>
      {state === ActionState.ACTIVE ? (
        <DialogButton
          disabledReason={mayWrite}
          dialog={(close) => (
            <DangerDialog
              title={t("automation.script.deactivate")}
              consequences={[t("automation.script.deactivate.consequence")]}
              action={t("automation.script.deactivate")}
              onConfirm={() => change(() => client.deactivateAction({ id }))}
              onClose={close}
            />
          )}
        >
          {t("automation.script.deactivate")}
        </DialogButton>
      ) : (
        <ActionButton
          disabledReason={mayWrite}
          run={() => change(() => client.reactivateAction({ id }))}
          done={t("automation.script.activated")}
        >
          {t("automation.script.activate")}
        </ActionButton>
      )}
      <DialogButton
        disabledReason={mayDelete}
        dialog={(close) => (
          <DangerDialog
            title={t("automation.script.delete")}
            consequences={[t("automation.script.delete.text"), t("automation.script.delete.triggers")]}
            action={t("automation.script.delete")}
            nameToType={name}
            onConfirm={async () => {
              await client.deleteAction({ id });
              go("/automation/scripts");
              await refresh(ManagementService, { isGone: true });
              tell(t("automation.deletedNamed", { name }));
            }}
            onClose={close}
          />
        )}
      >
        {t("automation.script.delete")}
      </DialogButton>
    </>
  );
}
