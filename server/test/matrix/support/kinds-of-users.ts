import assert from "node:assert/strict";
import { hours } from "../../../src/base/clock.ts";
import { mayPrepareFor } from "../../../src/domain/administrator-access/index.ts";
import { setFirstPassword } from "../../../src/domain/password/index.ts";
import { mayActForUser } from "../../../src/domain/session/index.ts";
import { removePrepared, terminateOtherSessions } from "../../../src/domain/sign-out/index.ts";
import { inboxOf } from "../../factor/support.ts";
import { testCall } from "../../support/operations/call.ts";
import { type At, type Estate, endingsOf, type Somebody, type UserState, wordsOf } from "./estate.ts";
import type { Kind, Made } from "./one-time.ts";

const anotherPassword = "another long passphrase";
const refusals = ["user.code_invalid"];

/** How a code of a user is requested and used, by routes of the API. */
interface CodeOfUser {
  readonly name: string;
  readonly kind: string;
  readonly as: UserState;
  /** Which other users it can be made for. */
  readonly also?: UserState;
  readonly lifetime: number;
  issue(estate: Estate, person: Somebody): Promise<string>;
  use(estate: Estate, at: At, userId: string, code: string): Promise<{ status: number; body: unknown }>;
  /** What revokes the code, besides the end of its user. */
  readonly takenBack: Readonly<Record<string, (estate: Estate, person: Somebody) => Promise<unknown>>>;
}

const anotherAddress = (estate: Estate, { userId }: Somebody) =>
  estate.must(`/v2/users/${userId}/email`, { email: `moved-${userId}@mail.example`, isVerified: true });

const codes: readonly CodeOfUser[] = [
  {
    name: "code that verifies an email address",
    kind: "email_verification",
    as: "face",
    also: "member",
    lifetime: hours(1),
    issue: async ({ must }, { userId, email }) =>
      (await must(`/v2/users/${userId}/email`, { email: `next-${email}`, returnCode: {} })).verificationCode,
    use: ({ ask }, at, userId, verificationCode) =>
      ask(at, `/v2/users/${userId}/email/verify`, { body: { verificationCode } }),
    takenBack: { "another address": anotherAddress },
  },
  {
    name: "code that verifies a phone number",
    kind: "phone_verification",
    as: "face",
    also: "member",
    lifetime: hours(1),
    issue: async ({ must }, { userId }) =>
      (await must(`/v2/users/${userId}/phone`, { phone: "+41791111111", returnCode: {} })).verificationCode,
    use: ({ ask }, at, userId, verificationCode) =>
      ask(at, `/v2/users/${userId}/phone/verify`, { body: { verificationCode } }),
    takenBack: {
      "another number": ({ must }, { userId }) =>
        must(`/v2/users/${userId}/phone`, { phone: "+41792222222", isVerified: true }),
    },
  },
  {
    name: "code that resets a password",
    kind: "password_reset",
    as: "member",
    lifetime: hours(1),
    issue: async ({ must }, { userId }) =>
      (await must(`/v2/users/${userId}/password_reset`, { returnCode: {} })).verificationCode,
    use: ({ ask }, at, userId, verificationCode) =>
      ask(at, `/v2/users/${userId}/password`, {
        body: { newPassword: { password: anotherPassword }, verificationCode },
      }),
    takenBack: {
      "another address": anotherAddress,
      "another password": ({ must }, { userId }) =>
        must(`/v2/users/${userId}/password`, { newPassword: { password: "a passphrase in between" } }),
    },
  },
  {
    name: "code of an invitation",
    kind: "invitation",
    as: "face",
    lifetime: hours(72),
    issue: async ({ must }, { userId }) =>
      (await must(`/v2/users/${userId}/invite_code`, { returnCode: {} })).inviteCode,
    use: ({ ask }, at, userId, verificationCode) =>
      ask(at, `/v2/users/${userId}/invite_code/verify`, { body: { verificationCode } }),
    takenBack: { "another address": anotherAddress },
  },
  {
    name: "code of a beginning account",
    kind: "initialization",
    as: "newcomer",
    lifetime: hours(72),
    issue: async (estate, { userId, organizationId, email }) => {
      const inHome = { headers: { "x-service-orgid": organizationId } };
      await estate.must(`/management/v1/users/${userId}/_resend_initialization`, {}, inHome);
      const [mail] = await inboxOf(estate.server, email);
      assert.ok(mail?.kind === "initialization", JSON.stringify(mail));
      return mail.code;
    },
    use: async (estate, at, userId, code) => {
      // The page is a form around this.
      const { domain } = estate.server.app;
      const instanceId = at === "here" ? await estate.instanceId() : estate.there.instanceId;
      const call = testCall({ instanceId, now: domain.clock() });
      const input = { userId, kind: "initialization", code, password: anotherPassword } as const;
      return setFirstPassword(
        {
          ...domain,
          mayActFor: mayActForUser,
          isFresh: async () => true,
          mayPrepareFor,
          removePrepared,
          terminateOtherSessions,
        },
        call,
        input,
      ).then(
        () => ({ status: 200, body: {} }),
        ({ id }: { id: string }) => ({ status: 400, body: { error: id } }),
      );
    },
    takenBack: { "another address": anotherAddress },
  },
];

/** Codes that users are sent about their accounts. */
export const kindsOfUsers: readonly Kind[] = codes.map((each) => {
  const { name, kind, as, also = as, lifetime, issue, use, takenBack } = each;
  const makeFor = async (estate: Estate, person: Somebody): Promise<Made> => {
    const text = await issue(estate, person);
    return {
      text,
      lifetime,
      present: async (given, at = "here") => wordsOf(await use(estate, at, person.userId, given)),
      presentAsOther: async (given) => {
        const other = await estate.somebody(as);
        await issue(estate, other);
        return wordsOf(await use(estate, "here", other.userId, given));
      },
      renew: () => makeFor(estate, person),
      endings: {
        // A user who has not begun yet cannot be deactivated.
        ...Object.fromEntries(
          Object.entries(endingsOf(estate, person)).filter(
            ([what]) => as !== "newcomer" || what !== "its user is deactivated",
          ),
        ),
        ...Object.fromEntries(Object.entries(takenBack).map(([what, take]) => [what, () => take(estate, person)])),
      },
    };
  };
  return {
    name,
    covers: [kind],
    refusals,
    userStates: [as, also],
    make: async (estate, subject) => makeFor(estate, subject?.person ?? (await estate.somebody(as))),
  };
});
