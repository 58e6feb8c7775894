import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { Copyable } from "../../../parts/copyable.tsx";
import { Facts, Section } from "../../../parts/page.tsx";
import { readEnvironment } from "../../../session/environment.ts";
import { useOrganizationId } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import type { ProviderKind } from "./kinds.ts";

interface ProviderAddressesProps {
  readonly kind: ProviderKind;
  /** A provider that exists already. */
  readonly provider?: Provider;
}

/** What the other side has to know about this server. A directory has to know nothing. */
export function ProviderAddresses({ kind, provider }: ProviderAddressesProps) {
  const organizationId = useOrganizationId();
  const { origin } = readEnvironment();
  if (kind === "ldap") return null;
  const isOfOrganization = organizationId !== undefined && provider?.owner !== IDPOwnerType.IDP_OWNER_TYPE_SYSTEM;
  // Providers of an organization have an address of their own (RFC 9700 §4.4.2).
  const callback = `${origin}/idps/callback${isOfOrganization ? `/${organizationId}` : ""}`;
  return (
    <Section title={t("provider.register")} lead={t("provider.register.lead")}>
      {kind === "saml" ? (
        <SamlAddresses base={`/idps/${encodeURIComponent(provider?.id ?? "")}/saml`} />
      ) : (
        <Facts
          facts={[
            kind === "jwt"
              ? [t("provider.jwtReturn"), <Copyable key="jwt" value={`${origin}/idps/jwt`} />]
              : [t("provider.redirectUri"), <Copyable key="callback" value={callback} />],
          ]}
        />
      )}
    </Section>
  );
}

function SamlAddresses({ base }: { readonly base: string }) {
  const { origin } = readEnvironment();
  const address = (path: string) => <Copyable key={path} value={`${origin}${base}/${path}`} />;
  return (
    <>
      <Facts
        facts={[
          [t("application.saml.ourMetadata"), address("metadata")],
          [t("provider.saml.consumer"), address("acs")],
          [t("application.saml.logout"), address("slo")],
          [t("application.saml.certificate"), address("certificate")],
        ]}
      />
      <p className="link-row">
        <a href={`${base}/metadata`} download="doorward-metadata.xml">
          {t("application.saml.downloadMetadata")}
        </a>
        <a href={`${base}/certificate`} download="doorward-certificate.pem">
          {t("application.saml.downloadCertificate")}
        </a>
      </p>
    </>
  );
}
