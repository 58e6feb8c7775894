import { type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Provider, ProviderConfigSchema, type SAMLConfig } from "@doorward/api/service/idp/v1/provider_pb";
import type { SAMLCertificate } from "@doorward/api/service/idp/v2/idp_pb";
import type { ReactNode } from "react";
import { CodeBlock } from "../../../parts/code-block.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Facts } from "../../../parts/page.tsx";
import { t } from "../../../text/catalogue.ts";

/**
 * Whether it is known what signs users in. Of SAML that is what the API says that it uses of the metadata: another
 * reader of the document may find another certificate in it.
 */
export function isServerKnown({ config }: Pick<Provider, "config">): boolean {
  const saml = samlOf({ config });
  if (saml === undefined) return config?.config.case !== undefined;
  return saml.partner !== undefined && saml.partner.entityId !== "" && saml.partner.signingCertificates.length > 0;
}

const samlOf = ({ config }: Pick<Provider, "config">): SAMLConfig | undefined =>
  config?.config.case === "saml" ? config.config.value : undefined;

/**
 * All that decides whom a provider signs in, by the names of the API: the server, its keys, and what identifies users
 * there.
 */
export function ServerOfProvider({ config }: Pick<Provider, "config">) {
  const saml = samlOf({ config });
  const rootCa = config?.config.case === "ldap" ? new TextDecoder().decode(config.config.value.rootCa) : "";
  return (
    <>
      {saml?.metadataUrl && <Notice kind="warning">{t("provider.answers.take.published")}</Notice>}
      <Facts facts={[...certificatesOf(saml), ...valuesOf(config)]} />
      {rootCa !== "" && <CodeBlock code={rootCa} label="rootCa" />}
    </>
  );
}

type Fact = readonly [name: string, value: ReactNode];

const certificatesOf = (saml: SAMLConfig | undefined): readonly Fact[] =>
  (saml?.partner?.signingCertificates ?? []).map((certificate, index) => [
    `X509Certificate ${index + 1} (SHA-256)`,
    <Certificate key={certificate.fingerprint} certificate={certificate} />,
  ]);

function Certificate({ certificate }: { readonly certificate: SAMLCertificate }) {
  const { fingerprint, subject, notBefore, notAfter } = certificate;
  const dates = [notBefore, notAfter].map((at) => (at === undefined ? "?" : dayOf(at.seconds)));
  return (
    <>
      <code>{fingerprint}</code>
      <div className="muted small">
        <bdi>{subject}</bdi> ({dates.join(" – ")})
      </div>
    </>
  );
}

const dayOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString().slice(0, 10);

/** Returns all values that are set, named by their path in the record; those used from metadata come first. */
function valuesOf(config: Provider["config"]): readonly Fact[] {
  const { options = {}, ...kinds } = config === undefined ? {} : (toJson(ProviderConfigSchema, config) as JsonObject);
  const values = [...Object.values(kinds), options].flatMap((value) => flatten(value, ""));
  const ofMetadata = values.filter(([path]) => /^(metadataUrl$|partner\.)/.test(path));
  return [...ofMetadata, ...values.filter((value) => !ofMetadata.includes(value))].map(([path, lines]) => [
    path,
    lines.map((line) => (
      <div key={line}>
        <code>{line}</code>
      </div>
    )),
  ]);
}

/** Shown otherwise, or nothing that is used. */
const notHere = ["metadataXml", "partner.signingCertificates", "rootCa"];

function flatten(value: JsonValue, path: string): readonly (readonly [path: string, lines: readonly string[]])[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, member]) => flatten(member, path === "" ? name : `${path}.${name}`));
  }
  const lines = [...new Set([value].flat().map(String))].filter((line) => line !== "");
  return notHere.includes(path) || value === false || lines.length === 0 ? [] : [[path, lines]];
}
