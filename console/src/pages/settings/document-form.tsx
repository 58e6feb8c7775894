import type { MessageInitShape } from "@bufbuild/protobuf";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../parts/button.tsx";
import { ChecksField } from "../../parts/checks-field.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { CheckField, Field, Form, TextField } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { type Conflict, ConflictDialog, conflictOf } from "./conflict-dialog.tsx";
import {
  changedFields,
  inForm,
  type ReadDocument,
  type SettingField,
  type SettingsDocument,
  type SettingValues,
  toChange,
} from "./document.ts";
import { contextOf, readSettings } from "./read-settings.ts";
import { labelOf, wordsOf } from "./setting-words.ts";

interface DocumentFormProps {
  readonly document: SettingsDocument;
  readonly read: ReadDocument;
  readonly organizationId: string | undefined;
  readonly readAgain: () => Promise<unknown>;
}

/** The form of a document. It sends what was changed in it, and notices when another administrator was faster. */
export function DocumentForm({ document, read, organizationId, readAgain }: DocumentFormProps) {
  const transport = useTransport();
  const [isResetting, setResetting] = useState(false);
  const [conflict, setConflict] = useState<Conflict>();
  const form = useForm<Record<string, SettingValues[string]>>({ defaultValues: read.values });
  const usual = organizationId === undefined ? "iam.policy.write" : "policy.write";
  const obstacle = useObstacle(document.permission ?? usual);
  const above = useValuesAbove(document, read, organizationId);
  const isOwn = organizationId !== undefined && read.isOwn;
  const send = async (values: SettingValues, etag: string) => {
    const changed = changedFields(document.fields, read.values, values);
    if (changed.length === 0) return;
    const hasContext = document.update.input.field["ctx"] !== undefined;
    const change = {
      ...(hasContext && { ctx: contextOf(organizationId) }),
      ...toChange(document, changed, values),
      etag,
    };
    await callUnaryMethod(transport, document.update, change as MessageInitShape<never>);
    await readAgain();
  };
  const save = async (values: SettingValues) => {
    try {
      await send(values, read.etag);
    } catch (error) {
      const found = conflictOf(error);
      if (found !== undefined) {
        const present = await readSettings(transport, document, organizationId);
        setConflict({ ...found, present, typed: values });
      }
      throw error;
    }
  };
  const reset = async () => {
    const input = { ctx: contextOf(organizationId) };
    if (document.reset) await callUnaryMethod(transport, document.reset, input as MessageInitShape<never>);
    await readAgain();
  };
  return (
    <>
      {organizationId !== undefined && !read.isOwn && <Notice>{t("settings.inherited.hint")}</Notice>}
      <Form
        form={form}
        onSave={save}
        done={t("settings.saved")}
        readOnlyReason={obstacle}
        more={isOwn && <Button onClick={() => setResetting(true)}>{t("settings.reset")}</Button>}
      >
        {document.fields.map((field) => (
          <SettingInput key={field.name} field={field} above={above?.[inForm(field.name)]} />
        ))}
      </Form>
      {conflict && (
        <ConflictDialog
          fields={document.fields}
          read={read}
          conflict={conflict}
          onOverwrite={async () => {
            await send(conflict.typed, conflict.present.etag);
            tell(t("settings.saved"));
          }}
          onDiscard={readAgain}
          onClose={() => setConflict(undefined)}
        />
      )}
      {isResetting && (
        <DangerDialog
          title={t("settings.reset")}
          consequences={[t("settings.reset.consequence")]}
          action={t("settings.reset")}
          onConfirm={reset}
          onClose={() => setResetting(false)}
        />
      )}
    </>
  );
}

/** What the instance says about the fields in which an organization's own document differs. */
function useValuesAbove(document: SettingsDocument, read: ReadDocument, organizationId: string | undefined) {
  const transport = useTransport();
  const { data } = useQuery({
    queryKey: ["settings", document.path, "above"],
    queryFn: () => readSettings(transport, document, undefined),
    enabled: organizationId !== undefined && read.isOwn && read.differing.length > 0,
  });
  if (data === undefined || !read.isOwn) return undefined;
  return Object.fromEntries(read.differing.map((name) => [inForm(name), data.values[inForm(name)]]));
}

interface SettingInputProps {
  readonly field: SettingField;
  /** What the instance has here, where that is something else. */
  readonly above: SettingValues[string] | undefined;
}

function SettingInput({ field, above }: SettingInputProps) {
  const { name, kind, hint, usual, choices } = field;
  const differs = above !== undefined && t("settings.atInstance", { value: wordsOf(field, above) });
  const ofZero = usual !== undefined && t("settings.registration.default", { value: usual });
  const explained = [hint && t(hint), ofZero, differs].filter((sentence) => typeof sentence === "string").join(" ");
  const common = { name: inForm(name), label: labelOf(field), hint: explained };
  if (kind === "flag") return <CheckField {...common} />;
  if (kind === "choices") {
    return (
      <ChecksField {...common} choices={choices?.map(([value, text]) => ({ id: String(value), name: t(text) }))} />
    );
  }
  if (kind === "lines") return <TextField {...common} />;
  if (kind === "text") return <Field {...common} />;
  return <Field {...common} type="number" min={0} step={kind === "count" ? 1 : "any"} isRequired />;
}
