import type { MessageInitShape } from "@bufbuild/protobuf";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import type { SearchQuerySchema } from "@doorward/api/service/user/v2/query_pb";

type UserQuery = MessageInitShape<typeof SearchQuerySchema>;

/**
 * Returns the condition that a name, login name or address contains a text, or that it is the id of the user. Parts of
 * fewer than three letters are found by no index: one or two are the beginning of a name.
 */
export function textQuery(text: string): UserQuery {
  const isShort = [...text].length < 3;
  const method = isShort ? TextQueryMethod.STARTS_WITH_IGNORE_CASE : TextQueryMethod.CONTAINS_IGNORE_CASE;
  const queries: UserQuery[] = [
    { query: { case: "displayNameQuery", value: { displayName: text, method } } },
    ...(isShort ? [{ query: { case: "lastNameQuery", value: { lastName: text, method } } } as const] : []),
    { query: { case: "loginNameQuery", value: { loginName: text, method } } },
    { query: { case: "emailQuery", value: { emailAddress: text, method } } },
    { query: { case: "inUserIdsQuery", value: { userIds: [text] } } },
  ];
  return { query: { case: "orQuery", value: { queries } } };
}
