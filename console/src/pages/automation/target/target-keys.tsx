import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import type { PublicKey } from "@doorward/api/service/action/v2/public_key_pb";
import { useForm } from "react-hook-form";
import { useAddress } from "../../../address.ts";
import { ActionTable } from "../../../parts/action-table.tsx";
import { Badge } from "../../../parts/badge.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { TextField } from "../../../parts/form.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Empty, Section } from "../../../parts/page.tsx";
import { type Column, pageSize } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { TargetFrame } from "./target-frame.tsx";

const columns: readonly Column<PublicKey>[] = [
  { key: "id", header: t("automation.keys.id"), cell: ({ keyId }) => <code>{keyId}</code> },
  {
    key: "state",
    header: t("automation.state"),
    cell: ({ active }) =>
      active ? (
        <Badge look="good">{t("automation.keys.active")}</Badge>
      ) : (
        <Badge>{t("automation.keys.inactive")}</Badge>
      ),
  },
  {
    key: "fingerprint",
    header: t("automation.keys.fingerprint"),
    cell: ({ fingerprint }) => <code>{fingerprint}</code>,
    isSecondary: true,
  },
  { key: "created", header: t("automation.created"), cell: ({ creationDate }) => <Time at={creationDate} /> },
];

/** The public keys of a target, of which one encrypts what is sent to it. */
export const TargetKeysPage = () => <TargetFrame>{({ id }) => <Keys targetId={id} />}</TargetFrame>;

function Keys({ targetId }: { readonly targetId: string }) {
  const client = createClient(ActionService, useTransport());
  const { page, setPage } = useAddress();
  const obstacle = useObstacle("action.target.write");
  const found = useQuery(ActionService.method.listPublicKeys, {
    targetId,
    pagination: { offset: BigInt(page * pageSize), limit: pageSize },
  });
  const readAgain = () => found.refetch();
  return (
    <Section
      title={t("automation.keys")}
      lead={t("automation.keys.lead")}
      actions={
        <DialogButton
          icon="plus"
          disabledReason={obstacle}
          dialog={(close) => <AddKey targetId={targetId} onClose={close} onAdded={readAgain} />}
        >
          {t("automation.keys.add")}
        </DialogButton>
      }
    >
      <ActionTable
        label={t("automation.keys")}
        columns={columns}
        rows={found.data?.publicKeys}
        rowKey={({ keyId }) => keyId}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("automation.keys.none")}</Empty>}
        paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
        actionsLabel={({ keyId }) => t("automation.actionsFor", { name: keyId })}
        obstacle={obstacle}
        actions={({ keyId, active }) => [
          {
            label: active ? t("automation.keys.deactivate") : t("automation.keys.activate"),
            run: async () => {
              const named = { targetId, keyId };
              await (active ? client.deactivatePublicKey(named) : client.activatePublicKey(named));
              await readAgain();
            },
          },
          {
            label: t("automation.keys.remove"),
            isDanger: true,
            disabledReason: active ? t("automation.keys.inUse") : undefined,
            dialog: (close) => (
              <DangerDialog
                title={t("automation.keys.remove")}
                consequences={[t("automation.keys.remove.consequence")]}
                action={t("automation.keys.remove")}
                onConfirm={async () => {
                  await client.removePublicKey({ targetId, keyId });
                  await readAgain();
                }}
                onClose={close}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

interface AddKeyProps {
  readonly targetId: string;
  readonly onClose: () => void;
  readonly onAdded: () => Promise<unknown>;
}

function AddKey({ targetId, onClose, onAdded }: AddKeyProps) {
  const client = createClient(ActionService, useTransport());
  const form = useForm({ defaultValues: { publicKey: "" } });
  return (
    <FormDialog
      title={t("automation.keys.add")}
      form={form}
      onClose={onClose}
      onSave={async ({ publicKey }) => {
        await client.addPublicKey({ targetId, publicKey: new TextEncoder().encode(publicKey.trim()) });
        await onAdded();
      }}
    >
      <TextField name="publicKey" label={t("automation.keys.pem")} rows={8} isRequired isCode />
    </FormDialog>
  );
}
