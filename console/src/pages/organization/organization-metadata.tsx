import { useMutation, useQuery } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import type { Metadata } from "@doorward/api/service/metadata/v2/metadata_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
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
import { useObstacleIn } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import { OrganizationFrame } from "./organization-frame.tsx";

/** Keys and values that applications keep with an organization. */
export const OrganizationMetadataPage = () => (
  <OrganizationFrame>{({ id }) => <MetadataList organizationId={id} />}</OrganizationFrame>
);

type Asked =
  | { readonly about: "set"; readonly entry?: Metadata }
  | { readonly about: "delete"; readonly entry: Metadata };

function MetadataList({ organizationId }: { readonly organizationId: string }) {
  const { search, setSearch, page, setPage } = useAddress();
  const [asked, setAsked] = useState<Asked>();
  const obstacle = useObstacleIn(organizationId, "org.write");
  const key = search["q"] ?? "";
  const byKey = { key, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  const list = useQuery(
    OrganizationService.method.listOrganizationMetadata,
    {
      organizationId,
      pagination: { limit: pageSize, offset: BigInt(page * pageSize), asc: true },
      filters: key === "" ? [] : [{ filter: { case: "keyFilter", value: byKey } }],
    },
    { placeholderData: (former) => former },
  );
  const add = (
    <Button icon="plus" disabledReason={obstacle} onClick={() => setAsked({ about: "set" })}>
      {t("organization.metadataAdd")}
    </Button>
  );
  return (
    <Section title={t("organization.metadata")} lead={t("organization.metadataLead")} actions={add}>
      <FilterBar label={t("organization.metadataFind")} text={key} onText={(q) => setSearch({ q })} />
      <Table
        label={t("organization.metadata")}
        columns={columns}
        rows={list.data?.metadata}
        rowKey={(entry) => entry.key}
        rowActions={(entry) => (
          <Menu
            label={t("organization.actionsFor", { name: entry.key })}
            items={[
              {
                label: t("organization.metadataEdit"),
                disabledReason: obstacle ?? (toText(entry.value) === undefined ? t("organization.binary") : undefined),
                onSelect: () => setAsked({ about: "set", entry }),
              },
              {
                label: t("organization.metadataDelete"),
                isDanger: true,
                disabledReason: obstacle,
                onSelect: () => setAsked({ about: "delete", entry }),
              },
            ]}
          />
        )}
        error={list.error}
        isLoading={list.isFetching}
        empty={<Empty>{key === "" ? t("organization.metadataNone") : t("organization.metadataNoneFound")}</Empty>}
        paging={{ page, pageSize, total: list.data?.pagination?.totalResult, onPage: setPage }}
      />
      {asked?.about === "set" && (
        <SetMetadata organizationId={organizationId} entry={asked.entry} onClose={() => setAsked(undefined)} />
      )}
      {asked?.about === "delete" && (
        <DeleteMetadata organizationId={organizationId} of={asked.entry} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}

const longest = 120;

const columns: readonly Column<Metadata>[] = [
  { key: "key", header: t("organization.metadataKey"), cell: ({ key }) => key },
  {
    key: "value",
    header: t("organization.metadataValue"),
    cell: ({ value }) => {
      const text = toText(value);
      if (text === undefined) {
        return <span className="muted">{t("organization.bytes", { count: formatNumber(value.length) })}</span>;
      }
      return <code>{text.length > longest ? `${text.slice(0, longest)}…` : text}</code>;
    },
  },
  {
    key: "changed",
    header: t("organization.changed"),
    isSecondary: true,
    cell: ({ changeDate }) => <Time at={changeDate} />,
  },
];

/** Values are bytes. Returns them as text, or undefined when they are not text. */
function toText(value: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(value);
  } catch {
    return undefined;
  }
}

function SetMetadata(props: {
  readonly organizationId: string;
  readonly entry: Metadata | undefined;
  readonly onClose: () => void;
}) {
  const { organizationId, entry, onClose } = props;
  const refresh = useRefresh();
  const set = useMutation(OrganizationService.method.setOrganizationMetadata);
  const form = useForm({ defaultValues: { key: entry?.key ?? "", value: (entry && toText(entry.value)) ?? "" } });
  return (
    <Dialog title={entry ? t("organization.metadataEdit") : t("organization.metadataAdd")} onClose={onClose}>
      <Form
        form={form}
        done={t("organization.metadataSaved")}
        onSave={async ({ key, value }) => {
          const metadata = [{ key: entry?.key ?? key.trim(), value: new TextEncoder().encode(value) }];
          await set.mutateAsync({ organizationId, metadata });
          await refresh(OrganizationService);
          onClose();
        }}
      >
        <Field
          name="key"
          label={t("organization.metadataKey")}
          hint={entry ? undefined : t("organization.metadataKeyHint")}
          isRequired
          readOnly={entry !== undefined}
          maxLength={200}
        />
        <TextField name="value" label={t("organization.metadataValue")} isRequired />
      </Form>
    </Dialog>
  );
}

function DeleteMetadata(props: {
  readonly organizationId: string;
  readonly of: Metadata;
  readonly onClose: () => void;
}) {
  const { organizationId, of: entry, onClose } = props;
  const refresh = useRefresh();
  const remove = useMutation(OrganizationService.method.deleteOrganizationMetadata);
  return (
    <DangerDialog
      title={t("organization.metadataDeleteTitle", { key: entry.key })}
      consequences={[t("organization.metadataDeleteLoss")]}
      action={t("organization.metadataDelete")}
      onConfirm={async () => {
        await remove.mutateAsync({ organizationId, keys: [entry.key] });
        await refresh(OrganizationService);
        tell(t("organization.metadataDeleted", { key: entry.key }));
      }}
      onClose={onClose}
    />
  );
}
