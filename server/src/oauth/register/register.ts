import { networkOf } from "../../base/budget/network-of.ts";
import { Fault } from "../../base/fault.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { discardApplication } from "../../domain/deletion/index.ts";
import { type CreatedRegistration, createRegistration, RegistrationOff } from "../../domain/registration/index.ts";
import type { WebHandler, WebRequest, WebResponse } from "../../web/index.ts";
import { answerErrors } from "../answer-errors.ts";
import { asStranger, type ClientMetadata, readClientMetadata } from "../client-metadata/client-metadata.ts";
import { parseMembers } from "../client-metadata/members.ts";
import type { OAuthDeps } from "../deps.ts";
import { withNonce } from "../dpop/present-proof.ts";
import { json } from "../respond.ts";
import { identifyRegistrar, type Registrar } from "./identify-registrar.ts";
import { closed, describeRegistration, notServed, registrationError, tooMany } from "./respond.ts";
import { withSectorIdentifier } from "./sector-identifier.ts";

/**
 * Creates dynamic client registration (RFC 7591 §3). The security settings decide: off, for callers with the
 * permission, or open.
 */
export function createRegisterEndpoint(deps: OAuthDeps): WebHandler {
  const handler: WebHandler = async (request) => {
    const { instanceId } = request.call;
    const { settings } = await deps.settings.getCommitted("security", { instanceId });
    if (!settings.dynamicClientRegistration.enabled) return notServed;
    const registrar = await identifyRegistrar(deps, request, settings);
    const members = parseMembers(request.body);
    const metadata = await withSectorIdentifier(deps, members, readClientMetadata(members), {
      call: registrar.call,
      isForStranger: registrar.kind === "anonymous",
    });
    return await register(deps, request, { registrar, metadata });
  };
  return withNonce(deps, answerErrors(deps, handler, registrationError));
}

interface Wanted {
  readonly registrar: Registrar;
  readonly metadata: ClientMetadata;
}

async function register(deps: OAuthDeps, request: WebRequest, wanted: Wanted): Promise<WebResponse> {
  const { registrar, metadata } = wanted;
  const open = registrar.kind === "anonymous" ? { source: networkOf(request.clientAddress) } : undefined;
  const { clientName, configuration, inert } = open === undefined ? metadata : asStranger(metadata);
  const organizationId =
    registrar.kind === "permitted"
      ? registrar.organizationId
      : await deps.defaultOrganizationIdOf(request.call.instanceId);
  try {
    const own = { ...deps, discardApplication };
    const created = await createRegistration(own, registrar.call, {
      organizationId,
      clientName,
      configuration,
      metadata: inert,
      open,
    });
    return json(201, describeCreated(request.instance.origin, created));
  } catch (error) {
    if (error instanceof RegistrationOff) {
      if (!error.isOpenToCallers) return notServed;
      throw new OAuthError("invalid_token", "an access token is needed");
    }
    if (error instanceof Fault && error.id === "registration.closed") return closed;
    if (error instanceof Fault && error.id === "registration.too_many") return tooMany(Number(error.values["seconds"]));
    throw error;
  }
}

function describeCreated(origin: string, created: CreatedRegistration): object {
  const { registration, application, clientSecret, registrationAccessToken } = created;
  return {
    ...describeRegistration(origin, registration, application),
    registration_access_token: registrationAccessToken.reveal(),
    // RFC 7591 §3.2.1: required beside a secret; 0 means never.
    ...(clientSecret && { client_secret: clientSecret.reveal(), client_secret_expires_at: 0 }),
  };
}
