/** What is wrong with an input, or with the whole form. */
interface Problem {
  readonly field?: string;
}

/**
 * Joins the values that are missing and what is wrong with the others: at most one problem for each field. While a
 * value is missing, only problems of a field count.
 */
export function allProblems<Of extends Problem>(missing: readonly Of[], wrong: readonly Of[]): Of[] {
  const all = [...missing];
  for (const problem of wrong) {
    const { field } = problem;
    const isSaid = field === undefined ? all.length > 0 : all.some((other) => other.field === field);
    if (!isSaid) all.push(problem);
  }
  return all;
}
