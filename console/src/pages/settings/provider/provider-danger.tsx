import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { useAddress } from "../../../address.ts";
import { ActionButton } from "../../../parts/action-button.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DangerRow } from "../../../parts/danger-row.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { Section } from "../../../parts/page.tsx";
import { formatTotal } from "../../../parts/table.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import type { ProviderKind } from "./kinds.ts";
import { useLinkedCount } from "./linked-users.tsx";
import { useProviderAccess } from "./provider-access.ts";
import { isActive } from "./provider-badges.tsx";
import { useRefreshProviders } from "./use-provider.ts";

interface ProviderDangerProps {
  readonly provider: Provider;
  readonly obstacle: string | undefined;
}

/** What keeps users from signing in with a provider. */
export const ProviderDanger = ({ kind, ...props }: ProviderDangerProps & { readonly kind: ProviderKind }) => (
  <Section title={t("organization.danger")}>
    {kind === "saml" && <ReplaceCertificate {...props} />}
    <Activity {...props} />
    <Delete {...props} />
  </Section>
);

function ReplaceCertificate({ provider: { id }, obstacle }: ProviderDangerProps) {
  const access = useProviderAccess();
  const consequence = t("provider.certificate.consequence");
  return (
    <DangerRow title={t("provider.certificate")} text={consequence} reason={obstacle}>
      <DialogButton
        disabledReason={obstacle}
        dialog={(close) => (
          <DangerDialog
            title={t("provider.certificate")}
            consequences={[consequence]}
            action={t("provider.certificate")}
            onConfirm={async () => {
              await access.replaceCertificate(id);
              tell(t("settings.saved"));
            }}
            onClose={close}
          />
        )}
      >
        {t("provider.certificate")}
      </DialogButton>
    </DangerRow>
  );
}

function Activity({ provider, obstacle }: ProviderDangerProps) {
  const { id } = provider;
  const access = useProviderAccess();
  const refresh = useRefreshProviders();
  const set = async (isToBeActive: boolean) => {
    await access.setActive(id, isToBeActive);
    await refresh();
  };
  if (!isActive(provider)) {
    return (
      <DangerRow title={t("provider.activate")} text={t("provider.activate.lead")} reason={obstacle}>
        <ActionButton run={() => set(true)} done={t("settings.saved")} disabledReason={obstacle}>
          {t("provider.activate")}
        </ActionButton>
      </DangerRow>
    );
  }
  return (
    <DangerRow title={t("provider.deactivate")} text={t("provider.deactivate.lead")} reason={obstacle}>
      <DialogButton
        disabledReason={obstacle}
        dialog={(close) => (
          <DangerDialog
            title={t("provider.deactivate")}
            consequences={[t("provider.deactivate.lead")]}
            action={t("provider.deactivate")}
            onConfirm={() => set(false)}
            onClose={close}
          />
        )}
      >
        {t("provider.deactivate")}
      </DialogButton>
    </DangerRow>
  );
}

function Delete({ provider: { id, name }, obstacle }: ProviderDangerProps) {
  const access = useProviderAccess();
  const refresh = useRefreshProviders();
  const { go } = useAddress();
  const users = useLinkedCount(id);
  return (
    <DangerRow title={t("settings.providers.delete")} text={t("settings.providers.delete.signIn")} reason={obstacle}>
      <DialogButton
        look="danger"
        disabledReason={obstacle}
        dialog={(close) => (
          <DangerDialog
            title={t("settings.providers.delete")}
            consequences={[
              t("settings.providers.delete.signIn"),
              t("settings.providers.delete.links"),
              ...(users === undefined ? [] : [t("provider.delete.users", { count: formatTotal(users) })]),
              t("provider.delete.secret"),
            ]}
            action={t("settings.providers.delete")}
            nameToType={name}
            onConfirm={async () => {
              await access.remove(id);
              await refresh(true);
              go("/settings/providers");
              tell(t("automation.deletedNamed", { name }));
            }}
            onClose={close}
          />
        )}
      >
        {t("settings.providers.delete")}
      </DialogButton>
    </DangerRow>
  );
}
