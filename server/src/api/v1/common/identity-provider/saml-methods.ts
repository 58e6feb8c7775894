import type { Options } from "@doorward/api/service/idp/v1/provider_pb";
import { Fault } from "../../../../base/fault.ts";
import type { Call } from "../../../../call/index.ts";
import {
  addSamlProvider,
  type ProviderDeps,
  regenerateSamlCertificate,
  type SamlProviderDeps,
  updateSamlProvider,
} from "../../../../domain/identity-provider/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import { fromOptions } from "../../../v2/identity-provider/provider-message.ts";
import { type SamlRequest, toMetadataSource, toSamlSettings } from "../../../v2/identity-provider/saml-provider.ts";
import type { OwnerOf } from "./kind-methods.ts";

type AddRequest = SamlRequest & { readonly name: string; readonly providerOptions?: Options | undefined };

const defaults = { nameIdFormat: "unspecified", transientAttribute: "", isLogoutFederated: false } as const;

/** Creates the methods that add and change SAML providers; both services have them. */
export function samlMethods(deps: ProviderDeps & SamlProviderDeps, ownerOf: OwnerOf) {
  return {
    addSAMLProvider: async (call: Call, request: AddRequest) => {
      const metadata = toMetadataSource(request);
      if (metadata === undefined) {
        const field = "metadataXml";
        throw new Fault("invalid_argument", "field.required", { field, values: { field } });
      }
      const added = await addSamlProvider(deps, call, {
        ownerOrganizationId: ownerOf(call),
        name: request.name,
        options: fromOptions(request.providerOptions),
        metadata,
        settings: Object.assign({ ...defaults }, toSamlSettings(request)),
      });
      return { id: added.identityProviderId, details: toObjectDetails(added.details) };
    },
    updateSAMLProvider: async (call: Call, request: AddRequest & { readonly id: string }) => {
      const { details } = await updateSamlProvider(deps, call, {
        ownerOrganizationId: ownerOf(call),
        identityProviderId: request.id,
        name: request.name,
        options: fromOptions(request.providerOptions),
        metadata: toMetadataSource(request),
        settings: toSamlSettings(request),
      });
      return { details: toObjectDetails(details) };
    },
    regenerateSAMLProviderCertificate: async (call: Call, { id }: { readonly id: string }) => {
      const key = { ownerOrganizationId: ownerOf(call), identityProviderId: id };
      return { details: toObjectDetails((await regenerateSamlCertificate(deps, call, key)).details) };
    },
  };
}
