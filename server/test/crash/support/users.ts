import { answerOf, createPool, gather, goodAnswer, type Target, type Workload } from "./workload.ts";

/** What the server tells of a user; `absent` when it knows none. */
type State = "absent" | { readonly username: string; readonly familyName: string; readonly email: string };

interface Subject {
  userId: string;
  /** As last acknowledged. */
  known: State;
  /** What a write without an answer would have made of it. */
  attempted?: State;
}

/** Users: created with an unverified address (user, code and mail in one change), renamed, deleted, created again. */
export function userWorkload(target: Target): Workload {
  const pool = createPool<Subject>();
  let count = 0;
  return {
    name: "users",
    write: async (chance) => {
      const taken = chance.percent(50) ? pool.take(chance) : undefined;
      const subject: Subject = taken ?? { userId: "", known: "absent" };
      // No id is given twice (A9).
      if (subject.known === "absent") subject.userId = `user-${++count}`;
      pool.doubt(subject);
      const next = nextState(subject, chance.percent(15), `Name ${chance.below(1_000_000)}`);
      subject.attempted = next;
      await goodAnswer(send(target, subject, next));
      subject.known = next;
      delete subject.attempted;
      pool.giveBack(subject);
    },
    check: async (chance, extent) =>
      gather(pool.toCheck(chance, extent), async (subject) => {
        const problem = settle(subject, await read(target, subject.userId));
        pool.giveBack(subject);
        return problem;
      }),
  };
}

function nextState({ userId, known }: Subject, isEnd: boolean, familyName: string): State {
  if (known === "absent") return { username: userId, familyName, email: `${userId}@mail.example` };
  return isEnd ? "absent" : { ...known, familyName };
}

function send({ rest, organizationId }: Target, { userId, known }: Subject, next: State) {
  if (next === "absent") return rest("DELETE", `/v2/users/${userId}`, { body: {} });
  const profile = { givenName: "Crash", familyName: next.familyName };
  if (known !== "absent") return rest("PATCH", `/v2/users/${userId}`, { body: { human: { profile } } });
  const human = { profile, email: { email: next.email, sendCode: {} } };
  return rest("POST", "/v2/users/new", { body: { organizationId, userId, username: next.username, human } });
}

async function read({ rest }: Target, userId: string): Promise<State> {
  const { status, body } = await answerOf(rest("GET", `/v2/users/${userId}`));
  if (status === 404) return "absent";
  const { username, human } = body.user;
  return { username, familyName: human.profile.familyName, email: human.email.email };
}

function settle(subject: Subject, actual: State): string[] {
  const { userId, known, attempted } = subject;
  const is = (state: State | undefined): boolean => JSON.stringify(state) === JSON.stringify(actual);
  subject.known = actual;
  delete subject.attempted;
  if (is(known) || is(attempted)) return [];
  return [`user ${userId} is ${JSON.stringify(actual)}, acknowledged ${JSON.stringify(known)}`];
}
