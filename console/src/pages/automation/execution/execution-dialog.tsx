import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import type { ConditionSchema, Execution } from "@doorward/api/service/action/v2/execution_pb";
import { TargetFieldName } from "@doorward/api/service/action/v2/target_pb";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../../api/refresh.ts";
import { SelectField } from "../../../parts/form.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { OrderedField } from "../../../parts/ordered-field.tsx";
import type { Choice } from "../../../parts/picker.tsx";
import { PickerField } from "../../../parts/picker-field.tsx";
import { t } from "../../../text/catalogue.ts";
import { conditionText, toCondition } from "./condition.ts";
import { useFindSubjects } from "./find-subjects.ts";

interface ExecutionDialogProps {
  /** The execution that is changed; a new one when left out. */
  readonly execution?: Execution;
  readonly names?: ReadonlyMap<string, string>;
  /** What a new execution calls, where that is known. */
  readonly target?: Choice;
  readonly onClose: () => void;
}

interface Values {
  when: string;
  scope: string;
  /** What was chosen of each kind, so that none is taken for another one. */
  subjects: { readonly [Kind in SubjectKind]?: Choice };
  targets: readonly Choice[];
}

/** Asks which targets are called when, and in which order. */
export function ExecutionDialog({ execution, names, target, onClose }: ExecutionDialogProps) {
  const client = createClient(ActionService, useTransport());
  const refresh = useRefresh();
  const form = useForm<Values>({
    defaultValues: {
      when: "event",
      scope: "one",
      subjects: {},
      targets: execution?.targets.map((id) => ({ id, name: names?.get(id) ?? id })) ?? (target ? [target] : []),
    },
  });
  return (
    <FormDialog
      title={execution ? t("automation.execution.change") : t("automation.execution.add")}
      action={t("common.save")}
      done={t("automation.saved")}
      form={form}
      onClose={onClose}
      onSave={async ({ when, scope: wanted, subjects, targets }) => {
        const scope = scopeOf(when, wanted);
        const name = subjects[kindOf(when, scope)]?.id ?? "";
        const condition = execution?.condition ?? toCondition({ when, scope, name });
        const chosen = targets.map(({ id }) => id);
        // What is added to a condition does not replace what it calls already.
        const former = execution === undefined ? await targetsOf(client, condition) : [];
        await client.setExecution({ condition, targets: [...new Set([...former, ...chosen])] });
        await refresh(ActionService);
      }}
    >
      {execution ? <p>{conditionText(execution.condition)}</p> : <ConditionFields form={form} />}
      <Targets />
    </FormDialog>
  );
}

async function targetsOf(
  client: Client<typeof ActionService>,
  condition: MessageInitShape<typeof ConditionSchema>,
): Promise<readonly string[]> {
  const { executions } = await client.listExecutions({
    pagination: { limit: 1 },
    filters: [{ filter: { case: "inConditionsFilter", value: { conditions: [condition] } } }],
  });
  return executions[0]?.targets ?? [];
}

function ConditionFields({ form }: { readonly form: ReturnType<typeof useForm<Values>> }) {
  const findSubjects = useFindSubjects();
  const [when, scope] = form.watch(["when", "scope"]);
  const scopes = scopesOf(when);
  const chosen = scopeOf(when, scope);
  const kind = kindOf(when, chosen);
  return (
    <>
      <SelectField
        name="when"
        label={t("automation.when")}
        hint={t(`automation.when.${when as "event"}.hint`)}
        options={[
          ["event", t("automation.when.event")],
          ["function", t("automation.when.function")],
          ["request", t("automation.when.request")],
          ["response", t("automation.when.response")],
        ]}
      />
      {scopes.length > 1 && <SelectField key={when} name="scope" label={t("automation.scope")} options={scopes} />}
      {chosen !== "all" && (
        <PickerField
          key={kind}
          name={`subjects.${kind}`}
          label={t(`automation.subject.${kind}`)}
          isRequired
          queryKey={`subject-${kind}`}
          find={(text) => findSubjects(kind, text)}
        />
      )}
    </>
  );
}

function scopesOf(when: string): readonly (readonly [value: string, label: string])[] {
  if (when === "function") return [["one", t("automation.scope.one")]];
  if (when === "event")
    return [
      ["one", t("automation.scope.event")],
      ["group", t("automation.scope.group")],
      ["all", t("automation.scope.allEvents")],
    ];
  return [
    ["one", t("automation.scope.method")],
    ["service", t("automation.scope.service")],
    ["all", t("automation.scope.allMethods")],
  ];
}

/** The scope that counts: the first one of a condition that does not have what was chosen for another one. */
const scopeOf = (when: string, wanted: string): string =>
  scopesOf(when).some(([value]) => value === wanted) ? wanted : "one";

type SubjectKind = "event" | "function" | "group" | "method" | "service";

function kindOf(when: string, scope: string): SubjectKind {
  if (when === "function") return "function";
  if (when === "event") return scope === "group" ? "group" : "event";
  return scope === "service" ? "service" : "method";
}

function Targets() {
  const client = createClient(ActionService, useTransport());
  const find = async (text: string): Promise<readonly Choice[]> => {
    const value = { targetName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
    const { targets } = await client.listTargets({
      pagination: { limit: 10, asc: true },
      sortingColumn: TargetFieldName.NAME,
      filters: text === "" ? [] : [{ filter: { case: "targetNameFilter", value } }],
    });
    return targets.map(({ id, name, endpoint }) => ({ id, name, detail: endpoint }));
  };
  return (
    <OrderedField
      name="targets"
      label={t("automation.execution.targets")}
      add={t("automation.execution.addTarget")}
      empty={t("automation.execution.noTarget")}
      isRequired
      queryKey="target"
      find={find}
    />
  );
}
