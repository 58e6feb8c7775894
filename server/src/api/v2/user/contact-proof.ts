import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ContactProofLevel,
  ContactProofMethod,
  type ContactProofSchema,
} from "@doorward/api/service/user/v2/contact_proof_pb";
import type { ContactProof } from "../../../domain/user/index.ts";

const methods = {
  code: ContactProofMethod.CODE,
  administrator: ContactProofMethod.ADMINISTRATOR,
  import: ContactProofMethod.IMPORT,
  provider: ContactProofMethod.PROVIDER,
} as const satisfies Record<ContactProof["by"], ContactProofMethod>;

const levels = {
  organization: ContactProofLevel.ORGANIZATION,
  instance: ContactProofLevel.INSTANCE,
  system: ContactProofLevel.SYSTEM,
} as const;

/** Converts how an address or a number was proven; nothing for one that is not. */
export function toProofMember(contact: { readonly isVerified: boolean; readonly proof?: ContactProof | undefined }): {
  readonly proof?: MessageInitShape<typeof ContactProofSchema>;
} {
  const { isVerified, proof } = contact;
  if (!isVerified) return {};
  return { proof: proof === undefined ? {} : { method: methods[proof.by], ...toMembers(proof) } };
}

function toMembers(proof: ContactProof): MessageInitShape<typeof ContactProofSchema> {
  switch (proof.by) {
    case "code":
      return {};
    case "administrator":
    case "import":
      return {
        level: levels[proof.level],
        ...(proof.organizationId !== undefined && { organizationId: proof.organizationId }),
      };
    case "provider":
      return {
        idpId: proof.identityProviderId,
        ...(proof.organizationId !== "" && { organizationId: proof.organizationId }),
      };
    default:
      return proof satisfies never;
  }
}
