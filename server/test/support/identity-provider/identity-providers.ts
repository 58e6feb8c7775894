import { Secret } from "../../../src/base/secret.ts";
import { sql } from "../../../src/database/index.ts";
import { putIdentityProvider } from "../../../src/domain/identity-provider/identity-provider.store.ts";
import type { IdentityProvider, ProviderConfiguration } from "../../../src/domain/identity-provider/index.ts";
import { sealProviderSecret } from "../../../src/domain/identity-provider/provider-secret.ts";
import { speakerOf } from "../../../src/domain/identity-provider/provider-speaker.ts";
import { testCall } from "../operations/call.ts";
import type { TestServer } from "../servers/server.ts";

/** A provider for a test; everything is allowed that is not said otherwise. */
export interface NewProvider {
  readonly configuration: ProviderConfiguration;
  readonly options?: Partial<IdentityProvider["options"]>;
  /** The instance's when not given. */
  readonly organizationId?: string;
  readonly secret?: string;
}

const everything = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: false,
  isAutoUpdate: false,
  autoLinking: "none",
} as const;

/** Writes a provider of the first instance, as the API stores one, and tells its id. */
export async function putProvider(server: TestServer, given: NewProvider): Promise<string> {
  const { domain } = server.app;
  const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  const identityProviderId = domain.newId();
  const provider = {
    identityProviderId,
    instanceId,
    ownerOrganizationId: given.organizationId ?? "",
    name: "Test provider",
    state: "active" as const,
    options: { ...everything, ...given.options },
    configuration: given.configuration,
    speaker: speakerOf(given.configuration),
    answeredBy: undefined,
    sealedSecret:
      given.secret === undefined
        ? null
        : sealProviderSecret(domain.vault, { instanceId, identityProviderId }, new Secret(given.secret)),
  };
  await domain.database.touch(testCall({ instanceId, now: domain.clock() }), (tx) =>
    putIdentityProvider(tx, provider, 1),
  );
  return identityProviderId;
}

/** Makes a provider active or inactive. */
export async function setProviderState(
  { app: { domain } }: TestServer,
  identityProviderId: string,
  state: IdentityProvider["state"],
): Promise<void> {
  const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  await domain.database.touch(testCall({ instanceId, now: domain.clock() }), (tx) =>
    tx.run(sql`update identity_providers set state = ${state}
      where instance_id = ${instanceId} and identity_provider_id = ${identityProviderId}`),
  );
}

/** An OpenID provider of an address, with usual settings. */
export const oidcAt = (issuer: string): ProviderConfiguration => ({
  kind: "oidc",
  issuer,
  clientId: "doorward",
  scopes: [],
  isIdTokenMapping: false,
  usePkce: true,
  displayNameMapping: "unspecified",
  usernameMapping: "unspecified",
  styling: "none",
});
