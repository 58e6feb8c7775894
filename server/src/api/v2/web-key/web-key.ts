import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CreateWebKeyRequest } from "@doorward/api/service/webkey/v2/web_key_operations_pb";
import {
  ECDSACurve,
  type RSA,
  RSABits,
  RSAHasher,
  type WebKeySchema,
  State as WireState,
} from "@doorward/api/service/webkey/v2/web_key_pb";
import { WebKeyService } from "@doorward/api/service/webkey/v2/webkey_service_pb";
import type { Budgets } from "../../../base/budget/budgets.ts";
import { Fault } from "../../../base/fault.ts";
import { payForKeyPair } from "../../../call/index.ts";
import {
  activateSigningKey,
  type CreateSigningKeyDeps,
  createSigningKey,
  deleteSigningKey,
  keyPairKindOf,
  listSigningKeys,
  type SigningKeyParameters,
  type SigningKeyRecord,
  type SigningKeyState,
} from "../../../domain/signing-key/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";

/**
 * Methods on the signing keys of the instance. Only roles of the instance carry their permissions, so the contract is
 * enough.
 */
export const webKeyMethods = (deps: CreateSigningKeyDeps & { readonly budgets: Budgets }): Binding =>
  bind(WebKeyService, {
    async createWebKey(call, { key }) {
      const parameters = fromMessage(key);
      const paid = { kind: keyPairKindOf(parameters), owner: "instance" } as const;
      const { keyId, details } = await createSigningKey(deps, call, parameters, (make) =>
        payForKeyPair(deps, call, paid, make),
      );
      return { id: keyId, creationDate: toTimestamp(details.createdAt) };
    },
    async activateWebKey(call, { id }) {
      const { changedAt } = await activateSigningKey(deps, call, { keyId: id });
      return { changeDate: toTimestamp(changedAt) };
    },
    async deleteWebKey(call, { id }) {
      const deletedAt = await deleteSigningKey(deps, call, { keyId: id });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
    async listWebKeys(call) {
      return { webKeys: (await listSigningKeys(deps, call)).map(toMessage) };
    },
  });

const bits = [
  [RSABits.RSA_BITS_2048, 2048],
  [RSABits.RSA_BITS_3072, 3072],
  [RSABits.RSA_BITS_4096, 4096],
] as const;
const hashes = [
  [RSAHasher.RSA_HASHER_SHA256, "sha256"],
  [RSAHasher.RSA_HASHER_SHA384, "sha384"],
  [RSAHasher.RSA_HASHER_SHA512, "sha512"],
] as const;
const curves = [
  [ECDSACurve.ECDSA_CURVE_P256, "P-256"],
  [ECDSACurve.ECDSA_CURVE_P384, "P-384"],
  [ECDSACurve.ECDSA_CURVE_P512, "P-521"],
] as const;
const states: Record<SigningKeyState, WireState> = {
  initial: WireState.INITIAL,
  active: WireState.ACTIVE,
  inactive: WireState.INACTIVE,
};

/** Returns our word for a wire value. The contract's rules admit only values in the table. */
function ours<Wire, Ours>(table: readonly (readonly [Wire, Ours])[], wire: Wire): Ours {
  const found = table.find(([candidate]) => candidate === wire);
  if (found === undefined) throw new Error(`no word for ${String(wire)}`);
  return found[1];
}

/** Returns the wire value of our word; all words have one. */
const wired = <Wire, Ours>(table: readonly (readonly [Wire, Ours])[], word: Ours): Wire =>
  (table.find(([, candidate]) => candidate === word) as readonly [Wire, Ours])[0];

function fromMessage(key: CreateWebKeyRequest["key"]): SigningKeyParameters {
  switch (key.case) {
    case "rsa":
      return fromRsa(key.value);
    case "ecdsa":
      return { kind: "ecdsa", curve: ours(curves, key.value.curve) };
    case "ed25519":
      return { kind: "ed25519" };
    case undefined:
      return { kind: "rsa", bits: 2048, hash: "sha256" };
    default:
      return key satisfies never;
  }
}

function fromRsa({ bits: length, hasher, pss }: RSA): SigningKeyParameters {
  const hash = ours(hashes, hasher);
  if (!pss) return { kind: "rsa", bits: ours(bits, length), hash };
  if (hash !== "sha256") throw new Fault("invalid_argument", "signing_key.pss_hash", { field: "rsa.hasher" });
  return { kind: "rsa_pss", bits: ours(bits, length) };
}

const toMessage = ({ keyId, parameters, state, details }: SigningKeyRecord): MessageInitShape<typeof WebKeySchema> => ({
  id: keyId,
  creationDate: toTimestamp(details.createdAt),
  changeDate: toTimestamp(details.changedAt),
  state: states[state],
  key: toKey(parameters),
});

function toKey(parameters: SigningKeyParameters): NonNullable<MessageInitShape<typeof WebKeySchema>["key"]> {
  switch (parameters.kind) {
    case "rsa":
      return {
        case: "rsa",
        value: { bits: wired(bits, parameters.bits), hasher: wired(hashes, parameters.hash) },
      };
    case "rsa_pss": {
      const value = { bits: wired(bits, parameters.bits), hasher: RSAHasher.RSA_HASHER_SHA256, pss: true };
      return { case: "rsa", value };
    }
    case "ecdsa":
      return { case: "ecdsa", value: { curve: wired(curves, parameters.curve) } };
    case "ed25519":
      return { case: "ed25519", value: {} };
    default:
      return parameters satisfies never;
  }
}
