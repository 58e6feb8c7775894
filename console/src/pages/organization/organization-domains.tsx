import { createClient } from "@connectrpc/connect";
import { useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { type Domain, DomainFieldName } from "@doorward/api/service/org/v2/domain_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { inOrganization } from "../../api/organization.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacleIn } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { DomainProof } from "./domain-proof.tsx";
import { OrganizationFrame } from "./organization-frame.tsx";

/** The domains of an organization: which names its users have, and how each domain is proven. */
export const OrganizationDomainsPage = () => (
  <OrganizationFrame>{({ id }) => <Domains organizationId={id} />}</OrganizationFrame>
);

type Asked = { readonly about: "add" } | { readonly about: "verify" | "primary" | "remove"; readonly domain: Domain };

function Domains({ organizationId }: { readonly organizationId: string }) {
  const { page, setPage } = useAddress();
  const [asked, setAsked] = useState<Asked>();
  const obstacle = useObstacleIn(organizationId, "org.write");
  const list = useQuery(OrganizationService.method.listOrganizationDomains, {
    organizationId,
    pagination: { limit: pageSize, offset: BigInt(page * pageSize), asc: true },
    sortingColumn: DomainFieldName.NAME,
  });
  const close = () => setAsked(undefined);
  const add = (
    <Button icon="plus" disabledReason={obstacle} onClick={() => setAsked({ about: "add" })}>
      {t("organization.domainAdd")}
    </Button>
  );
  return (
    <Section title={t("organization.domains")} lead={t("organization.domainsLead")} actions={add}>
      <Table
        label={t("organization.domains")}
        columns={columns}
        rows={list.data?.domains}
        rowKey={({ domain }) => domain}
        rowActions={(domain) => <DomainActions domain={domain} obstacle={obstacle} onAsk={setAsked} />}
        error={list.error}
        isLoading={list.isFetching}
        empty={<Empty>{t("organization.domainsNone")}</Empty>}
        paging={{ page, pageSize, total: list.data?.pagination?.totalResult, onPage: setPage }}
      />
      {asked?.about === "add" && <AddDomain organizationId={organizationId} onClose={close} onAdded={setAsked} />}
      {asked?.about === "verify" && <DomainProof of={asked.domain} onClose={close} />}
      {asked?.about === "primary" && <MakePrimary of={asked.domain} onClose={close} />}
      {asked?.about === "remove" && <RemoveDomain of={asked.domain} onClose={close} />}
    </Section>
  );
}

const columns: readonly Column<Domain>[] = [
  { key: "domain", header: t("organization.domain"), cell: ({ domain }) => domain },
  {
    key: "state",
    header: t("organization.state"),
    cell: ({ isVerified, isPrimary }) => (
      <span className="badges">
        {isVerified ? (
          <Badge look="good">{t("organization.domainVerified")}</Badge>
        ) : (
          <Badge look="warning">{t("organization.domainUnverified")}</Badge>
        )}
        {isPrimary && <Badge>{t("organization.domainPrimary")}</Badge>}
      </span>
    ),
  },
];

function DomainActions(props: {
  readonly domain: Domain;
  readonly obstacle: string | undefined;
  readonly onAsk: (asked: Asked) => void;
}) {
  const { domain, obstacle, onAsk } = props;
  const unverified = domain.isVerified ? undefined : t("organization.domainVerifyFirst");
  return (
    <span className="row-buttons">
      {!domain.isVerified && (
        <Button disabledReason={obstacle} onClick={() => onAsk({ about: "verify", domain })}>
          {t("organization.domainVerify")}
        </Button>
      )}
      <Menu
        label={t("organization.actionsFor", { name: domain.domain })}
        items={[
          {
            label: t("organization.domainMakePrimary"),
            disabledReason:
              obstacle ?? unverified ?? (domain.isPrimary ? t("organization.domainIsPrimary") : undefined),
            onSelect: () => onAsk({ about: "primary", domain }),
          },
          {
            label: t("organization.domainRemove"),
            isDanger: true,
            disabledReason: obstacle ?? (domain.isPrimary ? t("organization.domainPrimaryKept") : undefined),
            onSelect: () => onAsk({ about: "remove", domain }),
          },
        ]}
      />
    </span>
  );
}

function AddDomain(props: {
  readonly organizationId: string;
  readonly onClose: () => void;
  readonly onAdded: (asked: Asked | undefined) => void;
}) {
  const { organizationId, onClose, onAdded } = props;
  const form = useForm({ defaultValues: { domain: "" } });
  const refresh = useRefresh();
  const client = createClient(OrganizationService, useTransport());
  return (
    <Dialog title={t("organization.domainAdd")} onClose={onClose}>
      <Form
        form={form}
        action={t("organization.domainAdd")}
        onSave={async (values) => {
          const name = values.domain.trim().toLowerCase();
          await client.addOrganizationDomain({ organizationId, domain: name });
          await refresh(OrganizationService);
          const { domains } = await client.listOrganizationDomains({
            organizationId,
            filters: [{ filter: { case: "domainFilter", value: { domain: name } } }],
          });
          tell(t("organization.domainAdded", { domain: name }));
          // Settings of the instance can accept domains without proof.
          const added = domains.find(({ isVerified }) => !isVerified);
          onAdded(added && { about: "verify", domain: added });
        }}
      >
        <Field
          name="domain"
          label={t("organization.domain")}
          hint={t("organization.domainHint")}
          isRequired
          maxLength={200}
          check={(value) => (/^[^\s.]+(\.[^\s.]+)+$/.test(value.trim()) ? undefined : t("organization.domainInvalid"))}
        />
      </Form>
    </Dialog>
  );
}

interface AboutDomain {
  readonly of: Domain;
  readonly onClose: () => void;
}

function MakePrimary({ of: { organizationId, domain }, onClose }: AboutDomain) {
  const refresh = useRefresh();
  const client = createClient(ManagementService, useTransport());
  return (
    <DangerDialog
      title={t("organization.domainPrimaryTitle", { domain })}
      consequences={[t("organization.domainPrimaryNames", { domain }), t("organization.domainPrimaryFormer")]}
      action={t("organization.domainMakePrimary")}
      onConfirm={async () => {
        await client.setPrimaryOrgDomain({ domain }, inOrganization(organizationId));
        await refresh(OrganizationService);
        tell(t("organization.domainPrimaryDone", { domain }));
      }}
      onClose={onClose}
    />
  );
}

function RemoveDomain({ of: { organizationId, domain, isVerified }, onClose }: AboutDomain) {
  const refresh = useRefresh();
  const remove = useMutation(OrganizationService.method.deleteOrganizationDomain);
  const consequences = isVerified
    ? [t("organization.domainRemoveNames", { domain }), t("organization.domainRemoveFree", { domain })]
    : [t("organization.domainRemoveProof")];
  return (
    <DangerDialog
      title={t("organization.domainRemoveTitle", { domain })}
      consequences={consequences}
      action={t("organization.domainRemove")}
      onConfirm={async () => {
        await remove.mutateAsync({ organizationId, domain });
        await refresh(OrganizationService);
        tell(t("organization.domainRemoved", { domain }));
      }}
      onClose={onClose}
    />
  );
}
