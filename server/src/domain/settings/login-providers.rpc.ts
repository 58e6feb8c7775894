import type { MessageInitShape } from "@bufbuild/protobuf";
import type { IDPLoginPolicyLinkSchema } from "@doorward/api/service/idp/v1/idp_pb";
import type { LoginPolicySchema } from "@doorward/api/service/policy/v1/policy_pb";
import type { IdentityProviderSchema } from "@doorward/api/service/settings/v2/login_pb";
import type { Call } from "../../call/index.ts";
import type { SettingsPlace } from "./settings-reader.ts";

/** What is known about the identity providers in login settings; implemented by a later module. */
export interface LoginProviders {
  /** Refuses ids of providers that the organization cannot use. */
  demandUsable(call: Call, organizationId: string, ids: readonly string[]): Promise<void>;
  /** Returns the providers with these ids that can be used in the scope, in that order. */
  name(place: SettingsPlace, ids: readonly string[]): Promise<MessageInitShape<typeof IDPLoginPolicyLinkSchema>[]>;
  /** Lists the providers that users can sign in with. */
  listActive(place: SettingsPlace): Promise<MessageInitShape<typeof IdentityProviderSchema>[]>;
}

type Policy = MessageInitShape<typeof LoginPolicySchema>;

/**
 * Returns the answer with what is known about the providers in its policy. The organization is empty for the instance.
 */
export async function nameProviders<Answer extends { readonly policy: Policy }>(
  { name }: LoginProviders,
  { instanceId }: Call,
  organizationId: string,
  answer: Answer,
): Promise<Answer> {
  const ids = (answer.policy.idps ?? []).flatMap(({ idpId }) => idpId ?? []);
  const place = { instanceId, ...(organizationId !== "" && { organizationId }) };
  return { ...answer, policy: { ...answer.policy, idps: await name(place, ids) } };
}
