import type { Options } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPFieldName } from "@doorward/api/service/idp/v1/query_pb";
import type { Call } from "../../../../call/index.ts";
import {
  addIdentityProvider,
  type ConfigurationOf,
  getIdentityProvider,
  type IdentityProvider,
  listIdentityProviders,
  type ProviderDeps,
  type ProviderOptions,
  setProviderState,
  updateIdentityProvider,
} from "../../../../domain/identity-provider/index.ts";
import { toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";
import { fromOptions } from "../../../v2/identity-provider/provider-message.ts";
import {
  type CommonRequest,
  fromJwt,
  fromOidc,
  fromStyling,
  type JwtRequest,
  type OidcRequest,
  toGenericMessage,
} from "./generic-provider-message.ts";
import { type OwnerOf, toSecret } from "./kind-methods.ts";
import { type ProviderQuery, toProviderFilter } from "./provider-methods.ts";

/**
 * The kinds that the older methods know. Only deactivating and reactivating works for all kinds, because no other
 * methods exist for that.
 */
const kinds = ["oidc", "jwt"] as const;

interface ListRequest {
  readonly query?: Parameters<typeof toPageV1>[0];
  readonly sortingColumn: IDPFieldName;
  readonly queries: readonly { readonly query: ProviderQuery }[];
}

/** Fields of ours in requests that add a provider to an organization. */
interface AddedFields {
  readonly providerOptions?: Options | undefined;
  readonly isIdTokenMapping?: boolean;
  readonly usePkce?: boolean;
  readonly audience?: string;
}

interface IdRequest {
  readonly idpId: string;
}

interface StateRequest extends IdRequest {
  readonly etag: string;
}

/**
 * The older methods on OpenID providers and issuers of JWTs. They change the fields that they know and keep the others.
 */
export function genericProviderMethods(deps: ProviderDeps, ownerOf: OwnerOf) {
  const keyOf = (call: Call, { idpId }: IdRequest) => ({
    ownerOrganizationId: ownerOf(call),
    identityProviderId: idpId,
  });
  const add = async (
    call: Call,
    request: CommonRequest & AddedFields,
    configuration: ConfigurationOf<"oidc" | "jwt">,
    clientSecret?: string,
  ) => {
    const added = await addIdentityProvider(deps, call, {
      ownerOrganizationId: ownerOf(call),
      name: request.name,
      configuration,
      options: optionsOf(request),
      secret: toSecret(clientSecret),
    });
    return { idpId: added.identityProviderId, details: toObjectDetails(added.details) };
  };
  const setState = async (call: Call, { etag, ...request }: StateRequest, state: IdentityProvider["state"]) => {
    const wanted = { ...keyOf(call, request), state, ...(etag !== "" && { etag }) };
    return { details: toObjectDetails((await setProviderState(deps, call, wanted)).details) };
  };
  return {
    ...readingMethods(deps, ownerOf),
    addOidc: (call: Call, request: CommonRequest & OidcRequest & AddedFields) =>
      add(
        call,
        request,
        {
          ...fromOidc(request),
          isIdTokenMapping: request.isIdTokenMapping ?? false,
          usePkce: request.usePkce ?? false,
          styling: fromStyling(request),
        },
        request.clientSecret,
      ),
    addJwt: (call: Call, request: CommonRequest & JwtRequest & AddedFields) =>
      add(call, request, { ...fromJwt(request), audience: request.audience ?? "", styling: fromStyling(request) }),
    async update(call: Call, request: IdRequest & CommonRequest) {
      const { details } = await updateIdentityProvider(deps, call, {
        ...keyOf(call, request),
        kinds,
        change: ({ configuration, options }) => ({
          name: request.name,
          options: { ...options, isAutoCreation: request.autoRegister },
          configuration: { ...configuration, styling: fromStyling(request) },
        }),
      });
      return { details: toObjectDetails(details) };
    },
    async updateOidc(call: Call, request: IdRequest & OidcRequest) {
      const { details } = await updateIdentityProvider(deps, call, {
        ...keyOf(call, request),
        kinds: ["oidc"],
        change: ({ configuration }) => ({
          configuration: { ...configuration, ...fromOidc(request) },
          secret: toSecret(request.clientSecret),
        }),
      });
      return { details: toObjectDetails(details) };
    },
    async updateJwt(call: Call, request: IdRequest & JwtRequest) {
      const { details } = await updateIdentityProvider(deps, call, {
        ...keyOf(call, request),
        kinds: ["jwt"],
        change: ({ configuration }) => ({ configuration: { ...configuration, ...fromJwt(request) } }),
      });
      return { details: toObjectDetails(details) };
    },
    deactivate: (call: Call, request: StateRequest) => setState(call, request, "inactive"),
    reactivate: (call: Call, request: StateRequest) => setState(call, request, "active"),
  };
}

/**
 * Returns the options of a new provider. Requests of the original have no fields for them: linking and registration are
 * allowed, and no account is linked automatically.
 */
function optionsOf({ autoRegister, providerOptions }: CommonRequest & AddedFields): ProviderOptions {
  if (providerOptions !== undefined) return fromOptions(providerOptions);
  return {
    isLinkingAllowed: true,
    isCreationAllowed: true,
    isAutoCreation: autoRegister,
    isAutoUpdate: false,
    autoLinking: "none",
  };
}

function readingMethods(deps: ProviderDeps, ownerOf: OwnerOf) {
  return {
    async get(call: Call, { id }: { readonly id: string }) {
      const found = await getIdentityProvider(deps, call, {
        ownerOrganizationId: ownerOf(call),
        identityProviderId: id,
        kinds,
      });
      return { idp: toGenericMessage(found) };
    },
    async list(call: Call, { query, queries, sortingColumn }: ListRequest) {
      const { rows, total } = await listIdentityProviders(deps, call, {
        ...toPageV1(query),
        organizationId: ownerOf(call),
        kinds,
        filters: queries.map(toProviderFilter),
        orderBy: sortingColumn === IDPFieldName.IDP_FIELD_NAME_NAME ? "name" : "created_at",
      });
      return { details: toListDetailsV1(total, call.now), sortingColumn, result: rows.map(toGenericMessage) };
    },
  };
}
