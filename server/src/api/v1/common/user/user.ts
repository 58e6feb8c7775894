import type { MetadataQuery } from "@doorward/api/service/metadata/v1/metadata_pb";
import type { Gender } from "@doorward/api/service/user/v1/user_pb";
import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import { Fault } from "../../../../base/fault.ts";
import type { Call } from "../../../../call/index.ts";
import type { Details } from "../../../../database/index.ts";
import {
  removePhone,
  resendPhoneCode,
  sendEmailCode,
  setEmail,
  setPhone,
  type Verification,
} from "../../../../domain/contact/index.ts";
import { removeAvatar } from "../../../../domain/picture/index.ts";
import { type HumanUser, listUserMetadata, requireHuman } from "../../../../domain/user/index.ts";
import { updateUser } from "../../../../domain/user-management/index.ts";
import { getUser } from "../../../../domain/user-search/index.ts";
import {
  toListDetailsV1,
  toMetadataFiltersV1,
  toMetadataMessageV1,
  toObjectDetails,
  toPageV1,
  withFields,
} from "../../../contract/index.ts";
import type { UserDeps } from "../../../v2/user/user.ts";
import { fromGenderV1, toEmailV1, toPhoneV1, toProfileV1 } from "./user-message.ts";

interface ProfileRequest {
  readonly firstName: string;
  readonly lastName: string;
  readonly nickName: string;
  readonly displayName: string;
  readonly preferredLanguage: string;
  readonly gender: Gender;
}

const profileFields = {
  "profile.givenName": "firstName",
  "profile.familyName": "lastName",
  "profile.nickName": "nickName",
  "profile.displayName": "displayName",
  "profile.preferredLanguage": "preferredLanguage",
};

/**
 * Returns what the Auth API does with the caller and the Management API with any user: the same operations, which check
 * the permission. A write changes what the first generation has members for and nothing else.
 */
export function methodsOfUser(deps: UserDeps) {
  const readHuman = async (call: Call, userId: string): Promise<HumanUser> =>
    requireHuman(await getUser(deps, call, { userId }));
  return {
    async getProfile(call: Call, userId: string) {
      const user = await readHuman(call, userId);
      const profile = toProfileV1(user, await deps.originOf(call.instanceId));
      return { details: toObjectDetails(user.details), profile };
    },
    async setProfile(call: Call, userId: string, request: ProfileRequest) {
      const { firstName: givenName, lastName: familyName, nickName, displayName, preferredLanguage } = request;
      const profile = { givenName, familyName, nickName, displayName, preferredLanguage };
      const human = { profile: { ...profile, gender: fromGenderV1(request.gender) } };
      const { details } = await withFields(profileFields, () => updateUser(deps, call, { userId, human }));
      return answer(details);
    },
    async getEmail(call: Call, userId: string) {
      const user = await readHuman(call, userId);
      return { details: toObjectDetails(user.details), email: toEmailV1(user) };
    },
    async setEmail(
      call: Call,
      userId: string,
      email: { readonly address: string; readonly verification: Verification },
    ) {
      return answer((await setEmail(deps, call, { userId, ...email })).details);
    },
    async resendEmailCode(call: Call, userId: string) {
      const delivery = { by: "message" } as const;
      return answer((await sendEmailCode(deps, call, { userId, delivery, isAgain: true })).details);
    },
    async getPhone(call: Call, userId: string) {
      const user = await readHuman(call, userId);
      return { details: toObjectDetails(user.details), phone: toPhoneV1(user) };
    },
    async setPhone(
      call: Call,
      userId: string,
      phone: { readonly number: string; readonly verification: Verification },
    ) {
      return answer((await setPhone(deps, call, { userId, ...phone })).details);
    },
    async removePhone(call: Call, userId: string) {
      return answer(await removePhone(deps, call, { userId }));
    },
    async resendPhoneCode(call: Call, userId: string) {
      return answer((await resendPhoneCode(deps, call, { userId, delivery: { by: "message" } })).details);
    },
    async setUserName(call: Call, userId: string, username: string) {
      const { details } = await withFields({ username: "userName" }, () =>
        updateUser(deps, call, { userId, username }),
      );
      return answer(details);
    },
    async removeAvatar(call: Call, userId: string) {
      return answer(await removeAvatar(deps, call, { userId }));
    },
    async listMetadata(call: Call, userId: string, { query, queries }: MetadataListRequest) {
      const keyFilters = toMetadataFiltersV1(queries);
      const { details: owner } = await getUser(deps, call, { userId });
      const found = await listUserMetadata(deps, call, { userId, keyFilters, ...toPageV1(query) });
      return {
        details: toListDetailsV1(found.total, call.now),
        result: found.metadata.map((pair) => toMetadataMessageV1(pair, owner.ownerId)),
      };
    },
    async getMetadata(call: Call, userId: string, key: string) {
      const { details: owner } = await getUser(deps, call, { userId });
      const wanted = { userId, keyFilters: [{ key, method: "equals" as const }], isDescending: false };
      const { metadata } = await listUserMetadata(deps, call, { ...wanted, page: { offset: 0, limit: 1 } });
      if (metadata[0] === undefined) throw new Fault("not_found", "metadata.not_found", { field: "key" });
      return { metadata: toMetadataMessageV1(metadata[0], owner.ownerId) };
    },
  };
}

interface MetadataListRequest {
  readonly query?: ListQuery | undefined;
  readonly queries: readonly MetadataQuery[];
}

const answer = (details: Details) => ({ details: toObjectDetails(details) });
