import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type SAMLKey, SAMLKeyState } from "@doorward/api/service/saml_key/v2/saml_key_pb";
import { SAMLKeyService } from "@doorward/api/service/saml_key/v2/saml_key_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DangerRow } from "../../parts/danger-row.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle } from "../../shell/access.ts";
import { type TextKey, t } from "../../text/catalogue.ts";
import { formatExactly, toDate } from "../../text/format.ts";

const states: Readonly<Record<number, readonly [TextKey, BadgeLook]>> = {
  [SAMLKeyState.SAML_KEY_STATE_NEXT]: ["settings.keys.next", "neutral"],
  [SAMLKeyState.SAML_KEY_STATE_ACTIVE]: ["settings.saml.active", "good"],
  [SAMLKeyState.SAML_KEY_STATE_FORMER]: ["settings.saml.former", "warning"],
};

const columns: readonly Column<SAMLKey>[] = [
  {
    key: "fingerprint",
    header: t("settings.saml.fingerprint"),
    cell: ({ fingerprint }) => <Copyable value={fingerprint} label={t("settings.saml.fingerprint")} />,
  },
  {
    key: "state",
    header: t("settings.keys.state"),
    cell: ({ state }) => {
      const [text, look] = states[state] ?? ["settings.saml.former", "warning"];
      return <Badge look={look}>{t(text)}</Badge>;
    },
  },
  {
    key: "since",
    header: t("settings.keys.since"),
    cell: ({ changeDate }) => <Time at={changeDate} />,
    isSecondary: true,
  },
  {
    key: "until",
    header: t("settings.saml.until"),
    cell: ({ expirationDate }) => <Time at={expirationDate} />,
    isSecondary: true,
  },
];

const findKey = (keys: readonly SAMLKey[], state: SAMLKeyState) => keys.find((key) => key.state === state);

/** The keys that sign SAML messages, what happens to them next, and how to change them earlier. */
export function SamlKeysPage() {
  const found = useQuery(SAMLKeyService.method.listSAMLKeys, {});
  const client = createClient(SAMLKeyService, useTransport());
  const [toRemove, setToRemove] = useState<SAMLKey>();
  const obstacle = useObstacle("iam.web_key.write");
  const keys = found.data?.keys ?? [];
  const active = findKey(keys, SAMLKeyState.SAML_KEY_STATE_ACTIVE);
  const next = findKey(keys, SAMLKeyState.SAML_KEY_STATE_NEXT);
  const refresh = () => found.refetch();
  return (
    <Page
      title={t("settings.saml")}
      lead={t("settings.saml.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={
        active && (
          <DialogButton
            look={next === undefined ? "primary" : "secondary"}
            disabledReason={obstacle}
            dialog={(close) => <RotationDialog next={next} refresh={refresh} close={close} />}
          >
            {next === undefined ? t("settings.saml.start") : t("settings.saml.reschedule")}
          </DialogButton>
        )
      }
    >
      <Table
        label={t("settings.saml")}
        rows={found.data?.keys}
        rowKey={({ id }) => id}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("settings.saml.none")}</Empty>}
        columns={columns}
        rowActions={(key) => (
          <Menu
            label={t("settings.keys.actions", { id: key.id })}
            items={[
              { label: t("application.saml.downloadCertificate"), onSelect: () => download(key) },
              ...(key === active
                ? []
                : [
                    {
                      label: t("settings.saml.remove"),
                      isDanger: true,
                      disabledReason: obstacle,
                      onSelect: () => setToRemove(key),
                    },
                  ]),
            ]}
          />
        )}
      />
      {active && <Timeline keys={keys} />}
      {active && <Danger active={active} hasNext={next !== undefined} obstacle={obstacle} refresh={refresh} />}
      {toRemove && (
        <DangerDialog
          title={t("settings.saml.remove")}
          consequences={[toRemove === next ? t("settings.saml.remove.next") : t("settings.saml.remove.former")]}
          action={t("settings.saml.remove")}
          onConfirm={async () => {
            await client.deleteSAMLKey({ id: toRemove.id });
            await refresh();
          }}
          onClose={() => setToRemove(undefined)}
        />
      )}
    </Page>
  );
}

interface DangerProps extends Omit<ReplaceProps, "close"> {
  readonly obstacle: string | undefined;
}

const Danger = ({ obstacle, ...props }: DangerProps) => (
  <Section title={t("organization.danger")}>
    <DangerRow title={t("settings.saml.replace")} text={t("settings.saml.replace.lead")} reason={obstacle}>
      <DialogButton
        look="danger"
        disabledReason={obstacle}
        dialog={(close) => <ReplaceDialog {...props} close={close} />}
      >
        {t("settings.saml.replace")}
      </DialogButton>
    </DangerRow>
  </Section>
);

/** What the rotation does, the earliest first. */
function Timeline({ keys }: { readonly keys: readonly SAMLKey[] }) {
  const events = keys
    .flatMap((key) =>
      (
        [
          ["settings.saml.renewal", key.renewalDate],
          ["settings.saml.switch", key.switchDate],
          ["settings.saml.removal", key.removalDate],
        ] as const
      ).flatMap(([text, at]) => {
        const date = toDate(at);
        return date === undefined ? [] : [{ id: `${key.id} ${text}`, text, at, date }];
      }),
    )
    .toSorted((one, other) => one.date.getTime() - other.date.getTime());
  return (
    <Section title={t("settings.saml.timeline")}>
      <ol className="steps">
        {events.map(({ id, text, at, date }) => (
          <li key={id}>
            <strong>{formatExactly(date)}</strong>
            <span>{t(text)}</span>
            <span className="muted">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

interface KeyDialogProps {
  readonly refresh: () => Promise<unknown>;
  readonly close: () => void;
}

const usualDays = 60;

function RotationDialog({ next, refresh, close }: KeyDialogProps & { readonly next: SAMLKey | undefined }) {
  const client = createClient(SAMLKeyService, useTransport());
  const planned = toDate(next?.switchDate) ?? new Date(Date.now() + usualDays * 86_400_000);
  const form = useForm({ defaultValues: { switchDate: toLocalText(planned) } });
  return (
    <FormDialog
      title={next === undefined ? t("settings.saml.start") : t("settings.saml.reschedule")}
      form={form}
      done={t("settings.saml.started")}
      onSave={async ({ switchDate }) => {
        await client.startSAMLKeyRotation({ switchDate: timestampFromDate(new Date(switchDate)) });
        await refresh();
      }}
      onClose={close}
    >
      {next === undefined && <p>{t("settings.saml.start.lead")}</p>}
      <Field name="switchDate" label={t("settings.saml.date")} type="datetime-local" isRequired />
    </FormDialog>
  );
}

/** Returns an instant as the field writes it: without seconds, in the reader's zone. */
const toLocalText = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

interface ReplaceProps extends KeyDialogProps {
  readonly active: SAMLKey;
  readonly hasNext: boolean;
}

function ReplaceDialog({ active, hasNext, refresh, close }: ReplaceProps) {
  const client = createClient(SAMLKeyService, useTransport());
  const [useNext, setUseNext] = useState(false);
  return (
    <DangerDialog
      title={t("settings.saml.replace")}
      consequences={[
        t("settings.saml.replace.signIn"),
        t("settings.saml.replace.metadata"),
        t("settings.saml.replace.trust"),
      ]}
      action={t("settings.saml.replace")}
      onConfirm={async () => {
        await client.replaceSAMLKey({ id: active.id, useNext });
        await refresh();
        tell(t("settings.saml.replaced"));
      }}
      onClose={close}
    >
      {hasNext && (
        <label className="filter-choice">
          <input type="checkbox" checked={useNext} onChange={(event) => setUseNext(event.target.checked)} />
          <span>{t("settings.saml.replace.useNext")}</span>
        </label>
      )}
    </DangerDialog>
  );
}

function download({ certificate }: SAMLKey): void {
  const address = URL.createObjectURL(new Blob([certificate], { type: "application/x-pem-file" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "doorward-certificate.pem";
  link.click();
  // Some browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
