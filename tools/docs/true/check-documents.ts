import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../../files.ts";
import { checkLinks } from "./check-links.ts";
import { judgePath } from "./check-paths.ts";
import { namedInComments } from "./comments.ts";
import { isExcepted } from "./exceptions.ts";
import { createFileIndex, type FileIndex } from "./file-index.ts";
import { type Page, type Piece, readPage, type Untruth } from "./page.ts";

/** What pages and comments are compared with, and the pages themselves. */
export interface Documents {
  readonly files: FileIndex;
  readonly pages: ReadonlyMap<string, Page>;
  /** Source files that people write, with their text. */
  readonly sources: ReadonlyMap<string, string>;
}

// History, measurement results and third-party texts describe the past.
const isOurPage = (path: string): boolean =>
  path.endsWith(".md") && !/^(?:bench\/results|third_party)\/|^CHANGELOG\.md$/.test(path);

// An applied migration never changes, not even its comments.
const isOurSource = (path: string): boolean =>
  /\.(?:ts|js|cjs|css|proto)$/.test(path) && !/^(?:api\/src|third_party)\//.test(path);

/** Reads every page and source file below a folder. */
export function readDocuments(root: string): Documents {
  const files = listFiles(root, ["**/*", ".*", ".{ci,github}/**/*"]);
  const read = (paths: readonly string[]): Map<string, string> =>
    new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const pages = [...read(files.filter(isOurPage))].map(([path, text]) => [path, readPage(path, text)] as const);
  return { files: createFileIndex(files), pages: new Map(pages), sources: read(files.filter(isOurSource)) };
}

/** Links, files and folders of the pages that do not exist. */
export function checkPages({ files, pages }: Documents): Untruth[] {
  return [...pages.values()].flatMap((page) => [
    ...checkLinks(page, pages, files),
    ...judgeAll(files, page.path, page.spans),
  ]);
}

/** Files and folders that comments of source files name and that do not exist. */
export function checkComments({ files, sources }: Documents): Untruth[] {
  return [...sources].flatMap(([path, text]) => judgeAll(files, path, namedInComments(text)));
}

function judgeAll(files: FileIndex, path: string, pieces: readonly Piece[]): Untruth[] {
  return pieces.flatMap((piece) => {
    const message = isExcepted(path, piece.text) ? undefined : judgePath(files, path, piece.text);
    return message === undefined ? [] : [{ ...piece, path, message }];
  });
}
