import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { useForm } from "react-hook-form";
import { useAddress } from "../../../address.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Copyable } from "../../../parts/copyable.tsx";
import { Form } from "../../../parts/form.tsx";
import { ErrorNotice, Notice } from "../../../parts/notice.tsx";
import { Facts, Page, Section } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { useObstacle, useOrganizationId } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { kindName, kindNamed, type ProviderKind } from "./kinds.ts";
import { LinkedUsers } from "./linked-users.tsx";
import { useProviderAccess } from "./provider-access.ts";
import { ProviderAddresses } from "./provider-addresses.tsx";
import { ProviderAnswers } from "./provider-answers.tsx";
import { OfferedBadge, StateBadge } from "./provider-badges.tsx";
import { ProviderDanger } from "./provider-danger.tsx";
import { ProviderFields } from "./provider-fields.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { type ProviderValues, providerValues, toRequest, withoutSecrets } from "./provider-values.ts";
import { useProvider, useRefreshProviders } from "./use-provider.ts";

/** One identity provider: where it leads, whether the sign-in page shows it, and who signs in with it. */
export function ProviderPage() {
  const { providerId = "" } = useAddress().params;
  const { provider: found, isOffered } = useProvider(providerId);
  const provider = found.data ?? undefined;
  const kind = kindNamed(provider?.config?.config.case);
  return (
    <Page
      title={provider?.name ?? t("provider.one")}
      parent={{ to: "/settings/providers", label: t("settings.providers") }}
      badges={
        provider && (
          <>
            <Badge>{kindName(provider.type)}</Badge>
            <StateBadge provider={provider} />
            {isOffered !== undefined && <OfferedBadge isOffered={isOffered} />}
          </>
        )
      }
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {provider && kind && <Content key={providerId} provider={provider} kind={kind} isOffered={isOffered} />}
    </Page>
  );
}

interface ContentProps {
  readonly provider: Provider;
  readonly kind: ProviderKind;
  readonly isOffered: boolean | undefined;
}

function Content({ provider, kind, isOffered }: ContentProps) {
  const organizationId = useOrganizationId();
  const missing = useObstacle(useProviderAccess().permission);
  const isForeign = organizationId !== undefined && provider.owner === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM;
  const obstacle = isForeign ? t("provider.ofInstance") : missing;
  return (
    <>
      {isForeign && <Notice>{t("provider.ofInstance")}</Notice>}
      <Section title={t("user.facts")}>
        <Facts
          facts={[
            [t("organization.id"), <Copyable key="id" value={provider.id} />],
            [t("application.createdAt"), <Time key="created" at={provider.details?.creationDate} />],
            [t("application.changed"), <Time key="changed" at={provider.details?.changeDate} />],
          ]}
        />
      </Section>
      <ProviderAddresses kind={kind} provider={provider} />
      <ProviderSignIn provider={provider} isOffered={isOffered} />
      <Configuration provider={provider} kind={kind} obstacle={obstacle} />
      <LinkedUsers providerId={provider.id} />
      <ProviderAnswers provider={provider} obstacle={obstacle} />
      <ProviderDanger provider={provider} kind={kind} obstacle={obstacle} />
    </>
  );
}

interface ConfigurationProps {
  readonly provider: Provider;
  readonly kind: ProviderKind;
  readonly obstacle: string | undefined;
}

function Configuration({ provider, kind, obstacle }: ConfigurationProps) {
  const access = useProviderAccess();
  const refresh = useRefreshProviders();
  const former = providerValues(kind, provider);
  const form = useForm<ProviderValues>({ defaultValues: former });
  return (
    <Section title={t("provider.configuration")}>
      <Form
        form={form}
        done={t("settings.saved")}
        readOnlyReason={obstacle}
        afterwards={(values) => withoutSecrets(kind, values)}
        onSave={async (values) => {
          await access.update(kind, { id: provider.id, ...toRequest(kind, values, former) });
          await refresh();
        }}
      >
        <ProviderFields kind={kind} isNew={false} />
      </Form>
    </Section>
  );
}
