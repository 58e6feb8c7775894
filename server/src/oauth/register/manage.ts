import { Fault } from "../../base/fault.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { equalInConstantTime, matchesHash } from "../../base/secret.ts";
import { readTokenHeader } from "../../bearer/index.ts";
import type { Call } from "../../call/index.ts";
import { type Client, findApplication, isOfStranger } from "../../domain/application/index.ts";
import { deleteRegistration } from "../../domain/deletion/index.ts";
import {
  findRegistration,
  isTokenFounded,
  openRegistrationToken,
  type Registration,
  RegistrationOff,
  updateRegistration,
} from "../../domain/registration/index.ts";
import type { WebHandler, WebRequest, WebResponse } from "../../web/index.ts";
import { answerErrors } from "../answer-errors.ts";
import { asStranger, readClientMetadata, toMetadataError } from "../client-metadata/client-metadata.ts";
import { type Members, optionalText, parseMembers } from "../client-metadata/members.ts";
import type { OAuthDeps } from "../deps.ts";
import { json } from "../respond.ts";
import { clientGone, describeRegistration, notServed, registrationError } from "./respond.ts";
import { withSectorIdentifier } from "./sector-identifier.ts";

/** A client that authenticated with its newest registration access token, which has not ended. */
interface Managed {
  /** Confirmed like that of a caller, because other servers are asked about what the client says of itself. */
  readonly call: Call;
  readonly registration: Registration;
  readonly tokenHash: string;
}

/**
 * Creates the management of a registration (RFC 7592 §2) by the client itself. A token of another client is refused
 * before any lookup; then a deleted client is 404 and an older token of it 401.
 */
export function createManageEndpoint(deps: OAuthDeps): WebHandler {
  const handler: WebHandler = async (request) => {
    const { instanceId } = request.call;
    const { settings } = await deps.settings.getCommitted("security", { instanceId });
    if (!settings.dynamicClientRegistration.enabled) return notServed;
    const managed = await identify(deps, request);
    if (managed === undefined) return clientGone;
    try {
      if (request.method === "PUT") return await replace(deps, request, managed);
      if (request.method === "DELETE") return await remove(deps, managed);
      return await read(deps, request, managed);
    } catch (error) {
      if (error instanceof RegistrationOff) return notServed;
      throw error;
    }
  };
  return answerErrors(deps, handler, registrationError);
}

async function identify(deps: OAuthDeps, request: WebRequest): Promise<Managed | undefined> {
  const { call } = request;
  const admittedAt = performance.now();
  const found = await findManaged(deps, request, call);
  const confirm = async (): Promise<void> => {
    if ((await findManaged(deps, request, { ...call, now: deps.clock() })) === undefined) throw refused();
  };
  return found && { ...found, call: { ...call, confirm, admittedAt } };
}

async function findManaged(
  deps: OAuthDeps,
  { header, pathVariables }: WebRequest,
  call: Call,
): Promise<Omit<Managed, "call"> | undefined> {
  const { instanceId } = call;
  const clientId = pathVariables["clientId"] ?? "";
  const presented = readTokenHeader(header("authorization") ?? "");
  if (presented?.scheme !== "bearer") throw refused();
  const tokenHash = openRegistrationToken(deps, presented.token, { instanceId, clientId });
  if (tokenHash === undefined) throw refused();
  const found = await findRegistration(deps.database.read, instanceId, clientId);
  if (found?.isActive !== true) return undefined;
  if (found.tokenHash === undefined || !equalInConstantTime(found.tokenHash, tokenHash)) throw refused();
  if (!(await isTokenFounded(deps.database.read, call, found))) throw refused();
  return { registration: found.registration, tokenHash };
}

async function read(deps: OAuthDeps, { call, instance }: WebRequest, { registration }: Managed): Promise<WebResponse> {
  const application = await findApplication(deps.database.read, call.instanceId, registration.applicationId);
  return application === undefined
    ? clientGone
    : json(200, describeRegistration(instance.origin, registration, application));
}

async function replace(deps: OAuthDeps, request: WebRequest, managed: Managed): Promise<WebResponse> {
  const { instance } = request;
  const { call } = managed;
  const { clientId } = managed.registration;
  const members = parseMembers(request.body);
  const client = await deps.clients.find(call.instanceId, clientId);
  await checkIdentity(members, clientId, client);
  const { sector_identifier_uri: named } = managed.registration.metadata;
  const described = await withSectorIdentifier(deps, members, readClientMetadata(members), {
    // The client, and not its registrar, names another one, or has named this one.
    call,
    isForStranger: client === undefined || isOfStranger(client) || members["sector_identifier_uri"] !== named,
  });
  const updated = await updateRegistration(deps, call, {
    clientId,
    tokenHash: managed.tokenHash,
    described,
    restrict: asStranger,
  }).catch((error: unknown) => {
    // What the client replaces has to fit what its administrator, or its own registration, bound it to.
    throw error instanceof Fault && isAboutConfiguration(error) ? toMetadataError(error) : error;
  });
  if (updated === undefined) throw refused();
  return json(200, {
    ...describeRegistration(instance.origin, updated.registration, updated.application),
    registration_access_token: updated.registrationAccessToken.reveal(),
    // RFC 7592 §2.2: a client that begins to authenticate with a secret gets one.
    ...(updated.clientSecret && { client_secret: updated.clientSecret.reveal(), client_secret_expires_at: 0 }),
  });
}

const isAboutConfiguration = ({ field }: Fault): boolean => field?.startsWith("oidcConfiguration.") === true;

// RFC 7592 §2.2: the client's identifiers in the body must be correct.
async function checkIdentity(members: Members, clientId: string, client: Client | undefined): Promise<void> {
  const namedId = optionalText(members, "client_id");
  if (namedId !== undefined && namedId !== clientId) {
    throw new OAuthError("invalid_client_metadata", "client_id is not the client of this address");
  }
  const secret = optionalText(members, "client_secret");
  if (secret !== undefined && (client?.secretHash === undefined || !matchesHash(secret, client.secretHash))) {
    throw new OAuthError("invalid_client_metadata", "client_secret is not the secret of this client");
  }
}

async function remove(deps: OAuthDeps, { call, registration, tokenHash }: Managed): Promise<WebResponse> {
  const { clientId } = registration;
  if (!(await deleteRegistration(deps, call, { clientId, tokenHash }))) throw refused();
  const { headers } = json(204, {});
  return { status: 204, headers };
}

const refused = (): OAuthError =>
  new OAuthError("invalid_token", "the registration access token is not of this client, or has ended");
