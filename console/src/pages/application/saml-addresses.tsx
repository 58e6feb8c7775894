import { Copyable } from "../../parts/copyable.tsx";
import { Facts } from "../../parts/page.tsx";
import { readEnvironment } from "../../session/environment.ts";
import { t } from "../../text/catalogue.ts";

/** What a SAML service provider has to know about this server. */
export function SamlAddresses() {
  const { origin } = readEnvironment();
  const address = (path: string) => <Copyable key={path} value={`${origin}/saml/v2/${path}`} />;
  return (
    <>
      <Facts
        facts={[
          [t("application.saml.ourMetadata"), address("metadata")],
          [t("application.saml.signOn"), address("SSO")],
          [t("application.saml.logout"), address("SLO")],
          [t("application.saml.certificate"), address("certificate")],
        ]}
      />
      <p className="link-row">
        <a href="/saml/v2/metadata" download="doorward-metadata.xml">
          {t("application.saml.downloadMetadata")}
        </a>
        <a href="/saml/v2/certificate" download="doorward-certificate.pem">
          {t("application.saml.downloadCertificate")}
        </a>
      </p>
    </>
  );
}
