import { createClient } from "@connectrpc/connect";
import { useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import { type SetupLink, SetupLinkState, SetupPart } from "@doorward/api/service/setup_link/v2/setup_link_pb";
import { SetupLinkService } from "@doorward/api/service/setup_link/v2/setup_link_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ChecksField } from "../../parts/checks-field.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, SelectField } from "../../parts/form.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { SecretDialog } from "../../parts/secret-dialog.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useObstacleIn } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { OrganizationFrame } from "./organization-frame.tsx";

/** The links with which the customer sets up the organization, without an account. */
export const SetupLinksPage = () => (
  <OrganizationFrame>{({ id }) => <SetupLinks organizationId={id} />}</OrganizationFrame>
);

type Asked =
  | { readonly about: "create" }
  | { readonly about: "created"; readonly url: string }
  | { readonly about: "revoke"; readonly link: SetupLink };

function SetupLinks({ organizationId }: { readonly organizationId: string }) {
  const { page, setPage } = useAddress();
  const [asked, setAsked] = useState<Asked>();
  const obstacle = useObstacleIn(organizationId, "org.member.write");
  const list = useQuery(SetupLinkService.method.listSetupLinks, {
    organizationId,
    pagination: { limit: pageSize, offset: BigInt(page * pageSize) },
  });
  const close = () => setAsked(undefined);
  const create = (
    <Button icon="plus" disabledReason={obstacle} onClick={() => setAsked({ about: "create" })}>
      {t("setupLink.create")}
    </Button>
  );
  return (
    <Section title={t("setupLink.title")} lead={t("setupLink.lead")} actions={create}>
      <Table
        label={t("setupLink.title")}
        columns={columns}
        rows={list.data?.links}
        rowKey={({ id }) => id}
        rowActions={(link) =>
          isOpen(link) && (
            <Button disabledReason={obstacle} onClick={() => setAsked({ about: "revoke", link })}>
              {t("setupLink.revoke")}
            </Button>
          )
        }
        error={list.error}
        isLoading={list.isFetching && list.data === undefined}
        empty={<Empty>{t("setupLink.none")}</Empty>}
        paging={{ page, pageSize, total: list.data?.pagination?.totalResult, onPage: setPage }}
      />
      {asked?.about === "create" && (
        <CreateSetupLink
          organizationId={organizationId}
          onClose={close}
          onCreated={(url) => setAsked({ about: "created", url })}
        />
      )}
      {asked?.about === "created" && (
        <SecretDialog title={t("setupLink.created")} values={[[t("setupLink.url"), asked.url]]} onClose={close}>
          <p className="muted">{t("setupLink.send")}</p>
        </SecretDialog>
      )}
      {asked?.about === "revoke" && <RevokeSetupLink link={asked.link} onClose={close} />}
    </Section>
  );
}

const isOpen = ({ state }: SetupLink): boolean => state === SetupLinkState.UNUSED || state === SetupLinkState.OPENED;

const partNames = [
  [SetupPart.DOMAIN, t("organization.domains")],
  [SetupPart.IDENTITY_PROVIDER, t("provider.one")],
] as const;

const columns: readonly Column<SetupLink>[] = [
  {
    key: "parts",
    header: t("setupLink.parts"),
    cell: ({ parts }) =>
      partNames
        .filter(([part]) => parts.includes(part))
        .map(([, name]) => name)
        .join(", "),
  },
  { key: "state", header: t("organization.state"), cell: (link) => <State of={link} /> },
  { key: "created", header: t("organization.created"), cell: ({ creationDate }) => <Time at={creationDate} /> },
  { key: "expires", header: t("user.expires"), cell: ({ expirationDate }) => <Time at={expirationDate} /> },
];

function State({ of: { state } }: { readonly of: SetupLink }) {
  switch (state) {
    case SetupLinkState.OPENED:
      return <Badge look="good">{t("setupLink.opened")}</Badge>;
    case SetupLinkState.EXPIRED:
      return <Badge>{t("user.expired")}</Badge>;
    case SetupLinkState.FINISHED:
      return <Badge>{t("job.state.completed")}</Badge>;
    case SetupLinkState.REVOKED:
      return <Badge>{t("setupLink.ended")}</Badge>;
    default:
      return <Badge look="warning">{t("setupLink.unused")}</Badge>;
  }
}

function CreateSetupLink(props: {
  readonly organizationId: string;
  readonly onClose: () => void;
  readonly onCreated: (url: string) => void;
}) {
  const { organizationId, onClose, onCreated } = props;
  const form = useForm({ defaultValues: { parts: partNames.map(([part]) => String(part)), days: "3" } });
  const refresh = useRefresh();
  const client = createClient(SetupLinkService, useTransport());
  return (
    <Dialog title={t("setupLink.create")} onClose={onClose}>
      <Form
        form={form}
        action={t("setupLink.create")}
        onSave={async ({ parts, days }) => {
          const wanted = { organizationId, parts: parts.map(Number), lifetimeDays: Number(days) };
          const { url } = await client.createSetupLink(wanted);
          await refresh(SetupLinkService);
          onCreated(url);
        }}
      >
        <ChecksField
          name="parts"
          label={t("setupLink.parts")}
          choices={partNames.map(([part, name]) => ({ id: String(part), name }))}
          isRequired
        />
        <SelectField
          name="days"
          label={t("setupLink.lifetime")}
          options={["1", "3", "7"].map((days) => [days, days] as const)}
        />
      </Form>
    </Dialog>
  );
}

function RevokeSetupLink({ link, onClose }: { readonly link: SetupLink; readonly onClose: () => void }) {
  const refresh = useRefresh();
  const revoke = useMutation(SetupLinkService.method.revokeSetupLink);
  return (
    <DangerDialog
      title={t("setupLink.revokeTitle")}
      consequences={[t("setupLink.revokeLoss")]}
      action={t("setupLink.revoke")}
      onConfirm={async () => {
        await revoke.mutateAsync({ id: link.id });
        await refresh(SetupLinkService);
      }}
      onClose={onClose}
    />
  );
}
