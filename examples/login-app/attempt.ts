import { type Answer, Dead, type Visit } from "./http.ts";
import type { Way } from "./jar.ts";

/** Finds the sign-in that a page or form is about. Without one, the cookie was lost, or another tab has finished. */
export function findWay({ jar, query, form: fields }: Visit): Way {
  const id = fields.get("way") ?? query.get("way");
  const way = jar.ways.find((one) => one.id === id);
  if (way === undefined) throw new Dead("This sign-in has been finished or is too old.");
  return way;
}

/** Returns the address of a page of a sign-in. */
export const at = (path: string, way: Way): Answer => ({
  redirect: `${path}?${new URLSearchParams({ way: way.id }).toString()}`,
});
