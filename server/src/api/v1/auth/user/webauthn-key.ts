import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import type { WebAuthNVerification } from "@doorward/api/service/user/v1/authentication_pb";
import { Fault } from "../../../../base/fault.ts";
import { isRecord, JsonError, parseJson } from "../../../../base/json.ts";
import type { Call } from "../../../../call/index.ts";
import type { KeyFactor } from "../../../../domain/factor/index.ts";
import {
  listCredentialsOfUser,
  registerKey,
  type UntrustedCredential,
  verifyKeyRegistration,
} from "../../../../domain/webauthn-key/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { addLink, ofCaller, type PasskeyLinkDeps, sendLink } from "../../common/user/passkey-link.ts";

/** AuthService: adding the caller's own passkeys and security keys. */
export const authKeyMethods = (deps: PasskeyLinkDeps): Binding =>
  bind(AuthService, {
    addMyAuthFactorU2F: (call) => register(deps, call, "u2f"),
    verifyMyAuthFactorU2F: (call, { verification }) => verify(deps, call, "u2f", verification),
    addMyPasswordless: (call) => register(deps, call, "passkey"),
    verifyMyPasswordless: (call, { verification }) => verify(deps, call, "passkey", verification),
    addMyPasswordlessLink: (call) => addLink(deps, call, { ...ofCaller(call), isSelfAllowed: true }),
    sendMyPasswordlessLink: (call) => sendLink(deps, call, { ...ofCaller(call), isSelfAllowed: true }),
  });

async function register(deps: PasskeyLinkDeps, call: Call, kind: KeyFactor) {
  const { details, options } = await registerKey(deps, call, { ...ofCaller(call), kind, domain: "" });
  return { key: { publicKey: Buffer.from(JSON.stringify(options)) }, details: toObjectDetails(details) };
}

// This generation does not name the registration to complete, so it is the newest one.
async function verify(deps: PasskeyLinkDeps, call: Call, kind: KeyFactor, given: WebAuthNVerification | undefined) {
  const { userId } = ofCaller(call);
  const all = await listCredentialsOfUser(deps.database.read, call.instanceId, userId);
  const newest = all.findLast((each) => each.kind === kind && each.state === "pending");
  if (newest === undefined) throw new Fault("failed_precondition", "factor.registration_absent");
  const credential = readCredential(given?.publicKeyCredential ?? new Uint8Array());
  const input = { userId, credentialId: newest.credentialId, kind, credential, name: given?.tokenName ?? "" };
  return { details: toObjectDetails(await verifyKeyRegistration(deps, call, input)) };
}

function readCredential(bytes: Uint8Array): UntrustedCredential {
  try {
    const credential = parseJson(Buffer.from(bytes).toString("utf8"));
    if (isRecord(credential)) return credential;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new Fault("invalid_argument", "factor.key_refused", { field: "verification.publicKeyCredential" });
}
