import { type Answer, Dead, type Visit } from "./http.ts";
import type { Way } from "./jar.ts";

/** The way that a page or form is about. Whoever has no such way has lost his cookie, or has finished in another tab. */
export function findWay({ jar, query, form: fields }: Visit): Way {
  const id = fields.get("way") ?? query.get("way");
  const way = jar.ways.find((one) => one.id === id);
  if (way === undefined) throw new Dead("This sign-in has been finished or is too old.");
  return way;
}

/** The address of a step of a way. */
export const at = (path: string, way: Way): Answer => ({
  redirect: `${path}?${new URLSearchParams({ way: way.id }).toString()}`,
});
