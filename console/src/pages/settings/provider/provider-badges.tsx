import { IDPState } from "@doorward/api/service/idp/v1/idp_pb";
import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { Badge } from "../../../parts/badge.tsx";
import { t } from "../../../text/catalogue.ts";

export const isActive = ({ state }: Pick<Provider, "state">): boolean => state !== IDPState.IDP_STATE_INACTIVE;

/** Says that a provider is inactive, which nothing else matters beside. */
export const StateBadge = ({ provider }: { readonly provider: Provider }) =>
  isActive(provider) ? null : <Badge look="bad">{t("settings.providers.inactive")}</Badge>;

/** Whether the sign-in page shows a provider. */
export const OfferedBadge = ({ isOffered }: { readonly isOffered: boolean }) =>
  isOffered ? (
    <Badge look="good">{t("settings.providers.offered")}</Badge>
  ) : (
    <Badge>{t("settings.providers.notOffered")}</Badge>
  );
