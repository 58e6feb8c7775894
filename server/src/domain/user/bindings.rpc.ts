import type { Binding } from "../../contract/index.ts";
import type { AddHumanDeps } from "./add-human.ts";
import { machineKeyMethods } from "./machine-key.rpc.ts";
import { managedMachineMethods } from "./managed-machine.rpc.ts";
import { managedUserMethods } from "./managed-user.rpc.ts";
import { type MyUserDeps, myUserMethods } from "./my-user.rpc.ts";
import { newHumanMethods, newPersonMethods } from "./new-human.rpc.ts";
import { personalAccessTokenMethods } from "./personal-access-token.rpc.ts";
import { userMethods } from "./user.rpc.ts";
import { userContactMethods } from "./user-contact.rpc.ts";
import { userCredentialMethods } from "./user-credential.rpc.ts";
import { userListMethods } from "./user-list.rpc.ts";
import { userMetadataMethods } from "./user-metadata.rpc.ts";
import { userPasswordMethods } from "./user-password.rpc.ts";
import { userUpdateMethods } from "./user-update.rpc.ts";

/** Returns all methods on users that this module implements, of every service. */
export const userBindings = (deps: MyUserDeps & AddHumanDeps): Binding[] => [
  userMethods(deps),
  userUpdateMethods(deps),
  userListMethods(deps),
  userContactMethods(deps),
  userPasswordMethods(deps),
  userCredentialMethods(deps),
  userMetadataMethods(deps),
  personalAccessTokenMethods(deps),
  myUserMethods(deps),
  managedUserMethods(deps),
  newHumanMethods(deps),
  newPersonMethods(deps),
  managedMachineMethods(deps),
  machineKeyMethods(deps),
];
