import { useQuery } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { Organization } from "@doorward/api/service/org/v2/organization_pb";
import type { ReactNode } from "react";
import { useAddress } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../text/catalogue.ts";
import { OrganizationBadges } from "./organization-badges.tsx";

const parent = { to: "/organizations", label: "" };

/** The frame of all pages about one organization: its name, state and tabs. */
export function OrganizationFrame({ children }: { readonly children: (organization: Organization) => ReactNode }) {
  const id = useAddress().params["id"] ?? "";
  const found = useQuery(OrganizationService.method.listOrganizations, {
    queries: [{ query: { case: "idQuery", value: { id } } }],
  });
  const organization = found.data?.result[0];
  const up = { ...parent, label: t("nav.organizations") };
  if (organization === undefined) {
    return (
      <Page title={t("organization.one")} parent={up}>
        {found.isError && <ErrorNotice error={found.error} />}
        {found.isSuccess && <Notice>{t("organization.absent")}</Notice>}
        {found.isPending && <span className="skeleton" />}
      </Page>
    );
  }
  const base = `/organizations/${id}`;
  return (
    <Page
      title={organization.name}
      parent={up}
      badges={<OrganizationBadges of={organization} />}
      actions={<ScopeButton organizationId={id} />}
      tabs={
        <Tabs
          label={t("organization.tabs", { name: organization.name })}
          tabs={[
            { to: base, label: t("organization.overview"), exact: true },
            { to: `${base}/domains`, label: t("organization.domains") },
            { to: `${base}/administrators`, label: t("nav.administrators") },
            { to: `${base}/setup-links`, label: t("setupLink.title") },
            { to: `${base}/metadata`, label: t("organization.metadata") },
            { to: `${base}/activity`, label: t("nav.activity") },
          ]}
        />
      }
    >
      {children(organization)}
    </Page>
  );
}

/** Makes all pages of the console show this organization only, or everything again. */
function ScopeButton({ organizationId }: { readonly organizationId: string }) {
  const { search, setSearch } = useAddress();
  const isShownOnly = search["org"] === organizationId;
  return (
    <Button
      icon={isShownOnly ? "service" : "organization"}
      onClick={() => setSearch({ org: isShownOnly ? "" : organizationId })}
    >
      {isShownOnly ? t("organization.showAll") : t("organization.showOnly")}
    </Button>
  );
}
