import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { DomainValidationType } from "@doorward/api/service/org/v2/domain_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { SetupPart } from "../../../domain/setup-link/index.ts";
import type { PerformMethod } from "../job/perform-job-row.ts";

/** One change that the holder of a link makes. */
export type SetupStep =
  | { readonly kind: "add_domain" | "ask_for_proof" | "verify_domain"; readonly domain: string }
  | ({ readonly kind: "add_oidc" } & OidcFields)
  | ({ readonly kind: "change_oidc"; readonly id: string } & OidcFields)
  | ({ readonly kind: "add_saml" } & SamlFields)
  | ({ readonly kind: "change_saml"; readonly id: string } & SamlFields)
  | { readonly kind: "offer_provider" | "remove_provider"; readonly id: string };

interface OidcFields {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Empty in a change: the stored one stays. */
  readonly clientSecret: string;
}

interface SamlFields {
  readonly name: string;
  /** Absent in a change: what is stored stays. */
  readonly metadata?: { readonly xml: Uint8Array } | { readonly url: string } | undefined;
}

/** The part of a link that a step belongs to. */
export const partOfStep = ({ kind }: SetupStep): SetupPart =>
  kind === "add_domain" || kind === "ask_for_proof" || kind === "verify_domain" ? "domain" : "identity_provider";

const organizations = OrganizationService.method;
const management = ManagementService.method;

// A provider of a link makes users, and links accounts only where a user who is signed in here asks for it.
const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true } as const;

/**
 * Makes a change by the method that does it for administrators. These methods are all that a link can call. Throws what
 * they refuse.
 */
export async function performSetupStep(perform: PerformMethod, organizationId: string, step: SetupStep): Promise<void> {
  switch (step.kind) {
    case "add_domain":
      await perform(organizations.addOrganizationDomain, { organizationId, domain: step.domain });
      return;
    case "ask_for_proof": {
      const of = { organizationId, domain: step.domain, type: DomainValidationType.DNS };
      await perform(organizations.generateOrganizationDomainValidation, of);
      return;
    }
    case "verify_domain":
      await perform(organizations.verifyOrganizationDomain, { organizationId, domain: step.domain });
      return;
    case "offer_provider":
      await perform(management.addIDPToLoginPolicy, { idpId: step.id, ownerType: IDPOwnerType.IDP_OWNER_TYPE_ORG });
      return;
    case "remove_provider":
      await perform(management.deleteProvider, { id: step.id });
      return;
    default:
      return performProviderStep(perform, step);
  }
}

type ProviderStep = Extract<SetupStep, { readonly name: string }>;

async function performProviderStep(perform: PerformMethod, step: ProviderStep): Promise<void> {
  switch (step.kind) {
    case "add_oidc": {
      const { kind: _kind, ...fields } = step;
      await perform(management.addGenericOIDCProvider, { ...fields, usePkce: true, providerOptions });
      return;
    }
    case "change_oidc": {
      const { kind: _kind, ...fields } = step;
      await perform(management.updateGenericOIDCProvider, { ...fields, usePkce: true, providerOptions });
      return;
    }
    case "add_saml":
      await perform(management.addSAMLProvider, {
        name: step.name,
        metadata: toWireMetadata(step.metadata),
        providerOptions,
      });
      return;
    case "change_saml":
      await perform(management.updateSAMLProvider, {
        id: step.id,
        name: step.name,
        metadata: toWireMetadata(step.metadata),
        providerOptions,
      });
      return;
    default:
      return step satisfies never;
  }
}

function toWireMetadata(metadata: SamlFields["metadata"]) {
  if (metadata === undefined) return { case: undefined } as const;
  return "url" in metadata
    ? ({ case: "metadataUrl", value: metadata.url } as const)
    : ({ case: "metadataXml", value: new Uint8Array(metadata.xml) } as const);
}
