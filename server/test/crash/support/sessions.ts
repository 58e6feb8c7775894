import { answerOf, createPool, gather, goodAnswer, type Target, type Workload } from "./workload.ts";

interface Subject {
  readonly sessionId: string;
  /** The number in its data as last acknowledged; undefined when the session was ended. */
  known: number | undefined;
  /** The newest acknowledged token; undefined after a write without an answer, which made another token. */
  token: string | undefined;
  attempted?: "change" | "end";
}

/** Sessions: created, changed (each write makes another token and invalidates the earlier), ended. */
export function sessionWorkload(target: Target): Workload {
  const pool = createPool<Subject>();
  return {
    name: "sessions",
    write: async (chance) => {
      const subject = chance.percent(60) ? pool.take(chance) : undefined;
      if (subject === undefined) pool.giveBack(await create(target));
      else if (await change(target, subject, chance.percent(15))) pool.giveBack(subject);
    },
    check: async (chance, extent) =>
      gather(pool.toCheck(chance, extent), async (subject) => {
        const problems = await look(target, subject);
        if (subject.known !== undefined) pool.giveBack(subject);
        return problems;
      }),
  };
}

async function create({ rest, user }: Target): Promise<Subject> {
  const body = { checks: { user: { userId: user.userId } }, metadata: metadata(0) };
  const made = await goodAnswer(rest("POST", "/v2/sessions", { body }));
  return { sessionId: made.sessionId, token: made.sessionToken, known: 0 };
}

/** Whether the session can be written to again. */
async function change({ rest }: Target, subject: Subject, isEnd: boolean): Promise<boolean> {
  const path = `/v2/sessions/${subject.sessionId}`;
  subject.attempted = isEnd ? "end" : "change";
  if (isEnd) {
    await goodAnswer(rest("DELETE", path, { body: {} }));
    subject.known = undefined;
  } else {
    const next = (subject.known ?? 0) + 1;
    const { sessionToken } = await goodAnswer(rest("PATCH", path, { body: { metadata: metadata(next) } }));
    subject.known = next;
    subject.token = sessionToken;
  }
  delete subject.attempted;
  return !isEnd;
}

async function look(target: Target, subject: Subject): Promise<string[]> {
  const { sessionId, known, token, attempted } = subject;
  const actual = await read(target, sessionId);
  const wished = attempted === "change" ? (known ?? 0) + 1 : attempted === "end" ? undefined : known;
  const problems: string[] = [];
  if (actual !== known && actual !== wished) {
    problems.push(`session ${sessionId} has ${actual}, acknowledged ${known}, attempted ${attempted}`);
  }
  if (token !== undefined) {
    const isGood = await isGoodToken(target, sessionId, token);
    const mayBeGood = actual !== undefined && actual === known;
    if (isGood !== mayBeGood) problems.push(`the token of session ${sessionId} is ${isGood ? "good" : "dead"}`);
  }
  if (actual !== known) subject.token = undefined;
  subject.known = actual;
  delete subject.attempted;
  return problems;
}

async function read({ rest }: Target, sessionId: string): Promise<number | undefined> {
  const { status, body } = await answerOf(rest("GET", `/v2/sessions/${sessionId}`));
  if (status === 404) return undefined;
  return Number(Buffer.from(body.session.metadata.count, "base64").toString());
}

// Asked by a caller who may see sessions only by their token.
async function isGoodToken({ rest, strangerToken }: Target, sessionId: string, sessionToken: string): Promise<boolean> {
  const query = new URLSearchParams({ sessionToken });
  const { status } = await answerOf(rest("GET", `/v2/sessions/${sessionId}?${query}`, { token: strangerToken }));
  return status === 200;
}

const metadata = (count: number) => ({ count: Buffer.from(String(count)).toString("base64") });
