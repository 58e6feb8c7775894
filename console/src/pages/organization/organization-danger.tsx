import { useMutation } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { type Organization, OrganizationState } from "@doorward/api/service/org/v2/organization_pb";
import { useState } from "react";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DangerRow } from "../../parts/danger-row.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Section } from "../../parts/page.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle, useObstacleIn } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import { useIsDefault } from "./organization-badges.tsx";
import { useCounts } from "./organization-counts.tsx";

/** What changes who an organization serves, or ends it. */
export function OrganizationDanger({ of: organization }: { readonly of: Organization }) {
  const { id, name, state } = organization;
  const [asked, setAsked] = useState<"default" | "deactivate" | "delete">();
  const isDefault = useIsDefault(id);
  const kept = isDefault ? t("organization.isDefault") : undefined;
  const mayWrite = useObstacleIn(id, "org.write");
  const mayDelete = useObstacleIn(id, "org.delete");
  const mayChangeInstance = useObstacle("iam.write");
  const refresh = useRefresh();
  const activate = useMutation(OrganizationService.method.activateOrganization);
  const isActive = state === OrganizationState.ACTIVE;
  const onActivate = async () => {
    await activate.mutateAsync({ organizationId: id });
    await refresh(OrganizationService);
    tell(t("organization.activated"));
  };
  return (
    <Section title={t("organization.danger")}>
      {activate.isError && <ErrorNotice error={activate.error} />}
      {!isDefault && (
        <DangerRow
          title={t("organization.makeDefault")}
          text={t("organization.makeDefaultLead")}
          reason={mayChangeInstance}
        >
          <Button disabled={mayChangeInstance !== undefined} onClick={() => setAsked("default")}>
            {t("organization.makeDefault")}
          </Button>
        </DangerRow>
      )}
      {isActive ? (
        <DangerRow
          title={t("organization.deactivate")}
          text={t("organization.deactivateLead")}
          reason={kept ?? mayWrite ?? mayDelete}
        >
          <Button disabled={(kept ?? mayWrite ?? mayDelete) !== undefined} onClick={() => setAsked("deactivate")}>
            {t("organization.deactivate")}
          </Button>
        </DangerRow>
      ) : (
        <DangerRow title={t("organization.activate")} text={t("organization.activateLead")} reason={mayWrite}>
          <Button
            disabled={mayWrite !== undefined}
            isBusy={activate.isPending}
            onClick={() => void onActivate().catch(() => {})}
          >
            {t("organization.activate")}
          </Button>
        </DangerRow>
      )}
      <DangerRow title={t("organization.delete")} text={t("organization.deleteLead")} reason={kept ?? mayDelete}>
        <Button look="danger" disabled={(kept ?? mayDelete) !== undefined} onClick={() => setAsked("delete")}>
          {t("organization.delete")}
        </Button>
      </DangerRow>
      {asked === "default" && <MakeDefault id={id} name={name} onClose={() => setAsked(undefined)} />}
      {asked === "deactivate" && <Deactivate id={id} name={name} onClose={() => setAsked(undefined)} />}
      {asked === "delete" && <Delete id={id} name={name} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

interface Asked {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function MakeDefault({ id, name, onClose }: Asked) {
  const refresh = useRefresh();
  const setDefault = useMutation(AdminService.method.setDefaultOrg);
  return (
    <DangerDialog
      title={t("organization.makeDefaultTitle", { name })}
      consequences={[t("organization.makeDefaultUsers"), t("organization.makeDefaultSettings")]}
      action={t("organization.makeDefault")}
      onConfirm={async () => {
        await setDefault.mutateAsync({ orgId: id });
        await refresh(OrganizationService);
        tell(t("organization.madeDefault", { name }));
      }}
      onClose={onClose}
    />
  );
}

function Deactivate({ id, name, onClose }: Asked) {
  const refresh = useRefresh();
  const deactivate = useMutation(OrganizationService.method.deactivateOrganization);
  return (
    <DangerDialog
      title={t("organization.deactivateTitle", { name })}
      consequences={[
        t("organization.deactivateUsers"),
        t("organization.deactivateApplications"),
        t("organization.deactivateBack"),
      ]}
      action={t("organization.deactivate")}
      onConfirm={async () => {
        await deactivate.mutateAsync({ organizationId: id });
        await refresh(OrganizationService);
        tell(t("organization.deactivated"));
      }}
      onClose={onClose}
    />
  );
}

function Delete({ id, name, onClose }: Asked) {
  const { search, setSearch, go } = useAddress();
  const refresh = useRefresh();
  const { users, projects } = useCounts(id);
  const remove = useMutation(OrganizationService.method.deleteOrganization);
  const count = (value: bigint | undefined) => (value === undefined ? "…" : formatNumber(value));
  return (
    <DangerDialog
      title={t("organization.deleteTitle", { name })}
      consequences={[
        t("organization.deleteUsers", { count: count(users) }),
        t("organization.deleteProjects", { count: count(projects) }),
        t("organization.deleteSettings"),
        t("organization.deleteFinal"),
      ]}
      action={t("organization.delete")}
      nameToType={name}
      onConfirm={async () => {
        await remove.mutateAsync({ organizationId: id });
        tell(t("organization.deleted", { name }));
        if (search["org"] === id) setSearch({ org: "" });
        go("/organizations");
        await refresh(OrganizationService);
      }}
      onClose={onClose}
    />
  );
}
