import { ConnectError } from "@connectrpc/connect";
import { useQuery } from "@connectrpc/connect-query";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { type SettingsChangedError, SettingsChangedErrorSchema } from "@doorward/api/service/v1/error_pb";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { formatRelatively, toDate } from "../../text/format.ts";
import { changedFields, inForm, type ReadDocument, type SettingField, type SettingValues } from "./document.ts";
import { labelOf, wordsOf } from "./setting-words.ts";

/** What another administrator changed while a form was open. */
export interface Conflict {
  readonly refusal: SettingsChangedError;
  readonly present: ReadDocument;
  readonly typed: SettingValues;
}

/** Returns the refusal of a change of what had changed, or undefined when an error is something else. */
export function conflictOf(error: unknown): Pick<Conflict, "refusal"> | undefined {
  const [refusal] = ConnectError.from(error).findDetails(SettingsChangedErrorSchema);
  return refusal && { refusal };
}

interface ConflictDialogProps {
  readonly fields: readonly SettingField[];
  readonly read: ReadDocument;
  readonly conflict: Conflict;
  readonly onOverwrite: () => Promise<unknown>;
  readonly onDiscard: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Shows who changed what, beside what was typed, and asks which of them counts. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { fields, read, conflict, onOverwrite, onDiscard, onClose } = props;
  const { refusal, present, typed } = conflict;
  const choose = useMutation({ mutationFn: (choice: () => Promise<unknown>) => choice(), onSuccess: onClose });
  const theirs = new Set(changedFields(fields, read.values, present.values));
  const mine = new Set(changedFields(fields, read.values, typed));
  const rows = fields.filter((field) => theirs.has(field) || mine.has(field));
  return (
    <Dialog
      title={t("settings.conflict")}
      onClose={onClose}
      actions={
        <>
          <Button isBusy={choose.isPending} onClick={() => choose.mutate(onDiscard)}>
            {t("settings.conflict.discard")}
          </Button>
          <Button look="primary" isBusy={choose.isPending} onClick={() => choose.mutate(onOverwrite)}>
            {t("settings.conflict.save")}
          </Button>
        </>
      }
    >
      {choose.isError && <ErrorNotice error={choose.error} />}
      <p>
        <ChangedBy refusal={refusal} />
      </p>
      <Table
        label={t("settings.conflict")}
        empty={undefined}
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { key: "field", header: t("settings.conflict.field"), cell: labelOf },
          {
            key: "before",
            header: t("settings.conflict.before"),
            cell: (field) => wordsOf(field, read.values[inForm(field.name)]),
          },
          { key: "now", header: t("settings.conflict.now"), cell: (field) => shown(field, theirs, present.values) },
          { key: "yours", header: t("settings.conflict.yours"), cell: (field) => shown(field, mine, typed) },
        ]}
      />
      <p className="muted">{t("settings.conflict.hint")}</p>
    </Dialog>
  );
}

const shown = (field: SettingField, changed: ReadonlySet<SettingField>, values: SettingValues): string =>
  changed.has(field) ? wordsOf(field, values[inForm(field.name)]) : t("settings.conflict.same");

function ChangedBy({ refusal: { changedBy, changeDate } }: { readonly refusal: SettingsChangedError }) {
  const { data } = useQuery(
    UserService.method.getUserByID,
    { userId: changedBy },
    { enabled: changedBy !== "", retry: false },
  );
  const date = toDate(changeDate);
  const time = date === undefined ? "" : formatRelatively(date);
  const { type } = data?.user ?? {};
  const name = type?.case === "human" ? type.value.profile?.displayName : type?.value?.name;
  return name ? t("settings.conflict.by", { name, time }) : t("settings.conflict.bySomeone", { time });
}
