import { useQuery } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { useState } from "react";
import { useAddress } from "../address.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { OrganizationPicker } from "../parts/pickers.tsx";
import { t } from "../text/catalogue.ts";
import { useOrganizationId } from "./access.ts";

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
      {isOpen && <ScopeDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ScopeDialog({ onClose }: { readonly onClose: () => void }) {
  const { setSearch } = useAddress();
  const choose = (id: string) => {
    setSearch({ org: id });
    onClose();
  };
  return (
    <Dialog title={t("scope.title")} onClose={onClose}>
      <OrganizationPicker
        label={t("scope.find")}
        chosen={undefined}
        onChoose={(choice) => choice && choose(choice.id)}
      />
      <p>
        <Button icon="service" onClick={() => choose("")}>
          {t("scope.instance")}
        </Button>
      </p>
    </Dialog>
  );
}
