/** A name that a page or comment may have although the repository has nothing of that name, and why. */
export interface Exception {
  /** The only file that may name it; every file without. */
  readonly in?: string;
  readonly name: RegExp;
  readonly because: string;
}

export const exceptions: readonly Exception[] = [
  { name: /^(?:\.\/)?\.doorward(?:\/|$)/, because: "`doorward dev` makes it, and git ignores it" },
  { name: /^dist\/$/, because: "`npm ci` builds the console into it, and git ignores it" },
  { name: /^tools\/run\/times\.json$/, because: "`npm test -- --record` writes it" },
  { in: "ARCHITECTURE.md", name: /^(?:set-)?thing[.-]/, because: "the names of a module's files, with a noun put in" },
  { in: "docs/conformance.md", name: /^/, because: "server/test/docs/conformance.test.ts reads its names of tests" },
  { in: "tools/conventions/names.ts", name: /^docs\/work\/$/, because: "an example of a path that means no machine" },
  { in: "e2e/support/openapi-client.ts", name: /^\.\/schema\.js$/, because: "generated into a temporary folder" },
];

/** Whether a file may name something that is not there. */
export const isExcepted = (file: string, named: string): boolean =>
  exceptions.some(({ in: only, name }) => (only === undefined || only === file) && name.test(named));
