import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import {
  type Action,
  ActionFieldName,
  type FlowType,
  type TriggerType,
} from "@doorward/api/service/action/v1/action_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { TextQueryMethod } from "@doorward/api/service/v1/query_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../../api/refresh.ts";
import { ActionTable } from "../../../parts/action-table.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { OrderedField } from "../../../parts/ordered-field.tsx";
import { Section } from "../../../parts/page.tsx";
import type { Choice } from "../../../parts/picker.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { type TextKey, t } from "../../../text/catalogue.ts";
import { AutomationFrame } from "../automation-frame.tsx";
import { OwnerNotice } from "./owner-notice.tsx";

/** When the scripts of an organization run. */
export function TriggersPage() {
  const found = useQuery(ManagementService.method.listFlowTypes, {});
  return (
    <AutomationFrame lead={t("automation.triggers.lead")}>
      <OwnerNotice />
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data?.result.map((flow) => (
        <Flow key={flow.id} flow={flow} />
      ))}
    </AutomationFrame>
  );
}

const when: Readonly<Record<string, TextKey>> = {
  "1.1": "automation.trigger.external.after",
  "1.2": "automation.trigger.external.before",
  "1.3": "automation.trigger.external.created",
  "2.4": "automation.trigger.userinfo",
  "2.5": "automation.trigger.accessToken",
  "3.1": "automation.trigger.internal.after",
  "3.2": "automation.trigger.internal.before",
  "3.3": "automation.trigger.internal.created",
  "4.6": "automation.trigger.saml",
};

function Flow({ flow }: { readonly flow: FlowType }) {
  const triggers = useQuery(ManagementService.method.listFlowTriggerTypes, { type: flow.id });
  const scripts = useQuery(ManagementService.method.getFlow, { type: flow.id });
  const obstacle = useObstacle("org.flow.write");
  const scriptsAt = (trigger: TriggerType): readonly Action[] =>
    scripts.data?.flow?.triggerActions.find(({ triggerType }) => triggerType?.id === trigger.id)?.actions ?? [];
  const name = flow.name?.localizedMessage || flow.id;
  return (
    <Section title={name}>
      <ActionTable
        label={name}
        columns={[
          {
            key: "trigger",
            header: t("automation.trigger"),
            cell: (trigger) => {
              const key = when[`${flow.id}.${trigger.id}`];
              return (
                <>
                  {trigger.name?.localizedMessage || trigger.id}
                  {key && <span className="subtitle">{t(key)}</span>}
                </>
              );
            },
          },
          {
            key: "scripts",
            header: t("automation.scripts"),
            cell: (trigger) => {
              const all = scriptsAt(trigger);
              if (all.length === 0) return <span className="muted">–</span>;
              return <code>{all.map((one) => one.name).join(" → ")}</code>;
            },
          },
        ]}
        rows={scripts.data && triggers.data?.result}
        rowKey={({ id }) => id}
        error={triggers.error ?? scripts.error}
        isLoading={triggers.isFetching || scripts.isFetching}
        empty={<p className="muted">{t("automation.noneFound")}</p>}
        actionsLabel={(trigger) => t("automation.actionsFor", { name: trigger.name?.localizedMessage || trigger.id })}
        obstacle={obstacle}
        actions={(trigger) => [
          {
            label: t("automation.trigger.change"),
            dialog: (close) => (
              <TriggerDialog flow={flow} trigger={trigger} scripts={scriptsAt(trigger)} onClose={close} />
            ),
          },
        ]}
      />
    </Section>
  );
}

interface TriggerDialogProps {
  readonly flow: FlowType;
  readonly trigger: TriggerType;
  readonly scripts: readonly Action[];
  readonly onClose: () => void;
}

function TriggerDialog({ flow, trigger, scripts, onClose }: TriggerDialogProps) {
  const client = createClient(ManagementService, useTransport());
  const refresh = useRefresh();
  const form = useForm<{ scripts: readonly Choice[] }>({
    defaultValues: { scripts: scripts.map(({ id, name }) => ({ id, name })) },
  });
  const find = async (text: string): Promise<readonly Choice[]> => {
    const value = { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
    const { result } = await client.listActions({
      query: { limit: 10, asc: true },
      sortingColumn: ActionFieldName.NAME,
      queries: text === "" ? [] : [{ query: { case: "actionNameQuery", value } }],
    });
    return result.map(({ id, name }) => ({ id, name }));
  };
  return (
    <FormDialog
      title={t("automation.trigger.changeNamed", { name: trigger.name?.localizedMessage || trigger.id })}
      action={t("common.save")}
      done={t("automation.saved")}
      form={form}
      onClose={onClose}
      onSave={async ({ scripts: chosen }) => {
        const actionIds = chosen.map(({ id }) => id);
        await client.setTriggerActions({ flowType: flow.id, triggerType: trigger.id, actionIds });
        await refresh(ManagementService);
      }}
    >
      <OrderedField
        name="scripts"
        label={t("automation.trigger.scripts")}
        add={t("automation.trigger.addScript")}
        empty={t("automation.trigger.none")}
        queryKey="script"
        find={find}
      />
    </FormDialog>
  );
}
