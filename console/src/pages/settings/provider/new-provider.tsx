import { Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { linkTo, useAddress } from "../../../address.ts";
import { CheckField, Form } from "../../../parts/form.tsx";
import { Page, Section } from "../../../parts/page.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { NotFound } from "../../../shell/not-found.tsx";
import { t } from "../../../text/catalogue.ts";
import { kindNamed, kindNames, kinds, type ProviderKind } from "./kinds.ts";
import { useProviderAccess } from "./provider-access.ts";
import { ProviderAddresses } from "./provider-addresses.tsx";
import { ProviderFields } from "./provider-fields.tsx";
import { newProvider, type ProviderValues, toRequest } from "./provider-values.ts";
import { useRefreshProviders } from "./use-provider.ts";

/** Asks for the kind of a new provider. */
export const ProviderKindsPage = () => (
  <Page
    title={t("settings.providers.add")}
    lead={t("provider.choose")}
    parent={{ to: "/settings/providers", label: t("settings.providers") }}
  >
    <ul className="cards">
      {kindNames.map((kind) => (
        <li key={kind} className="card">
          <h2>
            <Link {...linkTo(`/settings/providers/new/${kind}`)}>{kinds[kind].name}</Link>
          </h2>
        </li>
      ))}
    </ul>
  </Page>
);

/** Adds a provider of a kind. */
export function NewProviderPage() {
  const kind = kindNamed(useAddress().params["kind"]);
  return kind === undefined ? <NotFound /> : <NewProvider key={kind} kind={kind} />;
}

function NewProvider({ kind }: { readonly kind: ProviderKind }) {
  const access = useProviderAccess();
  const refresh = useRefreshProviders();
  const { go } = useAddress();
  const mayOffer = useObstacle(access.offerPermission);
  const form = useForm<ProviderValues>({ defaultValues: { ...newProvider(kind), isOffered: false } });
  return (
    <Page title={kinds[kind].name} parent={{ to: "/settings/providers/new", label: t("settings.providers.add") }}>
      {kind !== "saml" && <ProviderAddresses kind={kind} />}
      <Section title={t("provider.configuration")}>
        <Form
          form={form}
          action={t("settings.providers.add")}
          readOnlyReason={useObstacle(access.permission)}
          onSave={async ({ isOffered, ...values }) => {
            const { id } = await access.add(kind, toRequest(kind, values as ProviderValues));
            if (isOffered === true) await access.offer({ id, owner: 0 });
            await refresh();
            go(`/settings/providers/${id}`);
          }}
        >
          <ProviderFields kind={kind} isNew />
          <CheckField name="isOffered" label={t("settings.providers.offerNow")} disabledReason={mayOffer} />
        </Form>
      </Section>
    </Page>
  );
}
