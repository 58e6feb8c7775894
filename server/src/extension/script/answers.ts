/** Answers a question of a script; returns JSON. */
type AnswerQuestion = (question: string, argument: string) => Promise<string>;

const mostQuestions = 30;

/**
 * Returns answers that are looked up once in a run, and not for any number of questions: a script that waits for an
 * answer does not compute, so it could ask until its timeout.
 */
export function rememberAnswers(answer: AnswerQuestion): AnswerQuestion {
  const answers = new Map<string, Promise<string>>();
  return (question, argument) => {
    const key = `${question}\n${argument}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    if (answers.size >= mostQuestions) throw new Error("a script can ask for only so much");
    const answered = answer(question, argument);
    answers.set(key, answered);
    return answered;
  };
}
