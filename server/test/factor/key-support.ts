import type { TestServer } from "../support/servers/server.ts";
import type { Authenticator } from "../support/sign-in/authenticator.ts";
import { callUser, createSession, setSession, slugOf } from "./support.ts";

/** Short ways to register keys and to sign in with them. */
export function keysAt(server: TestServer) {
  const begin = (userId: string, kind: "Passkey" | "U2F", given: object = {}) =>
    callUser(server, `Register${kind}`, { userId, ...given });
  const finish = (userId: string, begun: Record<string, string>, publicKeyCredential: object, name = "My key") =>
    begun["passkeyId"] === undefined
      ? {
          method: "VerifyU2FRegistration",
          body: { userId, u2fId: begun["u2fId"], publicKeyCredential, tokenName: name },
        }
      : {
          method: "VerifyPasskeyRegistration",
          body: { userId, passkeyId: begun["passkeyId"], publicKeyCredential, passkeyName: name },
        };
  /** Registers a key and returns its id here. */
  const register = async (
    userId: string,
    device: Authenticator,
    kind: "Passkey" | "U2F",
    domain = "",
  ): Promise<string> => {
    const begun = await begin(userId, kind, { domain });
    const { method, body } = finish(userId, begun, device.create(begun.publicKeyCredentialCreationOptions));
    await callUser(server, method, body);
    return begun.passkeyId ?? begun.u2fId;
  };
  const challenge = async (sessionId: string, userVerificationRequirement = "REQUIRED", domain = "localhost") => {
    const webAuthN = {
      domain,
      userVerificationRequirement: `USER_VERIFICATION_REQUIREMENT_${userVerificationRequirement}`,
    };
    const answer = await setSession(server, sessionId, { challenges: { webAuthN } });
    return answer.status === 200 ? answer.body.challenges.webAuthN.publicKeyCredentialRequestOptions : slugOf(answer);
  };
  const answer = (sessionId: string, credentialAssertionData: object) =>
    setSession(server, sessionId, { checks: { webAuthN: { credentialAssertionData } } });
  const sessionFor = async (userId: string) =>
    (await createSession(server, { checks: { user: { userId } } })).body.sessionId as string;
  const isAccepted = async (token: string) =>
    (await server.rest("POST", "/v2/sessions/search", { body: {}, token })).status === 200;
  return { begin, finish, register, challenge, answer, sessionFor, isAccepted };
}
