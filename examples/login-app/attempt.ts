import { type Answer, Dead, type Visit } from "./http.ts";
import type { Attempt } from "./jar.ts";

/** Finds the sign-in that a page or form is about. Without one, the cookie was lost, or another tab has finished. */
export function findAttempt({ jar, query, form: fields }: Visit): Attempt {
  const id = fields.get("attempt") ?? query.get("attempt");
  const attempt = jar.attempts.find((one) => one.id === id);
  if (attempt === undefined) throw new Dead("This sign-in has been finished or is too old.");
  return attempt;
}

/** Returns the address of a page of a sign-in. */
export const at = (path: string, attempt: Attempt): Answer => ({
  redirect: `${path}?${new URLSearchParams({ attempt: attempt.id }).toString()}`,
});
