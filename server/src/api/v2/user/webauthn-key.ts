import { AuthFactorState } from "@doorward/api/service/user/v2/authentication_pb";
import { PasskeyAuthenticator } from "@doorward/api/service/user/v2/passkey_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { CodeDelivery, OpeningDeps } from "../../../domain/contact/index.ts";
import type { FactorDeps } from "../../../domain/factor/index.ts";
import {
  createPasskeyLink,
  type KeyCredential,
  listPasskeys,
  registerKey,
  removeKey,
  verifyKeyRegistration,
} from "../../../domain/webauthn-key/index.ts";
import { type Binding, bind, toDetails, toListDetails } from "../../contract/index.ts";

const attachments: Readonly<Record<PasskeyAuthenticator, "platform" | "cross-platform" | undefined>> = {
  [PasskeyAuthenticator.UNSPECIFIED]: undefined,
  [PasskeyAuthenticator.PLATFORM]: "platform",
  [PasskeyAuthenticator.CROSS_PLATFORM]: "cross-platform",
};

/** UserService: passkeys and security keys. */
export const keyMethods = (deps: FactorDeps & OpeningDeps & { readonly basePort: string }): Binding =>
  bind(UserService, {
    registerPasskey: async (call, { userId, code, authenticator, domain }) => {
      const input = { userId, kind: "passkey", domain, code, attachment: attachments[authenticator] } as const;
      const { details, credentialId, options } = await registerKey(deps, call, input);
      return { details: toDetails(details), passkeyId: credentialId, publicKeyCredentialCreationOptions: options };
    },
    verifyPasskeyRegistration: async (call, { userId, passkeyId, publicKeyCredential = {}, passkeyName }) => {
      const input = { userId, credentialId: passkeyId, credential: publicKeyCredential, name: passkeyName };
      return { details: toDetails(await verifyKeyRegistration(deps, call, { ...input, kind: "passkey" })) };
    },
    createPasskeyRegistrationLink: async (call, { userId, medium }) => {
      const delivery: CodeDelivery =
        medium.case === "returnCode" ? { by: "return" } : { by: "message", urlTemplate: medium.value?.urlTemplate };
      const { details, code } = await createPasskeyLink(deps, call, { userId, delivery });
      return { details: toDetails(details), ...(code !== undefined && { code: { id: code.id, code: code.code } }) };
    },
    listPasskeys: async (call, { userId }) => {
      const passkeys = await listPasskeys(deps, call, { userId });
      return { details: toListDetails(passkeys.length, call.now), result: passkeys.map(toMessage) };
    },
    removePasskey: async (call, { userId, passkeyId: credentialId }) => ({
      details: toDetails(await removeKey(deps, call, { userId, credentialId, kind: "passkey" })),
    }),
    registerU2F: async (call, { userId, domain }) => {
      const { details, credentialId, options } = await registerKey(deps, call, { userId, kind: "u2f", domain });
      return { details: toDetails(details), u2fId: credentialId, publicKeyCredentialCreationOptions: options };
    },
    verifyU2FRegistration: async (call, { userId, u2fId, publicKeyCredential = {}, tokenName }) => {
      const input = { userId, credentialId: u2fId, credential: publicKeyCredential, name: tokenName };
      return { details: toDetails(await verifyKeyRegistration(deps, call, { ...input, kind: "u2f" })) };
    },
    removeU2F: async (call, { userId, u2fId: credentialId }) => ({
      details: toDetails(await removeKey(deps, call, { userId, credentialId, kind: "u2f" })),
    }),
  });

const toMessage = ({ credentialId, state, name }: KeyCredential) => ({
  id: credentialId,
  state: state === "ready" ? AuthFactorState.READY : AuthFactorState.NOT_READY,
  name,
});
