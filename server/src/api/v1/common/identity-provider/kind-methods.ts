import type { Options } from "@doorward/api/service/idp/v1/provider_pb";
import { Secret } from "../../../../base/secret.ts";
import type { Call } from "../../../../call/index.ts";
import {
  addIdentityProvider,
  type ConfigurationOf,
  type ProviderDeps,
  type ProviderKind,
  updateIdentityProvider,
} from "../../../../domain/identity-provider/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import { fromOptions } from "../../../v2/identity-provider/provider-message.ts";
import type { ProviderWords } from "../../../v2/identity-provider/provider-words.ts";

interface CommonRequest {
  readonly name: string;
  /** Absent for kinds without a secret, or with one of another name. */
  readonly clientSecret?: string;
  readonly providerOptions?: Options | undefined;
}

/** Returns the owner of the providers that a call is about: an organization, or the instance when the id is empty. */
export type OwnerOf = (call: Call) => string;

/** Creates the methods that add and update a provider of a kind. */
export function methodsOfKind<Kind extends ProviderKind, Request>(
  deps: ProviderDeps,
  ownerOf: OwnerOf,
  { kind, fromRequest, secretOf }: ProviderWords<ConfigurationOf<Kind>, Request>,
) {
  const readSecret = (request: Request & CommonRequest): Secret | undefined =>
    toSecret(secretOf === undefined ? request.clientSecret : secretOf(request));
  return {
    add: async (call: Call, request: Request & CommonRequest) => {
      const added = await addIdentityProvider(deps, call, {
        ownerOrganizationId: ownerOf(call),
        name: request.name,
        options: fromOptions(request.providerOptions),
        configuration: fromRequest(request),
        secret: readSecret(request),
      });
      return { id: added.identityProviderId, details: toObjectDetails(added.details) };
    },
    update: async (call: Call, request: Request & CommonRequest & { readonly id: string }) => {
      const { details } = await updateIdentityProvider<Kind>(deps, call, {
        ownerOrganizationId: ownerOf(call),
        identityProviderId: request.id,
        kinds: [kind],
        change: ({ configuration }) => ({
          name: request.name,
          options: fromOptions(request.providerOptions),
          configuration: fromRequest(request, configuration),
          secret: readSecret(request),
        }),
      });
      return { details: toObjectDetails(details) };
    },
  };
}

/** Reads the secret of a request; an empty one counts as absent. */
export const toSecret = (text: string | undefined): Secret | undefined => (text ? new Secret(text) : undefined);
