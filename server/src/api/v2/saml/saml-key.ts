import type { MessageInitShape } from "@bufbuild/protobuf";
import { type SAMLKeySchema, SAMLKeyState as WireState } from "@doorward/api/service/saml_key/v2/saml_key_pb";
import { SAMLKeyService } from "@doorward/api/service/saml_key/v2/saml_key_service_pb";
import { certificateFingerprint, toCertificatePem } from "../../../base/saml/index.ts";
import {
  deleteSamlKey,
  listSamlKeys,
  type PaidSamlKeyDeps,
  type PlannedSamlKey,
  replaceSamlKey,
  type SamlKeyState,
  startSamlKeyRotation,
} from "../../../domain/saml-key/index.ts";
import { type Binding, bind, fromTimestamp, toTimestamp } from "../../contract/index.ts";

/**
 * Methods on the keys that sign SAML messages of the instance. Only roles of the instance carry their permissions, so
 * the contract is enough.
 */
export const samlKeyMethods = (deps: PaidSamlKeyDeps): Binding =>
  bind(SAMLKeyService, {
    async listSAMLKeys(call) {
      return { keys: (await listSamlKeys(deps, call)).map(toMessage) };
    },
    async startSAMLKeyRotation(call, { switchDate }) {
      const switchesAt = switchDate && fromTimestamp(switchDate);
      return { key: toMessage(await startSamlKeyRotation(deps, call, { switchesAt })) };
    },
    async replaceSAMLKey(call, { id, useNext }) {
      return { key: toMessage(await replaceSamlKey(deps, call, { keyId: id, useNext })) };
    },
    async deleteSAMLKey(call, { id }) {
      const deletedAt = await deleteSamlKey(deps, call, { keyId: id });
      return deletedAt === undefined ? {} : { deletionDate: toTimestamp(deletedAt) };
    },
  });

const states: Record<SamlKeyState, WireState> = {
  next: WireState.SAML_KEY_STATE_NEXT,
  active: WireState.SAML_KEY_STATE_ACTIVE,
  former: WireState.SAML_KEY_STATE_FORMER,
};

const toMessage = (key: PlannedSamlKey): MessageInitShape<typeof SAMLKeySchema> => ({
  id: key.keyId,
  creationDate: toTimestamp(key.createdAt),
  changeDate: toTimestamp(key.changedAt),
  state: states[key.state],
  certificate: toCertificatePem(key.certificate),
  fingerprint: certificateFingerprint(key.certificate),
  expirationDate: toTimestamp(key.expiresAt),
  ...(key.switchesAt !== undefined && { switchDate: toTimestamp(key.switchesAt) }),
  ...(key.leavesAt !== undefined && { removalDate: toTimestamp(key.leavesAt) }),
  ...(key.publishesAt !== undefined && { renewalDate: toTimestamp(key.publishesAt) }),
});
