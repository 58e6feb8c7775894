import type { Binding } from "../../contract/index.ts";
import { personalAccessTokenMethods } from "./personal-access-token.rpc.ts";
import { type UserDeps, userMethods } from "./user.rpc.ts";
import { userContactMethods } from "./user-contact.rpc.ts";
import { userCredentialMethods } from "./user-credential.rpc.ts";
import { userListMethods } from "./user-list.rpc.ts";
import { userMetadataMethods } from "./user-metadata.rpc.ts";
import { userPasswordMethods } from "./user-password.rpc.ts";
import { userUpdateMethods } from "./user-update.rpc.ts";

/** All methods of UserService that this module answers. */
export const userBindings = (deps: UserDeps): Binding[] => [
  userMethods(deps),
  userUpdateMethods(deps),
  userListMethods(deps),
  userContactMethods(deps),
  userPasswordMethods(deps),
  userCredentialMethods(deps),
  userMetadataMethods(deps),
  personalAccessTokenMethods(deps),
];
