import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { useState } from "react";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { Facts, Section } from "../../../parts/page.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { useProviderAccess } from "./provider-access.ts";
import { isActive } from "./provider-badges.tsx";
import { isServerKnown, ServerOfProvider } from "./server-of-provider.tsx";
import { useRefreshProviders } from "./use-provider.ts";

interface ProviderAnswersProps {
  readonly provider: Provider;
  readonly obstacle: string | undefined;
}

/** Whose word a provider is: it signs in no user who may do more than those who answer for it. */
export function ProviderAnswers({ provider, obstacle }: ProviderAnswersProps) {
  const { answeringRoles } = provider;
  return (
    <Section title={t("provider.answers")} lead={t("provider.answers.lead")}>
      {answeringRoles.length === 0 ? (
        <p className="muted">{t("provider.answers.unknown")}</p>
      ) : (
        <Facts facts={[[t("user.roles.roles"), <code key="roles">{answeringRoles.join(", ")}</code>]]} />
      )}
      {isActive(provider) && (
        <p>
          <DialogButton disabledReason={obstacle} dialog={(close) => <TakeOver provider={provider} onClose={close} />}>
            {t("provider.answers.take")}
          </DialogButton>
        </p>
      )}
    </Section>
  );
}

interface TakeOverProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

/** Asks whether to answer for a provider, as it was when the dialog opened and is shown there. */
function TakeOver({ provider, onClose }: TakeOverProps) {
  const [{ id, etag, config }] = useState(provider);
  const access = useProviderAccess();
  const refresh = useRefreshProviders();
  const consequences = [t("provider.answers.take.check"), t("provider.answers.take.moment")];
  return (
    <DangerDialog
      title={t("provider.answers.take")}
      look="primary"
      consequences={consequences}
      action={t("provider.answers.take")}
      obstacle={isServerKnown({ config }) ? undefined : t("provider.answers.take.unknown")}
      onConfirm={async () => {
        await access.setActive(id, false, etag);
        await access.setActive(id, true, etag);
        await refresh();
        tell(t("settings.saved"));
      }}
      onClose={onClose}
    >
      <ServerOfProvider config={config} />
    </DangerDialog>
  );
}
