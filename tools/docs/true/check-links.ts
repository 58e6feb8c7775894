import { posix } from "node:path";
import type { FileIndex } from "./file-index.ts";
import type { Page, Untruth } from "./page.ts";

/** Relative links of a page to files and headings that do not exist. */
export function checkLinks(page: Page, pages: ReadonlyMap<string, Page>, files: FileIndex): Untruth[] {
  return page.linkTargets.flatMap(({ text, line }) => {
    if (/^[a-z][a-z+.-]*:/i.test(text)) return [];
    const [target = "", anchor] = text.split("#", 2);
    const path = target === "" ? page.path : posix.join(posix.dirname(page.path), decodeURIComponent(target));
    const found = path.replace(/\/$/, "");
    if (found !== "." && !files.has(found)) return [{ path: page.path, text, line, message: "there is no such file" }];
    const other = pages.get(path);
    if (anchor === undefined || other === undefined || other.anchors.has(anchor)) return [];
    return [{ path: page.path, text, line, message: `${path} has no heading #${anchor}` }];
  });
}
