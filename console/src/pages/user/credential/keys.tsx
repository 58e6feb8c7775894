import { useQuery } from "@connectrpc/connect-query";
import { type AddKeyResponse, type Key, KeyFieldName } from "@doorward/api/service/user/v2/key_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../../api/refresh.ts";
import { Button } from "../../../parts/button.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ExpiryField, expirationOf } from "../../../parts/expiry.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { KeyFileDialog } from "../../../parts/key-file-dialog.tsx";
import { Section } from "../../../parts/page.tsx";
import { Table } from "../../../parts/table.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { useListPage } from "../list-page.ts";
import { useObstacleHere } from "../obstacle-here.ts";
import { useUserClient } from "../user-calls.ts";
import { credentialColumns } from "./credential-columns.tsx";

/** The keys with which a service account signs its assertions (RFC 7523). */
export function Keys({ userId }: { readonly userId: string }) {
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const list = useListPage();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<AddKeyResponse>();
  const [removed, setRemoved] = useState<Key>();
  const { data, error, isFetching } = useQuery(UserService.method.listKeys, {
    pagination: list.pagination,
    sortingColumn: KeyFieldName.CREATED_DATE,
    filters: [{ filter: { case: "userIdFilter", value: { id: userId } } }],
  });
  return (
    <Section
      title={t("user.keys")}
      lead={t("user.keys.lead")}
      actions={
        <Button disabledReason={obstacle} onClick={() => setAdding(true)}>
          {t("user.keys.add")}
        </Button>
      }
    >
      <Table
        label={t("user.keys")}
        columns={credentialColumns(t("user.keys.id"))}
        rows={data?.result}
        rowKey={({ id }) => id}
        error={error}
        isLoading={isFetching}
        paging={{ ...list.paging, total: data?.pagination?.totalResult }}
        empty={<p className="muted">{t("user.keys.none")}</p>}
        rowActions={(key) => (
          <Button look="quiet" disabledReason={obstacle} onClick={() => setRemoved(key)}>
            {t("user.remove")}
          </Button>
        )}
      />
      {isAdding && <AddKeyDialog userId={userId} onMade={setMade} onClose={() => setAdding(false)} />}
      {made && <KeyFileDialog keyId={made.keyId} content={made.keyContent} onClose={() => setMade(undefined)} />}
      {removed && (
        <DangerDialog
          title={t("user.keys.removeTitle", { id: removed.id })}
          consequences={[t("user.keys.lost")]}
          action={t("user.remove")}
          onConfirm={async () => {
            await client.removeKey({ userId, keyId: removed.id });
            await refresh(UserService);
            tell(t("user.keys.removed"));
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}

interface AddKeyDialogProps {
  readonly userId: string;
  readonly onMade: (made: AddKeyResponse) => void;
  readonly onClose: () => void;
}

function AddKeyDialog({ userId, onMade, onClose }: AddKeyDialogProps) {
  const client = useUserClient();
  const refresh = useRefresh();
  const form = useForm({ defaultValues: { lastDay: "", publicKey: "" } });
  return (
    <Dialog title={t("user.keys.add")} onClose={onClose}>
      <Form
        form={form}
        action={t("user.keys.add")}
        done={t("user.keys.added")}
        onSave={async ({ lastDay, publicKey }) => {
          const expirationDate = expirationOf(lastDay);
          const made = await client.addKey({
            userId,
            ...(expirationDate && { expirationDate }),
            ...(publicKey.trim() !== "" && { publicKey: new TextEncoder().encode(publicKey) }),
          });
          await refresh(UserService);
          onClose();
          if (made.keyContent.length > 0) onMade(made);
        }}
      >
        <ExpiryField />
        <TextField name="publicKey" label={t("user.keys.public")} hint={t("user.keys.publicHint")} rows={6} />
      </Form>
    </Dialog>
  );
}
