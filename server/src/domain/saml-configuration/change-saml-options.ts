import { Fault } from "../../base/fault.ts";
import { parseWebAddress } from "../../base/names/web-address.ts";
import type { SamlConfiguration, SamlOptions, SamlPartner } from "./saml-configuration.ts";

const mostAttributes = 50;

/** Metadata that is to replace what an application has. */
export type NewMetadata = Pick<SamlConfiguration, "metadataXml" | "metadataUrl" | "metadataAt" | "partner">;

/** The changes of a configuration; what is absent stays as it is. */
export interface SamlChanges extends Partial<SamlOptions> {
  readonly metadata?: NewMetadata;
  /** Why the metadata could not be fetched again; empty when it could. */
  readonly metadataFailure?: string;
}

/** Returns the configuration with the changes. Throws a Fault for what cannot be. */
export function changeSamlConfiguration(stored: SamlConfiguration, changes: SamlChanges): SamlConfiguration {
  const { metadata, ...others } = changes;
  const configuration: SamlConfiguration = {
    ...stored,
    ...definedOf(others),
    ...(metadata !== undefined && { ...metadata, metadataFailure: "" }),
  };
  checkOptions(configuration, configuration.partner);
  return configuration;
}

/** Returns the configuration of a new application. */
export function createSamlConfiguration(
  metadata: NewMetadata,
  options: SamlOptions,
  nameIdSalt: string,
): SamlConfiguration {
  checkOptions(options, metadata.partner);
  return { ...metadata, ...options, metadataFailure: "", nameIdSalt };
}

// Clients of the interface leave out what they do not know.
const definedOf = <Changes extends object>(changes: Changes): Partial<Changes> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<Changes>;

function checkOptions(options: SamlOptions, { encryptionCertificates }: SamlPartner): void {
  const { loginVersion, attributes, isEncrypted } = options;
  const baseUri = loginVersion.kind === "v2" ? (loginVersion.baseUri ?? "") : "";
  if (baseUri !== "" && parseWebAddress(baseUri) === undefined) {
    throw new Fault("invalid_argument", "application.login_uri_invalid", { field: "loginVersion.loginV2.baseUri" });
  }
  if (isEncrypted && encryptionCertificates.length === 0) {
    throw new Fault("invalid_argument", "application.encryption_certificate_missing", {
      field: "options.encryptAssertions",
    });
  }
  if (attributes.length > mostAttributes) throw badAttribute();
  const names = new Set(attributes.map(({ name }) => name));
  const isOdd = attributes.some(
    ({ name, source, metadataKey }) => name.trim() === "" || (source === "metadata") === (metadataKey === ""),
  );
  if (names.size !== attributes.length || isOdd) throw badAttribute();
}

const badAttribute = (): Fault =>
  new Fault("invalid_argument", "application.attributes_invalid", { field: "options.attributes.attributes" });
