import assert from "node:assert/strict";
import { minutes, seconds } from "../../../src/base/clock.ts";
import type { Fault } from "../../../src/base/fault.ts";
import { asPerson } from "../../../src/call/index.ts";
import { confirmOtp, type SentFactor, startOtp } from "../../../src/domain/factor/index.ts";
import { isFreshCaller, mayActForUser } from "../../../src/domain/session/index.ts";
import { keysAt } from "../../factor/key-support.ts";
import { inboxOf } from "../../factor/support.ts";
import { testCall } from "../../support/operations/call.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { type At, type Estate, endingsOf, type Somebody, wordsOf } from "./estate.ts";
import type { Kind, Made, Subject } from "./one-time.ts";

const users = "user.v2.UserService";

/** Opens a session in which a user is named and nothing was proven. */
const openSession = async ({ must }: Estate, userId: string): Promise<string> =>
  (await must("/v2/sessions", { checks: { user: { userId } } })).sessionId;

/** The user that a factor is made for, and the session in which it is asked for. */
const partiesOf = async (estate: Estate, subject: Subject | undefined) => {
  const person = subject?.person ?? (await estate.somebody("face"));
  return { person, sessionId: subject?.sessionId ?? (await openSession(estate, person.userId)) };
};

/** Has a key sign another text instead of the challenge: another key's challenge, when the text is about that. */
const instead = (text: string): { challenge: string } => {
  if (!text.startsWith("{")) return { challenge: Buffer.from(text).toString("base64url") };
  const { clientDataJSON } = JSON.parse(text).response;
  return { challenge: JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8")).challenge };
};

const check = async ({ ask }: Estate, at: At, sessionId: string, checks: object): Promise<string> =>
  wordsOf(await ask(at, `/v2/sessions/${sessionId}`, { method: "PATCH", body: { checks } }));

/** A code that was sent for one session. */
const sentCode = (channel: "otpEmail" | "otpSms", add: string, kind: string): Kind => {
  const makeFor = async (estate: Estate, person: Somebody, sessionId: string): Promise<Made> => {
    const returned = channel === "otpSms" ? { returnCode: true } : { returnCode: {} };
    const challenge = async (id: string): Promise<string> =>
      (await estate.must(`/v2/sessions/${id}`, { challenges: { [channel]: returned } }, { method: "PATCH" }))
        .challenges[channel];
    return {
      text: await challenge(sessionId),
      lifetime: minutes(5),
      present: (code, at = "here") => check(estate, at, sessionId, { [channel]: { code } }),
      presentAsOther: async (code) => {
        const { sessionId: theirs } = await withFactor(estate);
        await challenge(theirs);
        return check(estate, "here", theirs, { [channel]: { code } });
      },
      renew: () => makeFor(estate, person, sessionId),
      endings: {
        ...endingsOf(estate, person),
        "its session is ended": () => estate.must(`/v2/sessions/${sessionId}`, {}, { method: "DELETE" }),
        "the factor is removed": () =>
          estate.must(`${users}/${add.replace("Add", "Remove")}`, { userId: person.userId }),
      },
    };
  };
  const withFactor = async (estate: Estate, subject?: Subject) => {
    const parties = await partiesOf(estate, subject);
    await estate.must(`${users}/${add}`, { userId: parties.person.userId });
    return parties;
  };
  return {
    name: `code of a session: ${channel}`,
    covers: [kind],
    refusals: ["factor.code_wrong", "factor.challenge_absent", "session.not_found"],
    userStates: ["member"],
    make: async (estate, subject) => {
      const { person, sessionId } = await withFactor(estate, subject);
      return makeFor(estate, person, sessionId);
    },
  };
};

interface FirstCode {
  readonly kind: SentFactor;
  /** The method that adds the factor without a code. */
  readonly add: string;
  /** Another address or number: the method and what it sets. */
  readonly move: readonly [method: string, contact: object];
}

/** The first code of a factor, which activates it. */
const firstCode = ({ kind, add, move: [set, contact] }: FirstCode): Kind => ({
  name: `first code of a factor: ${kind}`,
  covers: [`${kind}_enrolment`],
  refusals: ["wrong", "unchallenged", "present", "user.not_found"],
  make: async (estate) => {
    const { domain } = estate.server.app;
    const instanceId = await estate.instanceId();
    const deps = { ...domain, mayActFor: mayActForUser, isFresh: isFreshCaller };
    // The pages are forms around this, in which the user was authenticated.
    const callOf = (person: Somebody, at: At = "here") =>
      asPerson(
        testCall({ instanceId: at === "here" ? instanceId : estate.there.instanceId, now: domain.clock() }),
        person,
      );
    const send = async (person: Somebody): Promise<string> => {
      assert.equal(await startOtp(deps, callOf(person), { userId: person.userId, kind }), true);
      const mails = await inboxOf(estate.server, kind === "otp_email" ? person.email : "+41791234567");
      return mails[0]?.code ?? assert.fail("no code");
    };
    const confirm = (person: Somebody, code: string, at?: At): Promise<string> =>
      confirmOtp(deps, callOf(person, at), { userId: person.userId, kind, code }).then(
        (outcome) => (outcome === "confirmed" ? "done" : outcome),
        ({ id }: Fault) => id,
      );
    const makeFor = async (person: Somebody): Promise<Made> => ({
      text: await send(person),
      lifetime: minutes(5),
      present: (code, at) => confirm(person, code, at),
      presentAsOther: async (code) => {
        const other = await estate.somebody("face");
        await send(other);
        return confirm(other, code);
      },
      renew: () => {
        estate.server.clock.now += seconds(30);
        return makeFor(person);
      },
      endings: {
        ...endingsOf(estate, person),
        "the factor came by another way": () => estate.must(`${users}/${add}`, { userId: person.userId }),
        "it went elsewhere": () => estate.must(`${users}/${set}`, { userId: person.userId, ...contact }),
      },
    });
    return makeFor(await estate.somebody("face"));
  },
});

/** The challenge that a passkey signs for a session; its response is what is presented. */
const keyChallenge: Kind = {
  name: "challenge of a session: passkey",
  covers: ["session_web_auth_n"],
  refusals: ["factor.key_refused", "factor.challenge_absent", "session.not_found"],
  hasNoLetters: true,
  userStates: ["member"],
  make: async (estate, subject) => {
    const { register, challenge } = keysAt(estate.server);
    const withKey = async (given?: Subject) => {
      const { person, sessionId } = await partiesOf(estate, given);
      const device = createAuthenticator({ origin: estate.server.origin });
      return { person, sessionId, device, keyId: await register(person.userId, device, "Passkey") };
    };
    const { person, device, keyId, sessionId } = await withKey(subject);
    const present = (id: string, text: string, at: At = "here") =>
      check(estate, at, id, { webAuthN: { credentialAssertionData: JSON.parse(text) } });
    const makeNext = async (): Promise<Made> => {
      const asked = await challenge(sessionId);
      return {
        text: JSON.stringify(device.get(asked)),
        lifetime: minutes(5),
        present: (text, at) => present(sessionId, text, at),
        presentForeign: (text) => present(sessionId, JSON.stringify(device.get(asked, instead(text)))),
        presentAsOther: async (text) => {
          const other = await withKey();
          await challenge(other.sessionId);
          return present(other.sessionId, text);
        },
        renew: makeNext,
        endings: {
          ...endingsOf(estate, person),
          "its session is ended": () => estate.must(`/v2/sessions/${sessionId}`, {}, { method: "DELETE" }),
          "the key is removed": () =>
            estate.must(`${users}/RemovePasskey`, { userId: person.userId, passkeyId: keyId }),
        },
      };
    };
    return makeNext();
  },
};

/** The challenge with which a passkey is registered. */
const keyRegistration: Kind = {
  name: "challenge of a registration of a passkey",
  covers: ["key_registration"],
  refusals: ["factor.registration_absent", "factor.key_refused", "user.not_found"],
  hasNoLetters: true,
  userStates: ["member"],
  make: async (estate, subject) => {
    const { begin, finish } = keysAt(estate.server);
    const device = createAuthenticator({ origin: estate.server.origin });
    const person = subject?.person ?? (await estate.somebody("face"));
    const begun = await begin(person.userId, "Passkey");
    const options = begun.publicKeyCredentialCreationOptions;
    const make = (given = {}): string => JSON.stringify(device.create(options, given));
    const present = async (text: string, at: At, userId: string, passkeyId: string) => {
      const { method, body } = finish(userId, { ...begun, passkeyId }, JSON.parse(text));
      return wordsOf(await estate.ask(at, `${users}/${method}`, { body }));
    };
    return {
      text: make(),
      lifetime: minutes(5),
      present: (text, at = "here") => present(text, at, person.userId, begun.passkeyId),
      presentForeign: (text) => present(make(instead(text)), "here", person.userId, begun.passkeyId),
      presentAsOther: async (text) => {
        const other = await estate.somebody("face");
        return present(text, "here", other.userId, (await begin(other.userId, "Passkey")).passkeyId);
      },
      endings: {
        "its user is deleted": endingsOf(estate, person)["its user is deleted"],
        "the key is removed": () =>
          estate.must(`${users}/RemovePasskey`, { userId: person.userId, passkeyId: begun.passkeyId }),
      },
    };
  },
};

/** The code of a link with which a user adds a passkey. */
const passkeyLink: Kind = {
  name: "code that adds a passkey",
  covers: ["passkey_registration"],
  refusals: ["user.code_invalid"],
  userStates: ["face", "member"],
  make: async (estate, subject) => {
    const person = subject?.person ?? (await estate.somebody("face"));
    const use = async (at: At, userId: string, code: object) =>
      wordsOf(await estate.ask(at, `${users}/RegisterPasskey`, { body: { userId, code } }));
    const issue = async (userId: string) =>
      (await estate.must(`${users}/CreatePasskeyRegistrationLink`, { userId, returnCode: {} })).code;
    const makeNext = async (): Promise<Made> => {
      const { id, code } = await issue(person.userId);
      return {
        text: code,
        lifetime: minutes(60),
        present: (text, at = "here") => use(at, person.userId, { id, code: text }),
        presentAsOther: async (text) => {
          const other = await estate.somebody("face");
          return use("here", other.userId, { id: (await issue(other.userId)).id, code: text });
        },
        renew: makeNext,
        endings: endingsOf(estate, person),
      };
    };
    return makeNext();
  },
};

/** The current code of an authenticator app. */
const appCodes: Kind = {
  name: "code of an authenticator app",
  covers: ["user_factors.last_time_step"],
  refusals: ["factor.code_wrong", "session.not_found", "field.too_short"],
  hasVagueEnd: true,
  userStates: ["member"],
  make: async (estate, subject) => {
    const withApp = async (given?: Subject) => {
      const { person, sessionId } = await partiesOf(estate, given);
      const { userId } = person;
      const { secret } = await estate.must(`${users}/RegisterTOTP`, { userId });
      await estate.must(`${users}/VerifyTOTPRegistration`, { userId, code: appCode(secret, estate.server.clock.now) });
      return { person, secret, sessionId };
    };
    const { person, secret, sessionId } = await withApp(subject);
    return {
      // One period ahead, because the current code confirmed the app.
      text: appCode(secret, estate.server.clock.now, 1),
      lifetime: seconds(120),
      present: (code, at = "here") => check(estate, at, sessionId, { totp: { code } }),
      presentAsOther: async (code) => check(estate, "here", (await withApp()).sessionId, { totp: { code } }),
      endings: {
        ...endingsOf(estate, person),
        "its session is ended": () => estate.must(`/v2/sessions/${sessionId}`, {}, { method: "DELETE" }),
        "the factor is removed": () => estate.must(`${users}/RemoveTOTP`, { userId: person.userId }),
      },
    };
  },
};

/** One of the codes for users who lost their other factors. */
const recoveryCodes: Kind = {
  name: "recovery code",
  covers: ["recovery_codes.code_hash"],
  refusals: ["factor.code_wrong", "session.not_found"],
  isForgiving: true,
  userStates: ["member"],
  make: async (estate, subject) => {
    const withCodes = async (given?: Subject): Promise<{ person: Somebody; code: string; sessionId: string }> => {
      const { person, sessionId } = await partiesOf(estate, given);
      const { userId } = person;
      const { recoveryCodes: codes } = await estate.must(`${users}/GenerateRecoveryCodes`, { userId, count: 3 });
      return { person, code: codes[0], sessionId };
    };
    const { person, code: text, sessionId } = await withCodes(subject);
    const makeNext = async (code: string): Promise<Made> => ({
      text: code,
      lifetime: undefined,
      present: (given, at = "here") => check(estate, at, sessionId, { recoveryCode: { code: given } }),
      presentAsOther: async (given) =>
        check(estate, "here", (await withCodes()).sessionId, { recoveryCode: { code: given } }),
      renew: async () => {
        const { userId } = person;
        const made = await estate.must(`${users}/GenerateRecoveryCodes`, { userId, count: 3 });
        return makeNext(made.recoveryCodes[0]);
      },
      endings: {
        ...endingsOf(estate, person),
        "the factor is removed": () => estate.must(`${users}/RemoveRecoveryCodes`, { userId: person.userId }),
      },
    });
    return makeNext(text);
  },
};

/** Single-use proofs of factors. */
export const kindsOfFactors: readonly Kind[] = [
  sentCode("otpEmail", "AddOTPEmail", "session_otp_email"),
  sentCode("otpSms", "AddOTPSMS", "session_otp_sms"),
  firstCode({
    kind: "otp_email",
    add: "AddOTPEmail",
    move: ["SetEmail", { email: "x@mail.example", isVerified: true }],
  }),
  firstCode({ kind: "otp_sms", add: "AddOTPSMS", move: ["SetPhone", { phone: "+41790000000", isVerified: true }] }),
  keyChallenge,
  keyRegistration,
  passkeyLink,
  appCodes,
  recoveryCodes,
];
