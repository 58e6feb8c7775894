import { useQuery } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import type { Metadata } from "@doorward/api/service/metadata/v2/metadata_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useUserClient } from "./user-calls.ts";
import { UserFrame } from "./user-frame.tsx";

/** Data that applications keep with a user. */
export const UserMetadataPage = () => <UserFrame>{({ userId }) => <MetadataSection userId={userId} />}</UserFrame>;

function MetadataSection({ userId }: { readonly userId: string }) {
  const { search, page, setPage, setSearch } = useAddress();
  const { text = "" } = search;
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const [edited, setEdited] = useState<Metadata | "new">();
  const [removed, setRemoved] = useState<Metadata>();
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE;
  const { data, error, isFetching } = useQuery(UserService.method.listUserMetadata, {
    userId,
    pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
    filters: text === "" ? [] : [{ filter: { case: "keyFilter", value: { key: text, method } } }],
  });
  return (
    <Section
      title={t("user.tab.metadata")}
      lead={t("user.metadata.lead")}
      actions={
        <Button disabledReason={obstacle} onClick={() => setEdited("new")}>
          {t("user.metadata.add")}
        </Button>
      }
    >
      <FilterBar label={t("user.metadata.find")} text={text} onText={(text) => setSearch({ text })} />
      <Table
        label={t("user.tab.metadata")}
        columns={columns}
        rows={data?.metadata}
        rowKey={({ key }) => key}
        error={error}
        isLoading={isFetching}
        paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
        empty={<Empty>{text === "" ? t("user.metadata.none") : t("picker.nothing")}</Empty>}
        rowActions={(entry) => (
          <Menu
            label={t("user.metadata.actions", { key: entry.key })}
            items={[
              { label: t("user.metadata.change"), disabledReason: obstacle, onSelect: () => setEdited(entry) },
              {
                label: t("user.remove"),
                isDanger: true,
                disabledReason: obstacle,
                onSelect: () => setRemoved(entry),
              },
            ]}
          />
        )}
      />
      {edited !== undefined && (
        <EntryDialog
          userId={userId}
          {...(edited !== "new" && { entry: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <DangerDialog
          title={t("user.metadata.removeTitle", { key: removed.key })}
          consequences={[t("user.metadata.removeLost")]}
          action={t("user.remove")}
          onConfirm={async () => {
            await client.deleteUserMetadata({ userId, keys: [removed.key] });
            await refresh(UserService);
            tell(t("user.metadata.removed"));
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}

const columns: readonly Column<Metadata>[] = [
  { key: "key", header: t("user.metadata.key"), cell: ({ key }) => <code>{key}</code> },
  { key: "value", header: t("user.metadata.value"), cell: ({ value }) => <code>{excerpt(value)}</code> },
  {
    key: "changed",
    header: t("user.changed"),
    isSecondary: true,
    cell: ({ changeDate }) => <Time at={changeDate} />,
  },
];

interface EntryDialogProps {
  readonly userId: string;
  readonly entry?: Metadata;
  readonly onClose: () => void;
}

function EntryDialog({ userId, entry, onClose }: EntryDialogProps) {
  const client = useUserClient();
  const refresh = useRefresh();
  const text = entry && textOf(entry.value);
  const isBinary = entry !== undefined && text === undefined;
  const form = useForm({ defaultValues: { key: entry?.key ?? "", value: text ?? "" } });
  return (
    <Dialog title={entry ? t("user.metadata.changeTitle") : t("user.metadata.add")} onClose={onClose}>
      {isBinary && <p className="muted">{t("user.metadata.binary")}</p>}
      <Form
        form={form}
        done={t("user.saved")}
        onSave={async ({ key, value }) => {
          await client.setUserMetadata({ userId, metadata: [{ key, value: new TextEncoder().encode(value) }] });
          await refresh(UserService);
          onClose();
        }}
      >
        <Field name="key" label={t("user.metadata.key")} spellCheck={false} readOnly={entry !== undefined} isRequired />
        <TextField name="value" label={t("user.metadata.value")} isRequired />
      </Form>
    </Dialog>
  );
}

/** Returns bytes as text, or undefined when they are not text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function excerpt(bytes: Uint8Array): string {
  const text = textOf(bytes) ?? t("user.metadata.bytes", { count: bytes.length });
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
