import assert from "node:assert/strict";
import { minutes } from "../../../src/base/clock.ts";
import type { Estate, UserState } from "./estate.ts";
import type { Kind, Made, Subject } from "./one-time.ts";

/**
 * Presents a secret of one kind where another kind is awaited: of two people, and of the same person, client and
 * session where both kinds can be theirs, so that nothing but the kind is wrong. Neither is spent by it.
 */
export async function proveApart(estate: Estate, kind: Kind, other: Kind): Promise<void> {
  // One address may not have any number of devices waiting at a time.
  estate.server.clock.now += minutes(10);
  const [awaited, foreign] = [await kind.make(estate), await other.make(estate)];
  await refuse(awaited, foreign, "of somebody else");
  await good(awaited, kind);
  await good(foreign, other);
  const state = kind.userStates?.find((each) => other.userStates?.includes(each));
  if (state === undefined || isApart(kind, other)) return;
  const subject = await makeSubject(estate, state);
  // What was made first may be taken back by the second, so that only what is presented is asked for in the end.
  const made = new Map<Kind, Made>();
  for (const each of other.isSignIn === true ? [other, kind] : [kind, other]) {
    made.set(each, await each.make(estate, subject));
    // A second factor that is added in the exact instant of a sign-in is asked for at once.
    estate.server.clock.now += 1000;
  }
  const [own, ownForeign] = [made.get(kind), made.get(other)];
  assert.ok(own && ownForeign);
  await refuse(own, ownForeign, "of the same person");
  await good(ownForeign, other);
}

/** Codes are sent to verified addresses alone, and to verify an address means that it is not. */
const isApart = ({ covers: [first = ""] }: Kind, { covers: [second = ""] }: Kind): boolean =>
  (first === "email_verification" && second === "session_otp_email") ||
  (first === "phone_verification" && second === "session_otp_sms");

async function refuse({ present, presentForeign = present }: Made, { text }: Made, whose: string): Promise<void> {
  const words = await presentForeign(text);
  assert.ok(words !== "done" && !/^5/.test(words), `${whose}: ${words}`);
}

const good = async (made: Made, { name }: Kind): Promise<void> =>
  assert.equal(await made.present(made.text), "done", `${name} was spent`);

async function makeSubject(estate: Estate, state: UserState): Promise<Subject> {
  const person = await estate.somebody(state);
  const { organizationId, userId } = person;
  const { projectId } = await estate.must("project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" });
  const { sessionId } = await estate.must("/v2/sessions", { checks: { user: { userId } } });
  return { person, projectId, client: await estate.server.createClient({}, projectId), sessionId };
}
