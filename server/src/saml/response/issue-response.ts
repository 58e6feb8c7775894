import { seconds } from "../../base/clock.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { writePost, type XmlElement } from "../../base/saml/index.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import {
  authenticationMethodsOf,
  authTimeOf,
  contextLevelOf,
  holdSession,
  isSessionLive,
  meetsEssential,
  noteSessionClient,
  type Session,
} from "../../domain/session/index.ts";
import { findUser, type User } from "../../domain/user/index.ts";
import {
  type AuthorizationResponse,
  asToldTo,
  isConsentMissing,
  isLoginNameAddress,
  prepareClaim,
  readersOf,
  requireProjectAccess,
} from "../../oauth/index.ts";
import { describeSignIn } from "../authn-context.ts";
import type { SamlDeps } from "../deps.ts";
import { entityIdOf } from "../entity.ts";
import type { PartnerClient } from "../find-partner.ts";
import type { SamlStatus } from "../status.ts";
import { attributeStatement } from "./attributes.ts";
import { buildAssertion, buildStatusResponse, encryptAssertion } from "./build-response.ts";
import { formatNameId, type NameId, nameIdOf } from "./name-id.ts";

/** A request and the session that answers it. */
export interface IssueInput {
  readonly partner: PartnerClient;
  readonly parameters: AuthRequestParameters;
  readonly session: Session;
  /** The stored request; undefined when the browser's session answered immediately and nothing was stored. */
  readonly authRequestId: string | undefined;
  /** The session in which the user consented to this exact request. */
  readonly consentedSessionId: string | undefined;
  /** Our origin. */
  readonly issuer: string;
}

// Scripts can take half a minute; in a moment nothing changes that could not have changed a moment later.
const longestMoment = seconds(1);

/**
 * Answers a request with an assertion about the user of the session. A user who may not use the application causes the
 * OAuthError `access_denied`. A request is answered once: a second answer is undefined. The caller has made sure that
 * the session answers the request and that, where users are asked, this one consented to what the configuration of the
 * same `partner` tells.
 */
export async function issueResponse(
  deps: SamlDeps,
  call: Call,
  input: IssueInput,
): Promise<AuthorizationResponse | undefined> {
  const { partner, parameters, session } = input;
  const { instanceId } = call;
  const { userId } = session;
  const authTime = authTimeOf(session);
  if (userId === undefined || authTime === undefined) throw new OAuthError("login_required", "the user has to sign in");
  const level = contextLevelOf(session);
  if (!meetsEssential(parameters, level)) {
    throw new OAuthError("unmet_authentication_requirements", "the sign-in does not prove enough");
  }
  await requireProjectAccess(deps, call, partner.client, session);
  const decided = performance.now();
  const { user, organizationIds } = await findTold(deps, call, partner, userId);
  const named = { user, isLoginNameAddress: await isLoginNameAddress(deps, instanceId, user) };
  const nameId = nameIdOf(deps.random, partner.configuration, named, parameters.saml?.nameIdFormat);
  const hasPassword = session.factors.passwordCheckedAt !== undefined;
  const { id, response } = await build(deps, call, input, {
    nameId,
    authTime,
    contextClass: describeSignIn({ level, hasPassword }, parameters.saml?.contextClasses ?? []),
    attributes: await attributeStatement(deps, call, partner, { user, organizationIds }),
  });
  if (performance.now() - decided > longestMoment) await decideAgain(deps, call, input);
  const claim = await prepareClaim(deps, call, input);
  const isClaimed = await deps.database.change(call, async (tx) => {
    if (!(await claim(tx))) return false;
    // The session may have ended since it was read. Locked, it ends before, or after the service provider is noted in
    // it and so is told of its end.
    const held = await holdSession(tx, session.sessionId);
    if (held === undefined || !(await isSessionLive(tx, instanceId, session.sessionId))) {
      throw new OAuthError("login_required", "the session has ended");
    }
    noteSession(tx, partner, { session, nameId });
    record(tx, { id, user, session, partner, nameId });
    return true;
  });
  return isClaimed ? toPost(parameters, response) : undefined;
}

/** Returns the response that carries an error (SAML Core §3.2.2). */
export async function errorResponse(
  deps: Pick<SamlDeps, "samlKeys" | "random">,
  call: Call,
  target: ErrorTarget,
  status: SamlStatus,
): Promise<AuthorizationResponse> {
  const { parameters, issuer } = target;
  const signer = (await deps.samlKeys(call)).signer();
  const frame = frameOf(call, parameters, issuer);
  return toPost(parameters, await buildStatusResponse(deps.random, signer, "Response", frame, { status }));
}

/** Where an error goes. */
export interface ErrorTarget {
  readonly parameters: Pick<AuthRequestParameters, "redirectUri" | "saml">;
  /** Our origin. */
  readonly issuer: string;
}

const frameOf = (call: Call, { redirectUri, saml }: ErrorTarget["parameters"], issuer: string) => ({
  issuer: entityIdOf(issuer),
  destination: redirectUri,
  inResponseTo: saml?.requestId,
  now: call.now,
});

function toPost({ redirectUri, saml }: ErrorTarget["parameters"], response: XmlElement): AuthorizationResponse {
  const relayState = saml?.relayState;
  return {
    redirectUri,
    responseMode: "form_post",
    parameters: {
      SAMLResponse: writePost(response),
      ...(relayState !== undefined && { RelayState: relayState }),
    },
  };
}

interface Said {
  readonly nameId: NameId;
  readonly authTime: number;
  readonly contextClass: string;
  readonly attributes: XmlElement | undefined;
}

/** Builds the signed response with its signed assertion, which is encrypted where the application asks for it. */
async function build(
  deps: SamlDeps,
  call: Call,
  { partner, parameters, session, issuer }: IssueInput,
  said: Said,
): Promise<{ readonly id: string; readonly response: XmlElement }> {
  const { configuration } = partner;
  const { entityId, encryptionCertificates } = configuration.partner;
  const signer = (await deps.samlKeys(call)).signer();
  const frame = frameOf(call, parameters, issuer);
  const { id, assertion } = await buildAssertion(deps.random, signer, frame, {
    ...said,
    audience: entityId,
    sessionIndex: session.sessionId,
    sessionEnd: session.expiresAt,
  });
  const [certificate] = encryptionCertificates;
  if (configuration.isEncrypted && certificate === undefined) {
    throw new OAuthError("server_error", "the metadata has no certificate to encrypt for");
  }
  const content =
    configuration.isEncrypted && certificate !== undefined
      ? encryptAssertion(deps.random, assertion, certificate)
      : assertion;
  return {
    id,
    response: await buildStatusResponse(deps.random, signer, "Response", frame, { status: undefined, content }),
  };
}

/** Returns the user as the organization of the application sees them, and the organizations that read the response. */
async function findTold(
  deps: SamlDeps,
  call: Call,
  { client }: PartnerClient,
  userId: string,
): Promise<{ readonly user: User; readonly organizationIds: ReadonlySet<string> }> {
  const { instanceId } = call;
  const user = await findUser(deps.database.read, instanceId, userId);
  if (user === undefined) throw new OAuthError("login_required", "the user is gone");
  const { organizationIds } = await readersOf(deps, instanceId, { client, audience: [] });
  return { user: await asToldTo(deps, { instanceId, organizationIds }, user), organizationIds };
}

/** Asks for the second time what was decided before scripts ran. */
async function decideAgain(
  deps: SamlDeps,
  call: Call,
  { partner, parameters, session, consentedSessionId }: IssueInput,
): Promise<void> {
  const { client } = partner;
  await requireProjectAccess(deps, call, client, session);
  const present = await deps.clients.find(call.instanceId, client.clientId);
  if (present?.isActive !== true) throw new OAuthError("access_denied", "the application is no longer active");
  if (await isConsentMissing(deps, call, { client, parameters, session, consentedSessionId })) {
    throw new OAuthError("consent_required", "the user no longer consents to the application");
  }
}

function noteSession(
  tx: Tx,
  { client, configuration }: PartnerClient,
  { session, nameId }: { readonly session: Session; readonly nameId: NameId },
): void {
  if (configuration.partner.logout.length === 0) return;
  noteSessionClient(tx, {
    sessionId: session.sessionId,
    clientId: client.clientId,
    nameId: formatNameId(nameId),
  });
}

interface Issued {
  readonly id: string;
  readonly user: User;
  readonly session: Session;
  readonly partner: PartnerClient;
  readonly nameId: NameId;
}

function record(tx: Tx, { id, user, session, partner, nameId }: Issued): void {
  const { client, configuration } = partner;
  tx.record({
    type: "saml_assertion.issued",
    aggregateType: "saml_assertion",
    aggregateId: id,
    ownerId: user.organizationId,
    sequence: 1,
    payload: {
      userId: user.userId,
      sessionId: session.sessionId,
      applicationId: client.applicationId,
      entityId: configuration.partner.entityId,
      nameIdFormat: nameId.format,
      authenticationMethods: authenticationMethodsOf(session),
    },
  });
}
