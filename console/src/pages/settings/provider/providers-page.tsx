import { IDPState } from "@doorward/api/service/idp/v1/idp_pb";
import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { Menu } from "../../../parts/menu.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { Empty, Page } from "../../../parts/page.tsx";
import { Table } from "../../../parts/table.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { AddProvider } from "./add-provider.tsx";
import { kindName } from "./kinds.ts";
import { useProviderAccess } from "./provider-access.ts";

/** The identity providers that users can sign in with. */
export function ProvidersPage() {
  const access = useProviderAccess();
  const found = useQuery({ queryKey: ["providers"], queryFn: access.list });
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Provider>();
  const obstacle = useObstacle(access.permission);
  const offered = found.data?.offered;
  const toggle = useMutation({
    mutationFn: async (provider: Provider) => {
      await (offered?.has(provider.id) ? access.withdraw(provider.id) : access.offer(provider));
      await found.refetch();
    },
  });
  const add = (
    <Button icon="plus" look="primary" disabledReason={obstacle} onClick={() => setAdding(true)}>
      {t("settings.providers.add")}
    </Button>
  );
  return (
    <Page
      title={t("settings.providers")}
      lead={t("settings.providers.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={add}
    >
      {toggle.isError && <ErrorNotice error={toggle.error} />}
      <Table
        label={t("settings.providers")}
        rows={found.data?.providers}
        rowKey={({ id }) => id}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("settings.providers.none")}</Empty>}
        columns={[
          { key: "name", header: t("settings.providers.name"), cell: ({ name }) => name },
          { key: "kind", header: t("settings.providers.kind"), cell: ({ type }) => kindName(type) },
          { key: "state", header: t("settings.keys.state"), cell: (one) => <State provider={one} offered={offered} /> },
        ]}
        rowActions={(provider) => (
          <Menu
            label={t("settings.providers.actions", { name: provider.name })}
            items={[
              {
                label: offered?.has(provider.id) ? t("settings.providers.withdraw") : t("settings.providers.offer"),
                disabledReason: obstacle,
                onSelect: () => toggle.mutate(provider),
              },
              {
                label: t("settings.providers.delete"),
                isDanger: true,
                disabledReason: obstacle,
                onSelect: () => setRemoved(provider),
              },
            ]}
          />
        )}
      />
      {isAdding && <AddProvider onClose={() => setAdding(false)} onAdded={() => found.refetch()} />}
      {removed && (
        <DangerDialog
          title={t("settings.providers.delete")}
          consequences={[t("settings.providers.delete.signIn"), t("settings.providers.delete.links")]}
          action={t("settings.providers.delete")}
          nameToType={removed.name}
          onConfirm={async () => {
            await access.remove(removed.id);
            await found.refetch();
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}

interface StateProps {
  readonly provider: Provider;
  readonly offered: ReadonlySet<string> | undefined;
}

function State({ provider, offered }: StateProps) {
  if (provider.state === IDPState.IDP_STATE_INACTIVE)
    return <Badge look="bad">{t("settings.providers.inactive")}</Badge>;
  return offered?.has(provider.id) ? (
    <Badge look="good">{t("settings.providers.offered")}</Badge>
  ) : (
    <Badge>{t("settings.providers.notOffered")}</Badge>
  );
}
