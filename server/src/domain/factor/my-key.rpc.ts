import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { WebAuthNVerification } from "@doorward/api/service/user/v1/authentication_pb";
import { Fault } from "../../base/fault.ts";
import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import { type Binding, bind, toDuration, toObjectDetails } from "../../contract/index.ts";
import type { OriginOf } from "../instance/index.ts";
import { requireUserOfOrganization } from "../user/index.ts";
import { type CreatePasskeyLink, createPasskeyLink, toPasskeyLink } from "./create-passkey-link.ts";
import type { KeyFactor } from "./factor.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { listCredentialsOfUser } from "./key-credential.store.ts";
import { registerKey } from "./register-key.ts";
import { verifyKeyRegistration } from "./verify-key-registration.ts";
import type { UntrustedCredential } from "./verify-signature.ts";

type Deps = FactorDeps & { readonly basePort: string; readonly originOf: OriginOf };

/** AuthService: adding the caller's own passkeys and security keys. */
export const myKeyMethods = (deps: Deps): Binding =>
  bind(AuthService, {
    addMyAuthFactorU2F: (call) => register(deps, call, "u2f"),
    verifyMyAuthFactorU2F: (call, { verification }) => verify(deps, call, "u2f", verification),
    addMyPasswordless: (call) => register(deps, call, "passkey"),
    verifyMyPasswordless: (call, { verification }) => verify(deps, call, "passkey", verification),
    addMyPasswordlessLink: (call) => addLink(deps, call, { ...self(call), isSelfAllowed: true }),
    sendMyPasswordlessLink: (call) => sendLink(deps, call, { ...self(call), isSelfAllowed: true }),
  });

/** ManagementService: links with which users of the organization of the call register a passkey. */
export function passkeyLinkMethods(deps: Deps): Binding {
  const managed = async (call: Call, userId: string) => {
    await requireUserOfOrganization(deps.database.read, call, userId);
    return { userId };
  };
  return bind(ManagementService, {
    addPasswordlessRegistration: async (call, { userId }) => addLink(deps, call, await managed(call, userId)),
    sendPasswordlessRegistration: async (call, { userId }) => sendLink(deps, call, await managed(call, userId)),
  });
}

type LinkOf = Pick<CreatePasskeyLink, "userId" | "isSelfAllowed">;

async function addLink(deps: Deps, call: Call, input: LinkOf) {
  const { user, details, code } = await createPasskeyLink(deps, call, { ...input, delivery: { by: "return" } });
  if (code === undefined) throw new Error("a code that was to be returned is missing");
  const link = toPasskeyLink(await deps.originOf(call.instanceId), user, code);
  return { details: toObjectDetails(details), link, expiration: toDuration(code.lifetimeSeconds) };
}

async function sendLink(deps: Deps, call: Call, input: LinkOf) {
  const { details } = await createPasskeyLink(deps, call, { ...input, delivery: { by: "message" } });
  return { details: toObjectDetails(details) };
}

const self = (call: Call) => ({ userId: requireCaller(call).userId });

async function register(deps: Deps, call: Call, kind: KeyFactor) {
  const { details, options } = await registerKey(deps, call, { ...self(call), kind, domain: "" });
  return { key: { publicKey: Buffer.from(JSON.stringify(options)) }, details: toObjectDetails(details) };
}

// This generation does not name the registration to complete, so it is the newest one.
async function verify(deps: Deps, call: Call, kind: KeyFactor, given: WebAuthNVerification | undefined) {
  const { userId } = self(call);
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
