import { type ClaimNote, ClaimReason } from "@doorward/api/service/test_sign_in/v2/test_sign_in_pb";
import { type TextKey, t } from "../../text/catalogue.ts";

type Note = Pick<ClaimNote, "name" | "reason" | "detail">;

const reasons: Readonly<Record<number, TextKey>> = {
  [ClaimReason.PROTOCOL]: "application.test.why.protocol",
  [ClaimReason.REQUEST]: "application.test.why.request",
  [ClaimReason.SCOPE]: "application.test.why.scope",
  [ClaimReason.SETTING]: "application.test.why.setting",
  [ClaimReason.EXTENSION]: "application.test.why.extension",
  [ClaimReason.MISSING_SCOPE]: "application.test.why.missingScope",
  [ClaimReason.MISSING_SETTING]: "application.test.why.missingSetting",
  [ClaimReason.MISSING_VALUE]: "application.test.why.missingValue",
};

/** The labels of settings on the pages where they are. */
const settings: Readonly<Record<string, TextKey>> = {
  id_token_userinfo_assertion: "application.profileInId",
  id_token_role_assertion: "application.rolesInId",
  access_token_role_assertion: "application.rolesInAccess",
  role_list_assertion: "application.roleList",
  group_list_assertion: "application.groupList",
  project_role_assertion: "project.assertion",
};

const meanings: Readonly<Record<string, TextKey>> = {
  iss: "application.test.claim.issuer",
  sub: "application.test.claim.subject",
  aud: "application.test.claim.audience",
  azp: "application.test.claim.audience",
  client_id: "application.test.claim.audience",
  exp: "application.test.claim.time",
  iat: "application.test.claim.time",
  nbf: "application.test.claim.time",
  auth_time: "application.test.claim.signIn",
  acr: "application.test.claim.signIn",
  amr: "application.test.claim.signIn",
  sid: "application.test.claim.session",
  jti: "application.test.claim.id",
  at_hash: "application.test.claim.hash",
  nonce: "application.test.claim.nonce",
};

/** Whether the note says why there is no such claim. */
export const isMissing = ({ reason }: Note): boolean => reason >= ClaimReason.MISSING_SCOPE;

/** Returns why a claim is there, or why it is missing. */
export function whyOf({ reason, detail }: Note): string {
  const setting = settings[detail];
  const key = reasons[reason];
  return key === undefined ? "" : t(key, { detail: setting === undefined ? detail : t(setting) });
}

/** Returns what a claim of the protocol means; empty for those whose name says it. */
export function meaningOf(name: string): string {
  const key = meanings[name];
  return key === undefined ? "" : t(key);
}
