import type { CreateHumanDeps } from "../domain/user-management/index.ts";
import type { Binding } from "./contract/index.ts";
import { type AuthUserDeps, authUserMethods } from "./v1/auth/user/user.ts";
import { newHumanMethods, newPersonMethods } from "./v1/management/user/human.ts";
import { managementMachineMethods } from "./v1/management/user/machine.ts";
import { machineKeyMethods } from "./v1/management/user/machine-key.ts";
import { personalAccessTokenMethods } from "./v1/management/user/personal-access-token.ts";
import { managementUserMethods } from "./v1/management/user/user.ts";
import { explanationMethods } from "./v2/administrator/explanation.ts";
import { savedViewMethods } from "./v2/saved-view/saved-view.ts";
import { userMethods } from "./v2/user/user.ts";
import { userContactMethods } from "./v2/user/user-contact.ts";
import { userCredentialMethods } from "./v2/user/user-credential.ts";
import { userListMethods } from "./v2/user/user-list.ts";
import { userMetadataMethods } from "./v2/user/user-metadata.ts";
import { userPasswordMethods } from "./v2/user/user-password.ts";
import { userUpdateMethods } from "./v2/user/user-update.ts";

/** Returns all methods on users that this module implements, of every service, and those on what users saved. */
export const userBindings = (deps: AuthUserDeps & CreateHumanDeps): Binding[] => [
  userMethods(deps),
  userUpdateMethods(deps),
  userListMethods(deps),
  userContactMethods(deps),
  userPasswordMethods(deps),
  userCredentialMethods(deps),
  userMetadataMethods(deps),
  personalAccessTokenMethods(deps),
  authUserMethods(deps),
  managementUserMethods(deps),
  newHumanMethods(deps),
  newPersonMethods(deps),
  managementMachineMethods(deps),
  machineKeyMethods(deps),
  explanationMethods(deps),
  savedViewMethods(deps),
];
