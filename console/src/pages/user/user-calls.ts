import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { inOrganization } from "../../api/organization.ts";
import { useRefresh } from "../../api/refresh.ts";

/** The client of the user service. */
export const useUserClient = () => createClient(UserService, useTransport());

/** What can be done with a user as a whole. Each reads again what the pages show of users. */
export function useUserCalls({ userId, details }: User) {
  const client = useUserClient();
  const transport = useTransport();
  const refresh = useRefresh();
  const request = { userId };
  const then = async (call: Promise<unknown>): Promise<void> => {
    await call;
    await refresh(UserService);
  };
  return {
    deactivate: () => then(client.deactivateUser(request)),
    reactivate: () => then(client.reactivateUser(request)),
    lock: () => then(client.lockUser(request)),
    unlock: () => then(client.unlockUser(request)),
    reset: () => then(client.passwordReset({ ...request, medium: { case: "sendLink", value: {} } })),
    verify: () => then(client.sendEmailCode({ ...request, verification: { case: "sendCode", value: {} } })),
    invite: () => then(client.createInviteCode({ ...request, verification: { case: "sendCode", value: {} } })),
    /** With the link of the former invitation. One whose code was returned to a caller has none. */
    inviteAgain: () => then(client.resendInviteCode(request)),
    /** For a user who was created by version 1 of the API and has not set up their account. */
    initialize: async () => {
      // A large description, which hardly any page needs.
      const { ManagementService } = await import("@doorward/api/service/management/v1/management_service_pb");
      const options = inOrganization(details?.resourceOwner ?? "");
      await then(createClient(ManagementService, transport).resendHumanInitialization({ userId }, options));
    },
    delete: async () => {
      await client.deleteUser(request);
      await refresh(UserService, { isGone: true });
    },
  };
}
