import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { Fault } from "../../../base/fault.ts";
import {
  type AddLinkDeps,
  addIdentityLink,
  listIdentityLinks,
  removeIdentityLink,
} from "../../../domain/identity-provider-link/index.ts";
import { type Binding, bind, toDetails, toListDetails, toPage } from "../../contract/index.ts";

/** UserService: the accounts at identity providers with which users sign in. */
export const identityLinkMethods = (deps: AddLinkDeps): Binding =>
  bind(UserService, {
    addIDPLink: async (call, { userId, idpLink }) => {
      if (idpLink === undefined) throw linkMissing();
      const { idpId: identityProviderId, userId: externalUserId, userName: externalUsername } = idpLink;
      const input = { userId, identityProviderId, externalUserId, externalUsername };
      return { details: toDetails(await addIdentityLink(deps, call, input)) };
    },
    listIDPLinks: async (call, { userId, query }) => {
      const { rows, total } = await listIdentityLinks(deps, call, { userId, ...toPage(query, "query") });
      return {
        details: toListDetails(total, call.now),
        result: rows.map(({ identityProviderId, externalUserId, externalUsername, isSuspended }) => ({
          idpId: identityProviderId,
          userId: externalUserId,
          userName: externalUsername,
          ...(isSuspended && { suspended: true }),
        })),
      };
    },
    removeIDPLink: async (call, { userId, idpId, linkedUserId }) => {
      const key = { userId, identityProviderId: idpId, externalUserId: linkedUserId };
      return { details: toDetails(await removeIdentityLink(deps, call, key)) };
    },
  });

const linkMissing = (): Fault =>
  new Fault("invalid_argument", "field.required", { field: "idpLink", values: { field: "idpLink" } });
