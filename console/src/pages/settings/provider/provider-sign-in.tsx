import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { linkTo } from "../../../address.ts";
import { ActionButton } from "../../../parts/action-button.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Section } from "../../../parts/page.tsx";
import { useObstacle, useOrganizationId } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { useProviderAccess } from "./provider-access.ts";
import { isActive } from "./provider-badges.tsx";
import { useProviderKey, useRefreshProviders } from "./use-provider.ts";

interface ProviderSignInProps {
  readonly provider: Provider;
  /** Undefined for users who may not see it. */
  readonly isOffered: boolean | undefined;
}

/** Whether the sign-in page shows a provider, and that page to try it. */
export function ProviderSignIn({ provider, isOffered }: ProviderSignInProps) {
  const access = useProviderAccess();
  const refresh = useRefreshProviders();
  const organizationId = useOrganizationId();
  const obstacle = useObstacle(access.offerPermission);
  const settings = useQuery({ queryKey: useProviderKey("settings"), queryFn: access.readSignIn });
  const isAllowed = settings.data?.allowsProviders !== false;
  // Providers of its own an organization offers beside those of the instance, whose settings it goes on to follow.
  const isForeign = provider.owner === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM;
  if (isOffered === undefined) return null;
  const toggle = async () => {
    await (isOffered ? access.withdraw(provider.id) : access.offer(provider));
    await refresh();
  };
  const query = organizationId === undefined ? "" : `&organization=${encodeURIComponent(organizationId)}`;
  return (
    <Section
      title={t("provider.signIn")}
      lead={t(isOffered ? "provider.signIn.offered" : "provider.signIn.notOffered")}
    >
      {!isAllowed && (
        <Notice kind="warning">
          {t("provider.signIn.off")} <Link {...linkTo("/settings/login")}>{t("settings.login")}</Link>
        </Notice>
      )}
      {isForeign && settings.data?.isInherited === true && <p className="muted small">{t("provider.signIn.own")}</p>}
      {obstacle !== undefined && <p className="read-only small">{obstacle}</p>}
      <p>
        <ActionButton run={toggle} done={t("settings.saved")} disabledReason={obstacle}>
          {isOffered ? t("settings.providers.withdraw") : t("settings.providers.offer")}
        </ActionButton>
      </p>
      {isOffered && isAllowed && isActive(provider) && (
        <>
          <p className="muted">{t("provider.test.lead")}</p>
          <p>
            <a className="button" href={`/ui/login?account=other${query}`} target="_blank" rel="noreferrer">
              {t("provider.test.open")}
            </a>
          </p>
        </>
      )}
    </Section>
  );
}
