import { type Href, href } from "../../html/index.ts";

/** Path of the reference. */
export const docsPath = "/docs";

/** Paths of the pages that are about no method. */
export const guidesPath = `${docsPath}/guides`;

/** Path of what the console reads about methods. */
export const contractPath = `${docsPath}/contract`;

/** Path of what the search looks in. */
export const indexPath = `${docsPath}/index`;

/** The first page. */
export const overviewHref: Href = href(docsPath);

/** Returns the address of a service, or of one of its methods. */
export const docsHref = (service: string, method?: string): Href =>
  href(`${docsPath}/${service}${method === undefined ? "" : `/${method}`}`);

/** Returns the address of a guide. */
export const guideHref = (name: string): Href => href(`${guidesPath}/${name}`);

/** Returns the last part of a dotted name: the usual name of a service or a type. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** Returns what the navigation calls a service: `InternalPermissionService` is “Internal permission”. */
export function serviceTitle(name: string): string {
  const words = lastPart(name)
    .replace(/Service$/, "")
    .split(/(?<=[a-z])(?=[A-Z])/)
    .map((word, index) => (index === 0 || /^[A-Z]{2}/.test(word) ? word : word.toLowerCase()));
  return words.join(" ");
}
