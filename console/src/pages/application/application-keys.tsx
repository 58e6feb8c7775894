import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import {
  type ApplicationKey,
  ApplicationKeysSorting,
  type CreateApplicationKeyResponse,
} from "@doorward/api/service/application/v2/application_key_pb";
import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { ActionTable } from "../../parts/action-table.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { Expiry, ExpiryField, expirationOf } from "../../parts/expiry.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { KeyFileDialog } from "../../parts/key-file-dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { type Column, pageSize } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

const columns: readonly Column<ApplicationKey>[] = [
  { key: "id", header: t("application.keys.id"), cell: ({ keyId }) => <Copyable value={keyId} /> },
  { key: "created", header: t("application.createdAt"), cell: ({ creationDate }) => <Time at={creationDate} /> },
  {
    key: "expires",
    header: t("application.keys.expires"),
    cell: ({ expirationDate }) => <Expiry at={expirationDate} />,
  },
];

/** The keys with which an application signs its assertions (`private_key_jwt`). */
export function ApplicationKeys({ application }: { readonly application: Application }) {
  const { applicationId, projectId } = application;
  const client = createClient(ApplicationService, useTransport());
  const obstacle = useObstacle("project.app.write");
  const { page, setPage } = useAddress();
  const [made, setMade] = useState<CreateApplicationKeyResponse>();
  const found = useQuery(ApplicationService.method.listApplicationKeys, {
    pagination: { offset: BigInt(page * pageSize), limit: pageSize },
    sortingColumn: ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_CREATION_DATE,
    filters: [{ filter: { case: "applicationIdFilter", value: { applicationId } } }],
  });
  const onMade = async (answer: CreateApplicationKeyResponse) => {
    setMade(answer);
    await found.refetch();
  };
  return (
    <Section
      title={t("application.keys")}
      lead={t("application.keys.lead")}
      actions={
        <DialogButton
          icon="plus"
          disabledReason={obstacle}
          dialog={(close) => <AddKey application={application} onMade={onMade} onClose={close} />}
        >
          {t("application.keys.add")}
        </DialogButton>
      }
    >
      <ActionTable
        label={t("application.keys")}
        columns={columns}
        rows={found.data?.keys}
        rowKey={({ keyId }) => keyId}
        error={found.error}
        isLoading={found.isFetching}
        empty={<p className="muted">{t("application.keys.none")}</p>}
        paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
        actionsLabel={({ keyId }) => t("application.keys.actions", { id: keyId })}
        obstacle={obstacle}
        actions={({ keyId }) => [
          {
            label: t("application.keys.remove"),
            isDanger: true,
            dialog: (close) => (
              <DangerDialog
                title={t("application.keys.remove")}
                consequences={[t("application.keys.remove.consequence")]}
                action={t("application.keys.remove")}
                onConfirm={async () => {
                  await client.deleteApplicationKey({ applicationId, projectId, keyId });
                  await found.refetch();
                  tell(t("application.keys.removed"));
                }}
                onClose={close}
              />
            ),
          },
        ]}
      />
      {made && <KeyFileDialog keyId={made.keyId} content={made.keyDetails} onClose={() => setMade(undefined)} />}
    </Section>
  );
}

interface AddKeyProps {
  readonly application: Application;
  readonly onMade: (made: CreateApplicationKeyResponse) => Promise<unknown>;
  readonly onClose: () => void;
}

function AddKey({ application: { applicationId, projectId }, onMade, onClose }: AddKeyProps) {
  const client = createClient(ApplicationService, useTransport());
  const form = useForm({ defaultValues: { lastDay: "" } });
  return (
    <FormDialog
      title={t("application.keys.add")}
      form={form}
      onClose={onClose}
      onSave={async ({ lastDay }) => {
        const expirationDate = expirationOf(lastDay);
        const named = { applicationId, projectId };
        await onMade(await client.createApplicationKey({ ...named, ...(expirationDate && { expirationDate }) }));
      }}
    >
      <ExpiryField />
    </FormDialog>
  );
}
