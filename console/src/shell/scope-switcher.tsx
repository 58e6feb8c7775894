import { useQuery } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../parts/icon.tsx";
import { t } from "../text/catalogue.ts";
import { useOrganizationId } from "./access.ts";

const ScopeDialog = lazy(async () => ({ default: (await import("./scope-dialog.tsx")).ScopeDialog }));

/** Says whether the pages are about the instance or one organization, and changes that. */
export function ScopeSwitcher() {
  const [isOpen, setOpen] = useState(false);
  const id = useOrganizationId();
  const chosen = useQuery(
    OrganizationService.method.listOrganizations,
    { queries: [{ query: { case: "idQuery", value: { id: id ?? "" } } }] },
    { enabled: id !== undefined },
  );
  const name = id === undefined ? t("scope.instance") : (chosen.data?.result[0]?.name ?? id);
  return (
    <>
      <button type="button" className="scope" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name={id === undefined ? "service" : "organization"} />
        <span className="only-read-aloud">{t("scope.label")}: </span>
        {id !== undefined && <span className="muted scope-kind">{t("scope.organization")}</span>}
        <span className="scope-name">{name}</span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ScopeDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
