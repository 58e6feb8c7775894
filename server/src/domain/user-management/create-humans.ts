import { Fault } from "../../base/fault.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import { firstSequencesAfter, type Tx } from "../../database/index.ts";
import { claimIdentifiers, listGivenIdentifiers, requireChoiceOfIdentifier } from "../instance/index.ts";
import {
  formNamesTogether,
  type Identifier,
  isOwnChoice,
  parseChosenId,
  parseEmail,
  parsePhone,
  parseUsername,
} from "../login-name/index.ts";
import { isHashSupported, type PasswordDeps, prepareHashedPasswords } from "../password/index.ts";
import { insertUsers, parseProfile } from "../user/index.ts";
import { type NewAccount, type NewHuman, toHumanUser } from "./create-human.ts";
import { type NewHumanUser, toHumanInsert } from "./create-human-user.ts";
import { recordCreation } from "./new-account.ts";

/** A user to create beside others, with what was parsed. */
interface Candidate {
  readonly index: number;
  readonly userId: string;
  readonly user: NewHumanUser;
  readonly username: Identifier;
  readonly email: Identifier;
  readonly profile: ReturnType<typeof parseProfile>;
}

/**
 * Creates human users of one organization in one unit of work, with the rows and events that `createHuman` makes for
 * one after another, and returns for each whether it was created. All others are left to `createHuman`, which refuses
 * them with the reason or does what is more than a row of the user: hashing, codes, accounts, metadata. Nothing of them
 * is made here.
 */
export async function createHumans(
  deps: Pick<PasswordDeps, "database" | "passwordHasher">,
  call: Call,
  organizationId: string,
  inputs: readonly (NewHuman & { readonly accounts: readonly NewAccount[] })[],
): Promise<readonly boolean[]> {
  requirePermission(call, "user.write", { organizationId });
  const candidates = inputs.flatMap((input, index) => toCandidate(organizationId, input, index) ?? []);
  for (const { userId } of candidates.slice(0, 1)) {
    requireChoiceOfIdentifier(call, "user.write", { identifier: userId, field: "userId" });
  }
  const hashes = candidates.flatMap(({ user }) => user.password?.hash ?? []);
  if (hashes.length > 0) await prepareHashedPasswords(deps, call, organizationId, hashes);
  const created = new Set<number>();
  if (candidates.length > 0) {
    const indexes = await deps.database.change(call, (tx) => insertFree(tx, organizationId, candidates));
    for (const index of indexes) created.add(index);
  }
  return inputs.map((_, index) => created.has(index));
}

/** Returns an input that consists of the user's row, as it is parsed; undefined for every other. */
function toCandidate(
  organizationId: string,
  input: NewHuman & { readonly accounts: readonly NewAccount[] },
  index: number,
): Candidate | undefined {
  const { userId, email, phone, password } = input;
  const isPlain =
    userId !== undefined &&
    input.organizationId === organizationId &&
    input.mayBeInitial !== true &&
    input.complete === undefined &&
    input.accounts.length === 0 &&
    input.metadata.length === 0 &&
    needsNoCode(email) &&
    (phone === undefined || needsNoCode(phone));
  if (!isPlain || (password !== undefined && !("hash" in password && isHashSupported(password.hash)))) return undefined;
  try {
    const address = parseEmail(email.address, "email");
    if (phone !== undefined) parsePhone(phone.number, "phone");
    return {
      index,
      userId: parseChosenId(userId, "userId"),
      user: toHumanUser({ ...input, password }, "active"),
      username: parseUsername(input.username ?? address.shown, "username"),
      email: address,
      profile: parseProfile(input.profile),
    };
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

const needsNoCode = ({ verification }: NewHuman["email"] | NonNullable<NewHuman["phone"]>): boolean =>
  verification.by === "trust" || verification.by === "nothing";

type Names = NonNullable<Awaited<ReturnType<typeof formNamesTogether>>[number]>;

interface Named extends Candidate {
  readonly names: Names;
}

/** Step: inserts those candidates whose ids and names are free, and returns their indexes. */
async function insertFree(
  tx: Tx,
  organizationId: string,
  candidates: readonly Candidate[],
): Promise<readonly number[]> {
  const names = await formNamesTogether(
    tx,
    organizationId,
    candidates.map(({ username, email, user }) => ({
      username,
      email: { key: email.key, isVerified: user.email.isVerified },
    })),
  );
  const named = candidates.flatMap((each, index): Named[] => {
    const its = names[index];
    return its === undefined ? [] : [{ ...each, names: its }];
  });
  const first = withoutRepetitions(named);
  const ids = first.map(({ userId }) => userId);
  const given = ids.length === 0 ? new Set<string>() : await listGivenIdentifiers(tx, ids);
  const free = first.filter(({ userId }) => !given.has(userId));
  if (free.length === 0) return [];
  const sequences = await firstSequencesAfter(tx, "user", ids);
  const inserts = free.map(({ userId, user, names: its, email, profile }) => {
    const isUsernameOwnChoice = isOwnChoice(tx.call, userId);
    const account = { userId, sequence: sequences.get(userId) ?? 1, organizationId, ...its, isUsernameOwnChoice };
    return toHumanInsert(tx, account, user, { email, profile });
  });
  const users = new Map((await insertUsers(tx, inserts)).map((user) => [user.userId, user]));
  await claimIdentifiers(tx, "user", [...users.keys()]);
  return free.flatMap(({ index, userId }) => {
    const user = users.get(userId);
    if (user === undefined) return [];
    recordCreation(tx, user);
    return [index];
  });
}

/** Returns those that are the first with their id and names: what becomes of the others depends on them. */
function withoutRepetitions(named: readonly Named[]): readonly Named[] {
  const [ids, usernames, loginNames] = [new Set<string>(), new Set<string>(), new Set<string>()];
  return named.filter(({ userId, names: { usernameKey, loginNameKey } }) => {
    const isFirst = !ids.has(userId) && !usernames.has(usernameKey) && !loginNames.has(loginNameKey);
    ids.add(userId);
    usernames.add(usernameKey);
    loginNames.add(loginNameKey);
    return isFirst;
  });
}
