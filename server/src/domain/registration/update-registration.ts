import { isDeepStrictEqual } from "node:util";
import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type Application, changeApplication, giveSecret } from "../application/index.ts";
import { changeOidcConfiguration, type OidcConfiguration } from "../oidc-configuration/index.ts";
import { applicationName } from "./create-registration.ts";
import { forgetConsents, type KnownClient } from "./forget-consents.ts";
import { holdManaged } from "./hold-managed.ts";
import { registeredFields } from "./registered-fields.ts";
import { replaceRegistration, updateHasOwnAddresses } from "./registration.store.ts";
import { type InertMetadata, type Registration, registrationAggregate, registrationPayload } from "./registration.ts";
import { makeRegistrationToken, type TokenDeps } from "./registration-token.ts";

/** A client as it describes itself. */
interface DescribedClient {
  readonly clientName: string | undefined;
  readonly configuration: OidcConfiguration;
  readonly inert: InertMetadata;
}

export interface RegistrationUpdate {
  readonly clientId: string;
  /** Of the token that was presented. */
  readonly tokenHash: string;
  readonly described: DescribedClient;
  /** Restricts a description to what a client gets for which no administrator answers. */
  readonly restrict: (described: DescribedClient) => DescribedClient;
}

export interface UpdatedRegistration {
  readonly registration: Registration;
  readonly application: Application;
  readonly registrationAccessToken: Secret;
  /** A new secret, for a client that authenticates with one from now on and had none. */
  readonly clientSecret: Secret | undefined;
}

/**
 * Replaces what a client registered (RFC 7592 §2.2) and its token. A registrar answers for the client as they
 * registered it: one that changes itself is from then on a client of a stranger, until an administrator confirms it.
 * Returns undefined when the token has ended, or another request has used it first.
 */
export function updateRegistration(
  deps: TokenDeps & { readonly database: Database },
  call: Call,
  input: RegistrationUpdate,
): Promise<UpdatedRegistration | undefined> {
  const { clientId, tokenHash, restrict } = input;
  const made = makeRegistrationToken(deps, call.instanceId, clientId);
  return deps.database.change(call, async (tx) => {
    const held = await holdManaged(tx, { clientId, tokenHash });
    if (held === undefined) return undefined;
    const isVouchedFor = held.registration.kind === "token" && isSame(held, input.described);
    const { clientName, configuration, inert } = isVouchedFor ? input.described : restrict(input.described);
    const changed = await changeApplication(tx, held.application, {
      name: applicationName(clientName, held.application.applicationId),
      configuration: {
        kind: "oidc",
        fields: {
          ...registeredFields(configuration),
          ...(configuration.isConsentRequired && { isConsentRequired: true }),
        },
      },
    });
    // The token belongs to the client, so the registrar did not choose what the client names from now on.
    const former = new Set(addressesOf(held.application));
    if (addressesOf(changed).some((address) => !former.has(address))) await updateHasOwnAddresses(tx, clientId);
    await forgetConsents(tx, held, { application: changed, registration: { clientName, metadata: inert } });
    const given = changed.hasSecret ? undefined : await giveSecret(tx, deps, changed);
    const application = given?.application ?? changed;
    const replaced = await replaceRegistration(tx, {
      clientId,
      tokenHash,
      newToken: { tokenHash: made.tokenHash, applicationSequence: application.details.sequence },
      clientName,
      metadata: inert,
    });
    if (replaced === undefined) throw new Error(`registration ${clientId} went away while it was held`);
    const { registration, sequence } = replaced;
    const payload = registrationPayload(registration);
    tx.record({ type: "registration.updated", ...registrationAggregate(registration), sequence, payload });
    return {
      registration,
      application,
      registrationAccessToken: made.token,
      clientSecret: given?.clientSecret,
    };
  });
}

// Whether a description changes nothing of what users, administrators and this server know of the client.
function isSame({ application, registration }: KnownClient, described: DescribedClient): boolean {
  const { kind, configuration } = application;
  return (
    kind === "oidc" &&
    registration.clientName === described.clientName &&
    isDeepStrictEqual(registration.metadata, described.inert) &&
    isDeepStrictEqual(changeOidcConfiguration(configuration, registeredFields(described.configuration)), configuration)
  );
}

// The addresses that Doorward sends requests to; naming others is recorded.
function addressesOf(application: Application): readonly string[] {
  if (application.kind !== "oidc") return [];
  const { requestUris, jwksUri, backChannelLogoutUri } = application.configuration;
  return [...requestUris, jwksUri, backChannelLogoutUri].filter((address) => address !== "");
}
