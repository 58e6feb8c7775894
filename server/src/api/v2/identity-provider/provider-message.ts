import type { MessageInitShape } from "@bufbuild/protobuf";
import { IDPState } from "@doorward/api/service/idp/v1/idp_pb";
import {
  AutoLinkingOption,
  type Options,
  type OptionsSchema,
  type ProviderSchema,
  type ProviderType,
} from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import type { IDPSchema } from "@doorward/api/service/idp/v2/idp_pb";
import {
  type AutoLinking,
  type ConfigurationOf,
  etagOfProvider,
  type IdentityProvider,
  type ProviderConfiguration,
  type ProviderKind,
  type ProviderOptions,
} from "../../../domain/identity-provider/index.ts";
import { toDetails, toObjectDetails } from "../../contract/index.ts";
import { appleWords } from "./apple-provider.ts";
import { azureAdWords } from "./azure-ad-provider.ts";
import { githubEnterpriseWords } from "./github-enterprise-provider.ts";
import { githubWords } from "./github-provider.ts";
import { gitlabWords } from "./gitlab-provider.ts";
import { gitlabSelfHostedWords } from "./gitlab-self-hosted-provider.ts";
import { googleWords } from "./google-provider.ts";
import { jwtWords } from "./jwt-provider.ts";
import { ldapWords } from "./ldap-provider.ts";
import { oauthWords } from "./oauth-provider.ts";
import { oidcWords } from "./oidc-provider.ts";
import type { ConfigMessage } from "./provider-words.ts";
import { samlWords } from "./saml-provider.ts";

/** The conversions of all kinds. */
export const wordsOfKinds = {
  oidc: oidcWords,
  oauth: oauthWords,
  jwt: jwtWords,
  google: googleWords,
  github: githubWords,
  github_es: githubEnterpriseWords,
  gitlab: gitlabWords,
  gitlab_self_hosted: gitlabSelfHostedWords,
  azure_ad: azureAdWords,
  ldap: ldapWords,
  apple: appleWords,
  saml: samlWords,
} satisfies {
  readonly [Kind in ProviderKind]: {
    readonly kind: Kind;
    readonly type: ProviderType;
    readonly toMessage: (configuration: ConfigurationOf<Kind>) => ConfigMessage;
  };
};

/** Returns the number of a provider's kind. */
export const typeOf = ({ kind }: { readonly kind: ProviderKind }): ProviderType => wordsOfKinds[kind].type;

/** The numbers of states, in both generations. */
export const providerStates = {
  active: IDPState.IDP_STATE_ACTIVE,
  inactive: IDPState.IDP_STATE_INACTIVE,
} as const satisfies Record<IdentityProvider["state"], IDPState>;

export const toOwnerType = ({ ownerOrganizationId }: IdentityProvider): IDPOwnerType =>
  ownerOrganizationId === "" ? IDPOwnerType.IDP_OWNER_TYPE_SYSTEM : IDPOwnerType.IDP_OWNER_TYPE_ORG;

/** Converts a provider to the message of the first generation, without its secret. */
export function toProviderMessage(provider: IdentityProvider): MessageInitShape<typeof ProviderSchema> {
  const { details, answeredBy = [] } = provider;
  const answering = answeredBy.flat().flatMap((held) => ("roles" in held ? held.roles : held.permissions));
  return {
    ...common(provider),
    details: toObjectDetails(details),
    owner: toOwnerType(provider),
    answeringRoles: [...new Set(answering)],
    etag: etagOfProvider(provider),
  };
}

/** Converts a provider to the message of the second generation, without its secret. */
export function toIdpMessage(provider: IdentityProvider): MessageInitShape<typeof IDPSchema> {
  const message = { ...common(provider), details: toDetails(provider.details) };
  // The fields and numbers are those of the first generation, but the generated types differ.
  return message as unknown as MessageInitShape<typeof IDPSchema>;
}

function common({ identityProviderId: id, name, state, options, configuration }: IdentityProvider) {
  return {
    id,
    name,
    state: providerStates[state],
    type: typeOf(configuration),
    config: { options: toOptions(options), config: toConfig(configuration) },
  };
}

function toConfig<Configuration extends ProviderConfiguration>(configuration: Configuration): ConfigMessage {
  const words: { readonly toMessage: (configuration: never) => ConfigMessage } = wordsOfKinds[configuration.kind];
  return words.toMessage(configuration as never);
}

const autoLinkingOptions = {
  none: AutoLinkingOption.UNSPECIFIED,
  username: AutoLinkingOption.USERNAME,
  email: AutoLinkingOption.EMAIL,
} as const satisfies Record<AutoLinking, AutoLinkingOption>;

export function toOptions({ autoLinking, ...options }: ProviderOptions): MessageInitShape<typeof OptionsSchema> {
  return { ...options, autoLinking: autoLinkingOptions[autoLinking] };
}

/**
 * Reads the options of a request. Absent options are off, and an auto-linking option that the contract does not have
 * links no account.
 */
export function fromOptions(options: Options | undefined): ProviderOptions {
  const names = Object.keys(autoLinkingOptions) as AutoLinking[];
  return {
    isLinkingAllowed: options?.isLinkingAllowed ?? false,
    isCreationAllowed: options?.isCreationAllowed ?? false,
    isAutoCreation: options?.isAutoCreation ?? false,
    isAutoUpdate: options?.isAutoUpdate ?? false,
    autoLinking: names.find((name) => autoLinkingOptions[name] === options?.autoLinking) ?? "none",
  };
}
