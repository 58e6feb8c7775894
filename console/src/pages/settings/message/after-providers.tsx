import { Link } from "@tanstack/react-router";
import { linkTo } from "../../../address.ts";
import { SecretDialog } from "../../../parts/secret-dialog.tsx";
import { t } from "../../../text/catalogue.ts";

interface AfterProvidersProps {
  /** A key that was just made, which is shown once. */
  readonly signingKey: string | undefined;
  readonly onClose: () => void;
}

/** What follows the list of providers of messages: the way to those that failed, and a new signing key. */
export const AfterProviders = ({ signingKey, onClose }: AfterProvidersProps) => (
  <>
    <p>
      <Link {...linkTo("/automation/failures?queue=notifications")}>{t("settings.messages.failed")}</Link>
    </p>
    {signingKey !== undefined && (
      <SecretDialog
        title={t("settings.sms.signingKey")}
        values={[[t("settings.sms.signingKey"), signingKey]]}
        onClose={onClose}
      />
    )}
  </>
);
