import type { Options } from "@doorward/api/service/idp/v1/provider_pb";
import {
  type IDPIDQuery,
  type IDPNameQuery,
  IDPOwnerType,
  type IDPOwnerTypeQuery,
} from "@doorward/api/service/idp/v1/query_pb";
import { Fault } from "../../../../base/fault.ts";
import type { Call } from "../../../../call/index.ts";
import {
  getIdentityProvider,
  listIdentityProviders,
  migrateOidcProvider,
  type ProviderDeps,
  type ProviderFilter,
  type ProviderKind,
  type SamlProviderDeps,
} from "../../../../domain/identity-provider/index.ts";
import { refuseFilter, toListDetailsV1, toObjectDetails, toPageV1, toTextMethod } from "../../../contract/index.ts";
import { fromOptions, toProviderMessage, wordsOfKinds } from "../../../v2/identity-provider/provider-message.ts";
import { methodsOfKind, type OwnerOf, toSecret } from "./kind-methods.ts";
import { samlMethods } from "./saml-methods.ts";

type PageRequest = Parameters<typeof toPageV1>[0];

/** A condition on providers, of either service. */
export type ProviderQuery =
  | { readonly case: "idpIdQuery"; readonly value: IDPIDQuery }
  | { readonly case: "idpNameQuery"; readonly value: IDPNameQuery }
  | { readonly case: "ownerTypeQuery"; readonly value: IDPOwnerTypeQuery }
  | { readonly case: undefined };

interface ListRequest {
  readonly query?: PageRequest;
  readonly queries: readonly { readonly query: ProviderQuery }[];
}

interface TemplateRequest {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly providerOptions?: Options | undefined;
}

type AzureRequest = TemplateRequest & Parameters<(typeof wordsOfKinds)["azure_ad"]["fromRequest"]>[0];

interface MigrateRequest {
  readonly id: string;
  readonly template:
    | { readonly case: "azure"; readonly value: AzureRequest }
    | { readonly case: "google"; readonly value: TemplateRequest }
    | { readonly case: undefined };
}

/** SAML providers have methods of their own (`saml-methods.ts`). */
type PlainKind = Exclude<ProviderKind, "saml">;

/** What the contract calls each kind in its methods: `Add…Provider` and `Update…Provider`. */
const methodNames = {
  oidc: "GenericOIDC",
  oauth: "GenericOAuth",
  jwt: "JWT",
  google: "Google",
  github: "GitHub",
  github_es: "GitHubEnterpriseServer",
  gitlab: "GitLab",
  gitlab_self_hosted: "GitLabSelfHosted",
  azure_ad: "AzureAD",
  ldap: "LDAP",
  apple: "Apple",
} as const satisfies Record<PlainKind, string>;

type NameOf<Kind extends PlainKind> = (typeof methodNames)[Kind];
type RequestOf<Kind extends PlainKind> = Parameters<(typeof wordsOfKinds)[Kind]["fromRequest"]>[0];
type MethodsOf<Kind extends PlainKind> = ReturnType<typeof methodsOfKind<Kind, RequestOf<Kind>>>;

type MethodsOfKinds = {
  readonly [Kind in PlainKind as `add${NameOf<Kind>}Provider`]: MethodsOf<Kind>["add"];
} & {
  readonly [Kind in PlainKind as `update${NameOf<Kind>}Provider`]: MethodsOf<Kind>["update"];
};

function methodsOfKinds(deps: ProviderDeps, ownerOf: OwnerOf): MethodsOfKinds {
  const methods = (Object.keys(methodNames) as PlainKind[]).flatMap((kind) => {
    const { add, update } = methodsOfKind(deps, ownerOf, wordsOfKinds[kind] as never);
    const name = `${methodNames[kind]}Provider`;
    return [
      [`add${name}`, add],
      [`update${name}`, update],
    ];
  });
  // The keys are put together as the type says.
  return Object.fromEntries(methods) as MethodsOfKinds;
}

/**
 * Methods on providers. Both services have them with the same names and fields; they differ in the owner of the
 * providers.
 */
export function providerHandlers(deps: ProviderDeps & SamlProviderDeps, ownerOf: OwnerOf) {
  return {
    ...methodsOfKinds(deps, ownerOf),
    ...samlMethods(deps, ownerOf),
    async listProviders(call: Call, { query, queries }: ListRequest) {
      const { rows, total } = await listIdentityProviders(deps, call, {
        ...toPageV1(query),
        organizationId: ownerOf(call),
        filters: queries.map(toProviderFilter),
        orderBy: "created_at",
      });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toProviderMessage) };
    },
    async getProviderByID(call: Call, { id }: { readonly id: string }) {
      const key = { ownerOrganizationId: ownerOf(call), identityProviderId: id };
      return { idp: toProviderMessage(await getIdentityProvider(deps, call, key)) };
    },
    async migrateGenericOIDCProvider(call: Call, { id, template }: MigrateRequest) {
      if (template.case === undefined) {
        throw new Fault("invalid_argument", "field.required", { field: "template", values: { field: "template" } });
      }
      const { name, providerOptions, clientSecret } = template.value;
      const { details } = await migrateOidcProvider(deps, call, {
        ownerOrganizationId: ownerOf(call),
        identityProviderId: id,
        name,
        options: fromOptions(providerOptions),
        configuration:
          template.case === "azure"
            ? wordsOfKinds.azure_ad.fromRequest(template.value)
            : wordsOfKinds.google.fromRequest(template.value),
        secret: toSecret(clientSecret),
      });
      return { details: toObjectDetails(details) };
    },
  };
}

/** Converts a condition of a request. */
export function toProviderFilter({ query }: { readonly query: ProviderQuery }, index: number): ProviderFilter {
  switch (query.case) {
    case "idpIdQuery":
      return { by: "id", identityProviderId: query.value.id };
    case "idpNameQuery":
      return { by: "name", name: query.value.name, method: toTextMethod(query.value.method) };
    case "ownerTypeQuery": {
      const { ownerType } = query.value;
      if (ownerType === IDPOwnerType.IDP_OWNER_TYPE_UNSPECIFIED) return refuseFilter(`queries[${index}]`);
      return { by: "owner", owner: ownerType === IDPOwnerType.IDP_OWNER_TYPE_ORG ? "organization" : "instance" };
    }
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}
