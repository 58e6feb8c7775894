import type { UserGrantQuery } from "@doorward/api/service/user/v1/user_grant_pb";
import { Type } from "@doorward/api/service/user/v1/user_pb";
import type { AuthorizationFilter } from "../../../../domain/authorization/index.ts";
import { refuseFilter, toTextMethod } from "../../../contract/index.ts";

/**
 * Converts a condition of the first generation; `index` is its position in the request. Undefined for
 * `withGrantedQuery`, which selects the scope of the list instead of filtering it.
 */
export function toUserGrantFilter({ query }: UserGrantQuery, index: number): AuthorizationFilter | undefined {
  switch (query.case) {
    case "projectIdQuery":
      return { kind: "project", projectId: query.value.projectId };
    case "projectGrantIdQuery":
      return { kind: "project_grant", projectGrantId: query.value.projectGrantId };
    case "projectNameQuery":
      return { kind: "project_name", method: toTextMethod(query.value.method), name: query.value.projectName };
    case "roleKeyQuery":
      return { kind: "role_key", method: toTextMethod(query.value.method), roleKey: query.value.roleKey };
    case "orgNameQuery":
      return { kind: "organization_name", method: toTextMethod(query.value.method), name: query.value.orgName };
    case "orgDomainQuery":
      return { kind: "organization_domain", method: toTextMethod(query.value.method), domain: query.value.orgDomain };
    case "withGrantedQuery":
      return undefined;
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return toUserFilter(query, index);
  }
}

type UserQuery = Extract<
  UserGrantQuery["query"],
  {
    readonly case: `${"userId" | "inUserIds" | "userType" | "userName" | "firstName" | "lastName" | "email" | "displayName"}Query`;
  }
>;

function toUserFilter(query: UserQuery, index: number): AuthorizationFilter {
  switch (query.case) {
    case "userIdQuery":
      return { kind: "users", userIds: [query.value.userId] };
    case "inUserIdsQuery":
      return { kind: "users", userIds: query.value.inUserIds };
    case "userTypeQuery":
      return {
        kind: "user_kind",
        userKind: kinds[query.value.type] ?? refuseFilter(`queries[${index}].userTypeQuery`),
      };
    case "userNameQuery":
      return { ...textOf("username", query.value.method), text: query.value.userName };
    case "firstNameQuery":
      return { ...textOf("given_name", query.value.method), text: query.value.firstName };
    case "lastNameQuery":
      return { ...textOf("family_name", query.value.method), text: query.value.lastName };
    case "emailQuery":
      return { ...textOf("email", query.value.method), text: query.value.email };
    case "displayNameQuery":
      return { kind: "display_name", method: toTextMethod(query.value.method), displayName: query.value.displayName };
    default:
      return query satisfies never;
  }
}

const textOf = <Column extends string>(column: Column, method: number) =>
  ({ kind: "user_text", column, method: toTextMethod(method) }) as const;

const kinds: Readonly<Partial<Record<Type, "human" | "machine">>> = {
  [Type.HUMAN]: "human",
  [Type.MACHINE]: "machine",
};
