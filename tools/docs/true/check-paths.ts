import { posix } from "node:path";
import { type FileIndex, foldersAbove } from "./file-index.ts";

const endings = "ts|tsx|js|mjs|cjs|json|sql|css|proto|md|sh|txt|yaml|yml|binpb|png|html|svg";
const fileEnding = new RegExp(`[\\w>}*]\\.(?:${endings})$`);
const pathForm = /^(?:\.{1,2}\/)*[\w.@<>{},*…-]+(?:\/[\w.<>{},*…-]+)*\/?$/;

// What begins like a folder of ours (`text`) and is a media type, or the beginning of one.
const mediaType = /^(?:application|audio|font|image|multipart|text|video)\/(?:[a-z][\w.+-]*)?$/;

/** Rooms of the server and files of the contract are named from here (`base/outbound`). */
const roots = ["server/src", "proto"];

/**
 * What is wrong with a text in backticks that names a file or folder of the repository; undefined when nothing is, and
 * for what names none. A path is
 * - what ends like a file (`check-paths.ts`, `server/src/app.ts`): it exists beside the page, in a folder above it, in
 *   one of the `roots`, or at any depth below the folder of the page;
 * - what ends in `/` and does not begin with it (`tools/`): a folder at one of these paths;
 * - what has a `/` and begins with the name of a folder there (`base/outbound`, `http/router`): a folder, or a file
 *   whose ending is left out.
 * `<language>`, `…` and `*` stand for any text, `{a,b}` for either. Names that every module has (`index.ts`,
 * `*.store.ts`) may be anywhere.
 */
export function judgePath(files: FileIndex, page: string, text: string): string | undefined {
  const named = text.replace(/#[\w-]+$/, "");
  if (!pathForm.test(named) || mediaType.test(named) || named.startsWith("@")) return undefined;
  const folders = [...foldersAbove(page), ...roots];
  const [first = ""] = named.split("/", 1);
  const isFolder = named.endsWith("/");
  const beginsWithFolder = named.includes("/") && (/^\.{1,2}$/.test(first) || folders.some(hasFolder(files, first)));
  if (!isFolder && !fileEnding.test(named) && !beginsWithFolder) return undefined;
  const path = named.replace(/\/$/, "").replaceAll(/<[^>]*>|…/g, "*");
  return isThere(files, { folders, path, mayLackEnding: !isFolder }) ? undefined : "does not exist";
}

const hasFolder = (files: FileIndex, name: string) => {
  return (folder: string): boolean => files.namesIn(folder).has(name) && !fileEnding.test(name);
};

interface Search {
  readonly folders: readonly string[];
  readonly path: string;
  readonly mayLackEnding: boolean;
}

function isThere(files: FileIndex, { folders, path, mayLackEnding }: Search): boolean {
  const isPattern = /[*{]/.test(path);
  const own = folders[0] ?? "";
  for (const folder of folders) {
    const full = posix.join(folder, path);
    if (isPattern ? files.hasMatch(full) : files.has(full)) return true;
    if (mayLackEnding && !fileEnding.test(path) && hasFileCalled(files, full)) return true;
  }
  if (path.startsWith("..")) return false;
  // Guides are about the whole repository; a README is about its folder.
  const below = own === "docs" || isOfEveryModule(path) ? "" : own;
  return isPattern ? files.hasMatch(posix.join(below, "**", path)) : files.hasBelow(below, path);
}

const isOfEveryModule = (path: string): boolean => /^(?:index\.ts|README\.md|\*[\w.-]+)$/.test(path);

// `http/router` for `http/router.ts`, `e2e/test/flows-` for what begins so.
function hasFileCalled(files: FileIndex, path: string): boolean {
  const name = posix.basename(path);
  const beginning = name.endsWith("-") ? name : `${name}.`;
  const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
  return [...files.namesIn(folder)].some((other) => other.startsWith(beginning));
}
