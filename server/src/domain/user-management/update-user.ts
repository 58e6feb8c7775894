import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Details, Tx } from "../../database/index.ts";
import {
  applyEmail,
  applyPhone,
  authorizeVerification,
  type CodeDeps,
  type ContactProofDeps,
  clearPhone,
  codeInvalid,
  redeemCode,
  type Verification,
} from "../contact/index.ts";
import { applyUsername, holdForNames, parseUsername } from "../login-name/index.ts";
import type { MetadataEntry } from "../metadata/index.ts";
import {
  applyPassword,
  type NewPassword,
  type PasswordProof,
  type PreparedPassword,
  provePassword,
  type SetPasswordDeps,
} from "../password/index.ts";
import {
  type AuthorizeDeps,
  applyMachine,
  applyProfile,
  authorizeUser,
  findAuthorOfCredential,
  findUser,
  type HumanUser,
  holdAuthorizedUser,
  type MachineChange,
  type ProfileChange,
  putUserMetadata,
  readDetails,
  requireHuman,
  requireMachine,
  type User,
  type UserAuthorization,
  writeOthersData,
  writeOwn,
  writeOwnData,
  writeOwnSignInMethods,
} from "../user/index.ts";

export interface HumanChange {
  readonly profile?: ProfileChange | undefined;
  readonly email?: { readonly address: string; readonly verification: Verification } | undefined;
  /** An empty number removes the phone. */
  readonly phone?: { readonly number: string; readonly verification: Verification } | undefined;
  readonly password?: { readonly password: NewPassword; readonly proof: PasswordProof } | undefined;
}

/** What to change about a user; absent members stay as they are. */
export interface UserChange {
  readonly userId: string;
  readonly username?: string | undefined;
  readonly human?: HumanChange | undefined;
  readonly machine?: MachineChange | undefined;
  readonly metadata?: readonly MetadataEntry[] | undefined;
}

export interface UpdatedUser {
  readonly details: Details;
  /** Only when they were to be returned. */
  readonly emailCode?: Secret | undefined;
  readonly phoneCode?: Secret | undefined;
}

/** Changes a user: everything in the request, or nothing. */
export async function updateUser(
  deps: SetPasswordDeps & CodeDeps,
  call: Call,
  input: UserChange,
): Promise<UpdatedUser> {
  const { userId, human } = input;
  const wanted = authorizationOf(input)(deps);
  const { organizationId } = await authorizeUser(deps.database.read, call, userId, wanted);
  const password = human?.password && (await provePassword(deps, call, { userId, ...human.password }));
  const username = input.username === undefined ? undefined : parseUsername(input.username, "username");
  const updated = await deps.database.change(call, async (tx) => {
    if (username !== undefined) await holdForNames(tx, organizationId, username);
    const user = await holdAuthorizedUser(tx, userId, wanted);
    // First, because a wrong guess has to be counted while nothing else changes.
    const author = await redeemPasswordCode(tx, deps, input, { user, formerAuthor: password?.formerAuthor });
    if (author === undefined) return undefined;
    if (input.machine !== undefined) await applyMachine(tx, requireMachine(user), input.machine);
    if (input.metadata !== undefined && input.metadata.length > 0) {
      await holdAuthorizedUser(tx, userId, writeOthersData(deps));
      await putUserMetadata(tx, user, input.metadata);
    }
    const codes =
      human &&
      (await applyHuman(tx, deps, requireHuman(user), { ...human, prepared: password && { ...password, author } }));
    // After the address, which may be the new name.
    if (input.username !== undefined) await applyUsername(tx, await findUserAgain(tx, user), input.username);
    return { details: await readDetails(tx, user), ...codes };
  });
  if (updated === undefined) throw codeInvalid();
  return updated;
}

const findUserAgain = async (tx: Tx, user: User): Promise<User> =>
  (await findUser(tx, tx.instanceId, user.userId)) ?? user;

// A password has its own proof.
const authorizationOf = ({ username, human }: UserChange): ((deps: AuthorizeDeps) => UserAuthorization) => {
  if (username !== undefined || human?.email !== undefined || human?.phone !== undefined) return writeOwnSignInMethods;
  return human?.password === undefined ? writeOwnData : writeOwn;
};

// Returns the author of the new password; undefined for a wrong code.
async function redeemPasswordCode(
  tx: Tx,
  deps: ContactProofDeps,
  { human }: UserChange,
  { user, formerAuthor }: { readonly user: User; readonly formerAuthor: string | undefined },
): Promise<string | undefined> {
  const proof = human?.password?.proof;
  if (proof?.by !== "code") return findAuthorOfCredential(tx, user, formerAuthor);
  const { userId } = user;
  return (await redeemCode(tx, deps, { userId, kind: "password_reset", code: proof.code }))?.author;
}

type PreparedChange = HumanChange & {
  readonly prepared:
    | (PreparedPassword & { readonly formerHash?: string | undefined; readonly author: string })
    | undefined;
};

async function applyHuman(tx: Tx, deps: SetPasswordDeps & CodeDeps, user: HumanUser, change: PreparedChange) {
  const { profile, email, phone, prepared } = change;
  if (email !== undefined) authorizeVerification(tx.call, user, email.verification);
  if (phone !== undefined) authorizeVerification(tx.call, user, phone.verification);
  if (profile !== undefined) await applyProfile(tx, user, profile);
  if (prepared !== undefined) await applyPassword(tx, deps, user, prepared);
  const emailCode = email && (await applyEmail(tx, deps, user, email));
  if (phone?.number === "") {
    await clearPhone(tx, user);
    return { emailCode };
  }
  return { emailCode, phoneCode: phone && (await applyPhone(tx, deps, user, phone)) };
}
