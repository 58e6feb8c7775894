import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { UserAgent } from "@doorward/api/service/session/v2/session_pb";
import type { RetrieveIdentityProviderIntentResponseSchema } from "@doorward/api/service/user/v2/idp_intent_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { Fault } from "../../../base/fault.ts";
import { Secret } from "../../../base/secret.ts";
import { type Call, requireCaller, withUserAddress } from "../../../call/index.ts";
import type { ExternalIdentity } from "../../../domain/identity-provider-client/index.ts";
import {
  beginIntent,
  type IntentDeps,
  proveByCredentials,
  type RetrievedIntent,
  retrieveIntent,
} from "../../../domain/identity-provider-intent/index.ts";
import type { PreparedDeps } from "../../../domain/user/index.ts";
import { type Binding, bind, toDetails } from "../../contract/index.ts";

export interface IntentMethodDeps extends IntentDeps, PreparedDeps {
  /** Public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}

/** UserService: external sign-in for applications with a login of their own. */
export const identityIntentMethods = (deps: IntentMethodDeps): Binding =>
  bind(UserService, {
    startIdentityProviderIntent: async (call, { idpId: identityProviderId, content, userAgent }) => {
      if (content.case === "ldap") return prove(deps, call, identityProviderId, content.value, userAgent);
      if (content.case === undefined) throw urlsMissing();
      const { successUrl, failureUrl, loginHint } = content.value;
      const {
        url,
        form,
        intentId: _,
        details,
      } = await begin(deps, call, {
        identityProviderId,
        successUrl,
        failureUrl,
        loginHint: loginHint === "" ? undefined : loginHint,
      });
      if (form === undefined) return { details: toDetails(details), nextStep: { case: "authUrl", value: url } };
      return { details: toDetails(details), nextStep: { case: "formData", value: { url, fields: { ...form } } } };
    },
    retrieveIdentityProviderIntent: async (call, { idpIntentId: intentId, idpIntentToken: token }) =>
      toMessage(call, await retrieveIntent(deps, call, { intentId, token })),
  });

const urlsMissing = (): Fault =>
  new Fault("invalid_argument", "field.required", { field: "urls", values: { field: "urls" } });

async function begin(deps: IntentMethodDeps, call: Call, input: Omit<Parameters<typeof beginIntent>[2], "origin">) {
  const started = await beginIntent(deps, call, { ...input, origin: await deps.originOf(call.instanceId) });
  const details = { sequence: 1, createdAt: call.now, changedAt: call.now, ownerId: call.instanceId };
  return { ...started, details };
}

async function prove(
  deps: IntentMethodDeps,
  call: Call,
  identityProviderId: string,
  { username, password }: { readonly username: string; readonly password: string },
  said: Pick<UserAgent, "ip" | "fingerprintId"> | undefined,
) {
  const origin = await deps.originOf(call.instanceId);
  const credentials = { username, password: new Secret(password) };
  const input = { identityProviderId, origin, credentials, fingerprintId: said?.fingerprintId, field: "ldap" };
  const proven = await proveByCredentials(deps, withUserAddress(call, said?.ip), input);
  const { intentId: idpIntentId, token, userId = "" } = proven;
  const value = { idpIntentId, idpIntentToken: token.reveal(), userId };
  const details = { sequence: 2, createdAt: call.now, changedAt: call.now, ownerId: call.instanceId };
  return { details: toDetails(details), nextStep: { case: "idpIntent" as const, value } };
}

function toMessage(
  call: Call,
  { details, identityProviderId, ownerOrganizationId, protocol, identity, userId }: RetrievedIntent,
): MessageInitShape<typeof RetrieveIdentityProviderIntentResponseSchema> {
  const idpInformation = {
    idpId: identityProviderId,
    userId: identity.subject,
    userName: identity.username,
    rawInformation: identity.raw as JsonObject,
    access: accessOf(protocol, identity),
  };
  const common = { details: toDetails(details), idpInformation };
  return userId === undefined
    ? { ...common, ...toNewUser(call, identityProviderId, identity) }
    : { ...common, userId, ...toChange(userId, identity, ownerOrganizationId === "") };
}

/** What the provider gave besides the account: its tokens, the assertion, or the attributes of a directory. */
function accessOf(protocol: RetrievedIntent["protocol"], identity: ExternalIdentity) {
  if (protocol === "ldap") return toAttributes(identity);
  const { assertion } = identity.tokens;
  if (assertion === undefined) return toTokens(identity);
  return { case: "saml" as const, value: { assertion: new Uint8Array(Buffer.from(assertion.reveal())) } };
}

function toTokens({ tokens: { accessToken, idToken, refreshToken } }: ExternalIdentity) {
  const value = {
    accessToken: accessToken?.reveal() ?? "",
    ...(idToken !== undefined && { idToken: idToken.reveal() }),
    ...(refreshToken !== undefined && { refreshToken: refreshToken.reveal() }),
  };
  return { case: "oauth" as const, value };
}

const toAttributes = ({ raw }: ExternalIdentity) =>
  ({ case: "ldap", value: { attributes: raw as JsonObject } }) as const;

/** Builds the request that would create a user for an account that is unknown here. */
function toNewUser(call: Call, idpId: string, identity: ExternalIdentity) {
  const { username, subject } = identity;
  const human = { ...toPerson(identity), idpLinks: [{ idpId, userId: subject, userName: username }] };
  const { organizationId } = requireCaller(call);
  return {
    addHumanUser: { username, ...human },
    userAction: {
      case: "createUser" as const,
      value: { organizationId, username, userType: { case: "human" as const, value: human } },
    },
  };
}

/**
 * Builds the request that would update the user from the provider. Username and password stay the user's own. The
 * caller who sends it vouches for what it calls verified, so it repeats only what a provider of the instance says. If
 * it repeated what an organization's provider says, the address of another person would count in the whole instance.
 */
function toChange(userId: string, identity: ExternalIdentity, isBelieved: boolean) {
  const { isEmailVerified, isPhoneVerified } = identity;
  const human = toPerson({
    ...identity,
    isEmailVerified: isEmailVerified && isBelieved,
    isPhoneVerified: isPhoneVerified && isBelieved,
  });
  return {
    updateHumanUser: { userId, ...human },
    userAction: {
      case: "updateUser" as const,
      value: { userId, userType: { case: "human" as const, value: human } },
    },
  };
}

function toPerson(identity: ExternalIdentity) {
  const { givenName = "", familyName = "", nickName, displayName, preferredLanguage: tag, email, phone } = identity;
  return {
    profile: {
      givenName,
      familyName,
      ...(nickName !== undefined && { nickName }),
      ...(displayName !== undefined && { displayName }),
      ...(tag !== undefined && tag.length <= 10 && { preferredLanguage: tag }),
    },
    ...(email !== undefined && {
      email: { email, verification: { case: "isVerified" as const, value: identity.isEmailVerified } },
    }),
    ...(phone !== undefined && {
      phone: { phone, verification: { case: "isVerified" as const, value: identity.isPhoneVerified } },
    }),
  };
}
