/** A check takes what is known of a request, and throws the error that answers it, or returns what it settled. */
type Check = (known: never) => unknown;

/**
 * What is known after the checks, each of which sees what those before it settled. One that asks for what none before
 * it settled makes this a type that nothing accepts.
 */
type After<Known, Checks> = Checks extends readonly [infer First, ...infer Rest]
  ? First extends (known: infer Needed) => infer Settled
    ? Known extends Needed
      ? After<Awaited<Settled> extends object ? Known & Awaited<Settled> : Known, Rest>
      : { readonly askedTooEarly: First }
    : never
  : Known;

/**
 * Runs the checks in their order; the first that fails is the answer. Returns what was known, with what they settled.
 */
export async function runChecks<Known extends object, const Checks extends readonly Check[]>(
  known: Known,
  checks: Checks,
): Promise<After<Known, Checks>> {
  const settled = { ...known };
  for (const check of checks) Object.assign(settled, await check(settled as never));
  // The type says what the loop has put together.
  return settled as After<Known, Checks>;
}
