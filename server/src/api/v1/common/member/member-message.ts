import type { MessageInitShape } from "@bufbuild/protobuf";
import { MemberFieldColumnName, type MemberSchema, type SearchQuery } from "@doorward/api/service/member/v1/member_pb";
import { Type } from "@doorward/api/service/user/v1/user_pb";
import type { Member, MemberColumn, MemberFilter } from "../../../../domain/administrator-search/index.ts";
import { urlOfAvatar } from "../../../../domain/picture/index.ts";
import { refuseFilter, toObjectDetails, toTextMethod } from "../../../contract/index.ts";
import { toState } from "../../../v2/administrator/administrator-state.ts";

/** Converts a condition of the first generation of the API; `index` is its position in the request. */
export function toMemberFilter({ query }: SearchQuery, index: number): MemberFilter {
  switch (query.case) {
    case "firstNameQuery":
      return { by: "given_name", method: toTextMethod(query.value.method), text: query.value.firstName };
    case "lastNameQuery":
      return { by: "family_name", method: toTextMethod(query.value.method), text: query.value.lastName };
    case "emailQuery":
      return { by: "email", method: toTextMethod(query.value.method), text: query.value.email };
    case "userIdQuery":
      return { by: "user", userId: query.value.userId };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}

/** The column of a sorted list; other values sort by the time of appointment. */
export const memberColumns: Readonly<Record<number, MemberColumn>> = {
  [MemberFieldColumnName.MEMBER_FIELD_NAME_USER_ID]: "user_id",
  [MemberFieldColumnName.MEMBER_FIELD_NAME_CREATION_DATE]: "created_at",
  [MemberFieldColumnName.MEMBER_FIELD_NAME_CHANGE_DATE]: "changed_at",
  [MemberFieldColumnName.MEMBER_FIELD_NAME_USER_RESOURCE_OWNER]: "user_organization_id",
};

/** Converts an administrator to the message of the first generation of the API. */
export function toMemberMessage(member: Member, origin: string): MessageInitShape<typeof MemberSchema> {
  return {
    userId: member.userId,
    details: toObjectDetails(member.details),
    roles: [...member.roles],
    state: toState(member),
    pendingRoles: [...member.pendingRoles],
    preferredLoginName: member.preferredLoginName,
    email: member.email,
    firstName: member.givenName,
    lastName: member.familyName,
    displayName: member.displayName,
    avatarUrl: urlOfAvatar(origin, member.avatarFile),
    userType: member.userKind === "human" ? Type.HUMAN : Type.MACHINE,
    userResourceOwner: member.userOrganizationId,
  };
}
