import { createClient } from "@connectrpc/connect";
import { useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import { RSABits, RSAHasher, State, type WebKey } from "@doorward/api/service/webkey/v2/web_key_pb";
import { WebKeyService } from "@doorward/api/service/webkey/v2/webkey_service_pb";
import { useState } from "react";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle } from "../../shell/access.ts";
import { type TextKey, t } from "../../text/catalogue.ts";

const states: Readonly<Record<number, readonly [TextKey, BadgeLook]>> = {
  [State.INITIAL]: ["settings.keys.next", "neutral"],
  [State.ACTIVE]: ["settings.keys.active", "good"],
  [State.INACTIVE]: ["settings.keys.former", "warning"],
  [State.REMOVED]: ["settings.keys.removed", "bad"],
};

const columns: readonly Column<WebKey>[] = [
  { key: "id", header: t("settings.keys.id"), cell: ({ id }) => <Copyable value={id} /> },
  { key: "kind", header: t("settings.keys.kind"), cell: ({ key }) => (key.case ?? "").toUpperCase() },
  {
    key: "state",
    header: t("settings.keys.state"),
    cell: ({ state }) => {
      const [text, look] = states[state] ?? ["settings.keys.removed", "bad"];
      return <Badge look={look}>{t(text)}</Badge>;
    },
  },
  {
    key: "since",
    header: t("settings.keys.since"),
    cell: ({ changeDate }) => <Time at={changeDate} />,
    isSecondary: true,
  },
];

// What every client verifies: RS256.
const usualKey = { bits: RSABits.RSA_BITS_2048, hasher: RSAHasher.RSA_HASHER_SHA256 };

/** The keys that sign tokens: the next, the active and the former ones. */
export function SigningKeysPage() {
  const found = useQuery(WebKeyService.method.listWebKeys, {});
  const client = createClient(WebKeyService, useTransport());
  const [asked, setAsked] = useState<{ readonly key: WebKey; readonly action: "activate" | "delete" }>();
  const obstacle = useObstacle("iam.web_key.write");
  const create = useMutation(WebKeyService.method.createWebKey, {
    onSuccess: async () => {
      tell(t("settings.keys.created"));
      await found.refetch();
    },
  });
  return (
    <Page
      title={t("settings.keys")}
      lead={t("settings.keys.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={
        <Button
          icon="plus"
          look="primary"
          disabledReason={obstacle}
          isBusy={create.isPending}
          onClick={() => create.mutate({ key: { case: "rsa", value: usualKey } })}
        >
          {t("settings.keys.create")}
        </Button>
      }
    >
      {create.isError && <ErrorNotice error={create.error} />}
      <Table
        label={t("settings.keys")}
        rows={found.data?.webKeys}
        rowKey={({ id }) => id}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("settings.keys.none")}</Empty>}
        columns={columns}
        rowActions={(key) => (
          <Menu
            label={t("settings.keys.actions", { id: key.id })}
            items={[
              {
                label: t("settings.keys.activate"),
                disabledReason: obstacle ?? (key.state === State.ACTIVE ? t("settings.keys.activeAlready") : undefined),
                onSelect: () => setAsked({ key, action: "activate" }),
              },
              {
                label: t("settings.keys.delete"),
                isDanger: true,
                disabledReason: obstacle ?? (key.state === State.ACTIVE ? t("settings.keys.inUse") : undefined),
                onSelect: () => setAsked({ key, action: "delete" }),
              },
            ]}
          />
        )}
      />
      {asked && (
        <DangerDialog
          title={asked.action === "activate" ? t("settings.keys.activate") : t("settings.keys.delete")}
          consequences={[
            asked.action === "activate"
              ? t("settings.keys.activate.consequence")
              : t("settings.keys.delete.consequence"),
          ]}
          action={asked.action === "activate" ? t("settings.keys.activate") : t("settings.keys.delete")}
          onConfirm={async () => {
            const { id } = asked.key;
            await (asked.action === "activate" ? client.activateWebKey({ id }) : client.deleteWebKey({ id }));
            await found.refetch();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  );
}
