import { useAddress } from "../address.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { OrganizationPicker } from "../parts/organization-picker.tsx";
import { t } from "../text/catalogue.ts";

/** Chooses the organization that the pages are about, or the whole instance. */
export function ScopeDialog({ onClose }: { readonly onClose: () => void }) {
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
