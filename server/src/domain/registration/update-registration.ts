import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type Application, changeApplication, giveSecret, holdApplication } from "../application/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";
import { applicationName } from "./create-registration.ts";
import { forgetConsents } from "./forget-consents.ts";
import { findRegistration, replaceRegistration, updateHasOwnAddresses } from "./registration.store.ts";
import { type InertMetadata, type Registration, registrationAggregate, registrationPayload } from "./registration.ts";
import { makeRegistrationToken, type TokenDeps } from "./registration-token.ts";

export interface RegistrationUpdate {
  readonly clientId: string;
  /** Of the token that was presented. */
  readonly tokenHash: string;
  readonly clientName: string | undefined;
  readonly configuration: Partial<OidcConfiguration>;
  readonly metadata: InertMetadata;
}

export interface UpdatedRegistration {
  readonly registration: Registration;
  readonly application: Application;
  readonly registrationAccessToken: Secret;
  /** A new secret, for a client that authenticates with one from now on and had none. */
  readonly clientSecret: Secret | undefined;
}

/**
 * Replaces what a client registered (RFC 7592 §2.2) and its token: the statement that proves the presented token to be
 * the newest also invalidates it. Returns undefined when another request has used the token first.
 */
export function updateRegistration(
  deps: TokenDeps & { readonly database: Database },
  call: Call,
  input: RegistrationUpdate,
): Promise<UpdatedRegistration | undefined> {
  const { clientId, tokenHash, clientName, metadata } = input;
  const made = makeRegistrationToken(deps, call.instanceId, clientId);
  return deps.database.change(call, async (tx) => {
    const known = await findRegistration(tx, tx.instanceId, clientId);
    const replaced = await replaceRegistration(tx, {
      clientId,
      tokenHash,
      newTokenHash: made.tokenHash,
      clientName,
      metadata,
    });
    const application = replaced && (await holdApplication(tx, replaced.registration.applicationId));
    if (known === undefined || replaced === undefined || application === undefined) return undefined;
    const { registration } = replaced;
    tx.record({
      type: "registration.updated",
      ...registrationAggregate(registration),
      sequence: replaced.sequence,
      payload: registrationPayload(registration),
    });
    const changed = await changeApplication(tx, application, {
      name: applicationName(clientName, application.applicationId),
      configuration: { kind: "oidc", fields: input.configuration },
    });
    // The token belongs to the client, so the registrar did not choose what the client names from now on.
    const former = new Set(addressesOf(application));
    if (addressesOf(changed).some((address) => !former.has(address))) await updateHasOwnAddresses(tx, clientId);
    const before = { application, registration: known.registration };
    await forgetConsents(tx, before, { application: changed, registration });
    const given = changed.hasSecret ? undefined : await giveSecret(tx, deps, changed);
    return {
      registration,
      application: given?.application ?? changed,
      registrationAccessToken: made.token,
      clientSecret: given?.clientSecret,
    };
  });
}

// The addresses that Doorward sends requests to; naming others is recorded.
function addressesOf(application: Application): readonly string[] {
  if (application.kind !== "oidc") return [];
  const { requestUris, jwksUri, backChannelLogoutUri } = application.configuration;
  return [...requestUris, jwksUri, backChannelLogoutUri].filter((address) => address !== "");
}
