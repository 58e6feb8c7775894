import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { Facts, Section } from "../../../parts/page.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { useProviderAccess } from "./provider-access.ts";
import { isActive } from "./provider-badges.tsx";
import { useRefreshProviders } from "./use-provider.ts";

interface ProviderAnswersProps {
  readonly provider: Provider;
  readonly obstacle: string | undefined;
}

/** Whose word a provider is: it signs in no user who may do more than those who answer for it. */
export function ProviderAnswers({ provider, obstacle }: ProviderAnswersProps) {
  const { id, answeringRoles } = provider;
  const access = useProviderAccess();
  const refresh = useRefreshProviders();
  return (
    <Section title={t("provider.answers")} lead={t("provider.answers.lead")}>
      {answeringRoles.length === 0 ? (
        <p className="muted">{t("provider.answers.unknown")}</p>
      ) : (
        <Facts facts={[[t("user.roles.roles"), <code key="roles">{answeringRoles.join(", ")}</code>]]} />
      )}
      {isActive(provider) && (
        <p>
          <DialogButton
            disabledReason={obstacle}
            dialog={(close) => (
              <DangerDialog
                title={t("provider.answers.take")}
                look="primary"
                consequences={[t("provider.answers.take.check"), t("provider.answers.take.moment")]}
                action={t("provider.answers.take")}
                onConfirm={async () => {
                  await access.setActive(id, false);
                  await access.setActive(id, true);
                  await refresh();
                  tell(t("settings.saved"));
                }}
                onClose={close}
              />
            )}
          >
            {t("provider.answers.take")}
          </DialogButton>
        </p>
      )}
    </Section>
  );
}
