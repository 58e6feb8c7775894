import { IdentityProviderService } from "@doorward/api/service/idp/v2/idp_service_pb";
import { getAnyIdentityProvider, type ProviderDeps } from "../../../domain/identity-provider/index.ts";
import { type Binding, bind } from "../../contract/index.ts";
import { toIdpMessage } from "./provider-message.ts";

/** IdentityProviderService: reads any identity provider. */
export const identityProviderMethods = (deps: ProviderDeps): Binding =>
  bind(IdentityProviderService, {
    getIDPByID: async (call, { id }) => ({ idp: toIdpMessage(await getAnyIdentityProvider(deps, call, id)) }),
  });
