import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { KeyFieldName, type KeysSearchFilter } from "@doorward/api/service/user/v2/key_pb";
import {
  PersonalAccessTokenFieldName,
  type PersonalAccessTokensSearchFilter,
} from "@doorward/api/service/user/v2/personal_access_token_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { Random } from "../../../base/random.ts";
import {
  addPersonalAccessToken,
  addUserKey,
  type CredentialFilter,
  type CredentialSortColumn,
  type ListedCredential,
  listPersonalAccessTokens,
  listUserKeys,
  removePersonalAccessToken,
  removeSecret,
  removeUserKey,
  setSecret,
} from "../../../domain/credential/index.ts";
import {
  type Binding,
  bind,
  fromTimestamp,
  refuseFilter,
  toInstantFilter,
  toPage,
  toPagination,
  toTimestamp,
} from "../../contract/index.ts";
import type { UserDeps } from "./user.ts";

const keyColumns: Readonly<Record<KeyFieldName, CredentialSortColumn>> = {
  [KeyFieldName.UNSPECIFIED]: "createdAt",
  [KeyFieldName.CREATED_DATE]: "createdAt",
  [KeyFieldName.ID]: "id",
  [KeyFieldName.USER_ID]: "userId",
  [KeyFieldName.ORGANIZATION_ID]: "organizationId",
  [KeyFieldName.KEY_EXPIRATION_DATE]: "expiresAt",
};
const tokenColumns: Readonly<Record<PersonalAccessTokenFieldName, CredentialSortColumn>> = {
  [PersonalAccessTokenFieldName.UNSPECIFIED]: "createdAt",
  [PersonalAccessTokenFieldName.CREATED_DATE]: "createdAt",
  [PersonalAccessTokenFieldName.ID]: "id",
  [PersonalAccessTokenFieldName.USER_ID]: "userId",
  [PersonalAccessTokenFieldName.ORGANIZATION_ID]: "organizationId",
  [PersonalAccessTokenFieldName.EXPIRATION_DATE]: "expiresAt",
};

/** UserService: keys, secrets and personal access tokens of service accounts. */
export const userCredentialMethods = (deps: UserDeps & { readonly random: Random }): Binding =>
  bind(UserService, {
    addKey: async (call, { userId, expirationDate, publicKey }) => {
      const added = await addUserKey(deps, call, {
        userId,
        expiresAt: toInstant(expirationDate),
        publicKey: publicKey.length === 0 ? undefined : Buffer.from(publicKey).toString("utf8"),
      });
      const keyContent = Buffer.from(added.keyFile?.reveal() ?? "");
      return { creationDate: toTimestamp(added.createdAt), keyId: added.keyId, keyContent };
    },
    removeKey: async (call, { userId, keyId }) => {
      await removeUserKey(deps, call, { userId, keyId });
      return { deletionDate: toTimestamp(call.now) };
    },
    listKeys: async (call, { pagination, sortingColumn, filters }) => {
      const { page, isDescending } = toPage(pagination);
      const by = keyColumns[sortingColumn ?? KeyFieldName.UNSPECIFIED];
      const { rows, total } = await listUserKeys(deps, call, {
        page,
        isDescending,
        by,
        filters: filters.map(toFilter),
      });
      return { pagination: toPagination(total, page), result: rows.map(toListed) };
    },
    addSecret: async (call, { userId }) => {
      const { clientSecret, createdAt } = await setSecret(deps, call, { userId });
      return { creationDate: toTimestamp(createdAt), clientSecret: clientSecret.reveal() };
    },
    removeSecret: async (call, { userId }) => {
      await removeSecret(deps, call, { userId });
      return { deletionDate: toTimestamp(call.now) };
    },
    addPersonalAccessToken: async (call, { userId, expirationDate }) => {
      const issued = await addPersonalAccessToken(deps, call, { userId, expiresAt: toInstant(expirationDate) });
      return { creationDate: toTimestamp(issued.createdAt), tokenId: issued.tokenId, token: issued.token.reveal() };
    },
    removePersonalAccessToken: async (call, { userId, tokenId }) => {
      await removePersonalAccessToken(deps, call, { userId, tokenId });
      return { deletionDate: toTimestamp(call.now) };
    },
    listPersonalAccessTokens: async (call, { pagination, sortingColumn, filters }) => {
      const { page, isDescending } = toPage(pagination);
      const by = tokenColumns[sortingColumn ?? PersonalAccessTokenFieldName.UNSPECIFIED];
      const input = { page, isDescending, by, filters: filters.map(toFilter) };
      const { rows, total } = await listPersonalAccessTokens(deps, call, input);
      return { pagination: toPagination(total, page), result: rows.map(toListed) };
    },
  });

const toInstant = (timestamp: Timestamp | undefined): number | undefined => timestamp && fromTimestamp(timestamp);

function toFilter({ filter }: KeysSearchFilter | PersonalAccessTokensSearchFilter): CredentialFilter {
  switch (filter.case) {
    case "keyIdFilter":
    case "tokenIdFilter":
      return { by: "id", value: filter.value.id };
    case "userIdFilter":
      return { by: "userId", value: filter.value.id };
    case "organizationIdFilter":
      return { by: "organizationId", value: filter.value.id };
    case "createdDateFilter":
      return { by: "createdAt", ...toInstantFilter(filter.value) };
    case "expirationDateFilter":
      return { by: "expiresAt", ...toInstantFilter(filter.value) };
    case undefined:
      return refuseFilter("filters");
    default:
      return filter satisfies never;
  }
}

const toListed = ({ id, userId, organizationId, createdAt, changedAt, expiresAt }: ListedCredential) => ({
  id,
  userId,
  organizationId,
  creationDate: toTimestamp(createdAt),
  changeDate: toTimestamp(changedAt),
  expirationDate: toTimestamp(expiresAt),
});
