import { useQuery } from "@connectrpc/connect-query";
import {
  type PersonalAccessToken,
  PersonalAccessTokenFieldName,
} from "@doorward/api/service/user/v2/personal_access_token_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../../api/refresh.ts";
import { Button } from "../../../parts/button.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ExpiryField, expirationOf } from "../../../parts/expiry.tsx";
import { Form } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { SecretDialog } from "../../../parts/secret-dialog.tsx";
import { Table } from "../../../parts/table.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { useListPage } from "../list-page.ts";
import { useObstacleHere } from "../obstacle-here.ts";
import { useUserClient } from "../user-calls.ts";
import { credentialColumns } from "./credential-columns.tsx";

/** Long-lived access tokens of a service account, for what cannot get tokens itself. */
export function AccessTokens({ userId }: { readonly userId: string }) {
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const list = useListPage();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<string>();
  const [removed, setRemoved] = useState<PersonalAccessToken>();
  const { data, error, isFetching } = useQuery(UserService.method.listPersonalAccessTokens, {
    pagination: list.pagination,
    sortingColumn: PersonalAccessTokenFieldName.CREATED_DATE,
    filters: [{ filter: { case: "userIdFilter", value: { id: userId } } }],
  });
  return (
    <Section
      title={t("user.tokens")}
      lead={t("user.tokens.lead")}
      actions={
        <Button disabledReason={obstacle} onClick={() => setAdding(true)}>
          {t("user.tokens.add")}
        </Button>
      }
    >
      <Table
        label={t("user.tokens")}
        columns={credentialColumns(t("user.tokens.id"))}
        rows={data?.result}
        rowKey={({ id }) => id}
        error={error}
        isLoading={isFetching}
        paging={{ ...list.paging, total: data?.pagination?.totalResult }}
        empty={<p className="muted">{t("user.tokens.none")}</p>}
        rowActions={(token) => (
          <Button look="quiet" disabledReason={obstacle} onClick={() => setRemoved(token)}>
            {t("user.remove")}
          </Button>
        )}
      />
      {isAdding && <AddTokenDialog userId={userId} onMade={setMade} onClose={() => setAdding(false)} />}
      {made !== undefined && (
        <SecretDialog
          title={t("user.tokens.added")}
          values={[[t("user.tokens.token"), made]]}
          onClose={() => setMade(undefined)}
        />
      )}
      {removed && (
        <DangerDialog
          title={t("user.tokens.removeTitle", { id: removed.id })}
          consequences={[t("user.tokens.lost")]}
          action={t("user.remove")}
          onConfirm={async () => {
            await client.removePersonalAccessToken({ userId, tokenId: removed.id });
            await refresh(UserService);
            tell(t("user.tokens.removed"));
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}

interface AddTokenDialogProps {
  readonly userId: string;
  readonly onMade: (token: string) => void;
  readonly onClose: () => void;
}

function AddTokenDialog({ userId, onMade, onClose }: AddTokenDialogProps) {
  const client = useUserClient();
  const refresh = useRefresh();
  const form = useForm({ defaultValues: { lastDay: "" } });
  return (
    <Dialog title={t("user.tokens.add")} onClose={onClose}>
      <Form
        form={form}
        action={t("user.tokens.add")}
        onSave={async ({ lastDay }) => {
          const expirationDate = expirationOf(lastDay);
          const { token } = await client.addPersonalAccessToken({ userId, ...(expirationDate && { expirationDate }) });
          await refresh(UserService);
          onClose();
          onMade(token);
        }}
      >
        <ExpiryField />
      </Form>
    </Dialog>
  );
}
