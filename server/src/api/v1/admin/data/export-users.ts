import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Human, User } from "@doorward/api/service/user/v1/user_pb";
import type { Reader } from "./reader.ts";

const management = ManagementService.method;

/** Returns the users of an organization with their metadata and linked accounts, without what they sign in with. */
export async function exportUsers({ perform, readAll }: Reader, orgId: string) {
  const humanUsers = [];
  const machineUsers = [];
  const userMetadata = [];
  const userLinks = [];
  for (const user of await readAll((query) => perform(management.listUsers, { query }, orgId))) {
    const { id, type, state } = user;
    if (type.case === "human") {
      humanUsers.push({ userId: id, user: toPerson(user, type.value), state });
      for (const link of await readAll((query) =>
        perform(management.listHumanLinkedIDPs, { userId: id, query }, orgId),
      )) {
        const { idpId, idpName, providedUserId, providedUserName, idpType } = link;
        userLinks.push({ userId: id, idpId, idpName, providedUserId, providedUserName, idpType });
      }
    } else if (type.case === "machine") {
      const { name, description, accessTokenType } = type.value;
      machineUsers.push({ userId: id, user: { userName: user.userName, name, description, accessTokenType }, state });
    }
    const metadata = await readAll(
      (query) => perform(management.listUserMetadata, { id, query }, orgId),
      ({ value }) => value.length,
    );
    for (const { key, value } of metadata) userMetadata.push({ id, key, value });
  }
  return { humanUsers, machineUsers, userMetadata, userLinks };
}

function toPerson({ userName }: User, { profile, email, phone }: Human) {
  return {
    userName,
    ...(profile !== undefined && {
      profile: {
        firstName: profile.firstName,
        lastName: profile.lastName,
        nickName: profile.nickName,
        displayName: profile.displayName,
        preferredLanguage: profile.preferredLanguage,
        gender: profile.gender,
      },
    }),
    ...(email !== undefined && { email: { email: email.email, isEmailVerified: email.isEmailVerified } }),
    ...(phone !== undefined &&
      phone.phone !== "" && { phone: { phone: phone.phone, isPhoneVerified: phone.isPhoneVerified } }),
  };
}
