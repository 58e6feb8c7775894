import type { TestContext } from "node:test";
import { type Budgets, createBudgets } from "../../src/base/budget/budgets.ts";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { createPasswordHasher, type PasswordHasher } from "../../src/base/password/password-hash.ts";
import { createSignal, type Signal } from "../../src/base/queue/signal.ts";
import { systemRandom } from "../../src/base/random.ts";
import { createVault, type Vault } from "../../src/base/vault.ts";
import type { Call } from "../../src/call/index.ts";
import {
  isCredentialSuspended,
  managesUsers,
  mayPrepareFor,
  mayPrepareNow,
  mayVouchFor,
} from "../../src/domain/administrator-access/index.ts";
import type { OriginOf } from "../../src/domain/instance/index.ts";
import { refuseLossOfOwner } from "../../src/domain/membership/index.ts";
import type { MessageBudgets } from "../../src/domain/message-provider/index.ts";
import { listNewestNotifications, openNotification } from "../../src/domain/notification/index.ts";
import { mayActForUser } from "../../src/domain/session/index.ts";
import { createSettingsReader, type SettingsReader } from "../../src/domain/settings/index.ts";
import { endAccessOfUser, terminateOtherSessions } from "../../src/domain/sign-out/index.ts";
import type { HumanUser, IsFresh, MayActFor } from "../../src/domain/user/index.ts";
import { createHumanUser, type NewHumanUser } from "../../src/domain/user-management/index.ts";
import type { OpenDatabase } from "../support/databases/databases.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";
import { unlimitedMessages } from "../support/operations/unlimited-messages.ts";
import { cheapPasswords } from "../support/servers/password-cost.ts";

export const password = "correct horse battery";

/** What operations need to make people, who can then do everything that this module offers. */
export interface UserFixtures extends Fixtures {
  readonly vault: Vault;
  readonly messageQueued: Signal;
  readonly passwordHasher: PasswordHasher;
  readonly budgets: Budgets;
  readonly messageBudgets: MessageBudgets;
  readonly originOf: OriginOf;
  readonly settings: SettingsReader;
  readonly mayActFor: MayActFor;
  readonly isFresh: IsFresh;
  readonly mayPrepareFor: typeof mayPrepareFor;
  readonly mayPrepareNow: typeof mayPrepareNow;
  readonly mayVouchFor: typeof mayVouchFor;
  readonly isCredentialSuspended: typeof isCredentialSuspended;
  readonly managesUsers: typeof managesUsers;
  readonly refuseLossOfOwner: typeof refuseLossOfOwner;
  readonly endAccessOfUser: typeof endAccessOfUser;
  readonly terminateOtherSessions: typeof terminateOtherSessions;
  /** Makes a person with a password and a verified address. */
  person(organization: { organizationId: string }, given?: Partial<NewHumanUser>): Promise<HumanUser>;
  /** The call of a user without any role. */
  self(user: { userId: string; organizationId: string }): Call;
  /** Who manages the users of an organization. */
  manager(organization: { organizationId: string }, given?: { userId?: string }): Call;
  /** The messages to a user that wait to be sent, newest first. */
  messages(user: { userId: string }): Promise<{ kind: string; recipient: string; code: string | undefined }[]>;
}

const hasher = createPasswordHasher({ concurrency: 2, queueLimit: 1000, random: systemRandom, cost: cheapPasswords });
const vault = createVault({
  writing: parseMasterKey(generateMasterKey(systemRandom)),
  random: systemRandom,
});
let storedPassword: Promise<string> | undefined;
let count = 0;

export async function makeUserFixtures(t: TestContext, open: OpenDatabase): Promise<UserFixtures> {
  const fixtures = await makeFixtures(t, open);
  return {
    ...fixtures,
    vault,
    messageQueued: createSignal(),
    passwordHasher: hasher,
    budgets: createBudgets(),
    messageBudgets: unlimitedMessages,
    originOf: async () => "http://localhost:8080",
    settings: createSettingsReader(fixtures),
    mayActFor: mayActForUser,
    isFresh: async () => true,
    mayPrepareFor,
    mayPrepareNow,
    mayVouchFor,
    isCredentialSuspended,
    managesUsers,
    refuseLossOfOwner,
    endAccessOfUser,
    terminateOtherSessions,
    person: async ({ organizationId }, given) => {
      storedPassword ??= hasher.hash(password);
      const hash = await storedPassword;
      const name = `person${++count}`;
      return fixtures.database.change(fixtures.owner, (tx) =>
        createHumanUser(tx, fixtures, {
          organizationId,
          username: name,
          profile: { givenName: "Given", familyName: "Family" },
          email: { address: `${name}@mail.example`, isVerified: true },
          password: { hash, isChangeRequired: false },
          ...given,
        }),
      );
    },
    self: ({ userId, organizationId }) => fixtures.as([], { userId, organizationId }),
    manager: ({ organizationId: resourceId }, { userId = "manager" } = {}) =>
      fixtures.as([{ role: "ORG_USER_MANAGER", level: "organization", resourceId }], { userId }),
    messages: async ({ userId }) => {
      const all = await listNewestNotifications(fixtures.database.read, fixtures.owner.instanceId, 1000);
      return all
        .filter((each) => each.userId === userId && each.state === "queued")
        .map((each) => ({
          kind: each.kind,
          recipient: each.recipient,
          code: openNotification(vault, fixtures.owner.instanceId, each).code,
        }));
    },
  };
}

/** The code of the refusal, or "done". */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    const { code, id } = error as { code?: string; id?: string };
    if (code === undefined || id === undefined) throw error;
    return `${code} ${id}`;
  }
}
