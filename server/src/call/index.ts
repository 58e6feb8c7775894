export {
  type Access,
  commonAccess,
  createAccess,
  type DecisionOptions,
  decideBy,
  narrowPosition,
  noAccess,
  type Position,
  type Reach,
  type Scope,
} from "./access.ts";
export { asPerson } from "./as-person.ts";
export {
  type Author,
  accessOfAuthor,
  authorOf,
  authorOfNothing,
  authorWith,
  decideByAuthor,
  formatAuthor,
  formatAuthorOfSession,
  joinPreparations,
  ownerOf,
  ownerOfInstance,
  type PermissionsOfRoles,
  type Positions,
  parseAuthor,
  positionsOf,
  preparationsBy,
} from "./author.ts";
export { authorize, authorizeDeletion, requireCaller, requireOrganization, requirePermission } from "./authorize.ts";
export {
  type Call,
  type Caller,
  type EndedOfCaller,
  isOfInstance,
  nothingEnded,
  type Presented,
  type RequestNote,
} from "./call.ts";
export { callOfPresented, type IdentifyPresented, unconfirmed } from "./call-of-presented.ts";
export type { Companion } from "./companion.ts";
export { holdAccess, withEnded } from "./hold-access.ts";
export { holdForCaller } from "./hold-for-caller.ts";
export { guessSourceOf, isLoginClient, withoutLoginClient, withUserAddress } from "./login-client.ts";
export { type NamedBrowser, namedBrowserOf } from "./named-browser.ts";
export { keyOwnerOf, payForKeyPair } from "./pay-for-key-pair.ts";
export type { Preparation } from "./preparation.ts";
export { type Right, rights } from "./rights.ts";
export { generateToken, tokenKindOf } from "./token-format.ts";
