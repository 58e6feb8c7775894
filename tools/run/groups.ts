/** Test files that share one process, in the order in which it runs them. */
export interface TestGroup {
  readonly files: readonly string[];
  /** Nothing else runs beside it, because it measures time as users notice it. */
  readonly isAlone: boolean;
}

/** What is known of a test file before it runs. */
export interface TestFile {
  readonly path: string;
  /** From the comment `A process of its own: why.`; absent for files that share a process. */
  readonly ownProcess?: string | undefined;
  /** Milliseconds that it took the last time; absent when it has not been run yet. */
  readonly lastTime?: number | undefined;
}

// Loading the product and compiling what is used often is paid once per process: 75 instead of 30 save a twelfth of the
// processor time of tests. With more, the last group would end later.
const filesPerProcess = 75;
// A file that takes this long gains nothing from sharing a process, and the end of the run would wait for its group.
const longFile = 20_000;
const unknownTime = 3000;
const alone = ["e2e/test/pages-speed.test.ts"];

/**
 * Divides test files among processes. Which files share one depends on nothing but the files and the recorded times, so
 * that a failure comes back when the same files are run again. The group that took longest comes first.
 */
export function groupFiles(files: readonly TestFile[], recorded: ReadonlyMap<string, number>): TestGroup[] {
  const isSingle = (file: TestFile): boolean =>
    file.ownProcess !== undefined || alone.includes(file.path) || (recorded.get(file.path) ?? 0) >= longFile;
  const shared = files.filter((file) => !isSingle(file));
  const groups = [
    ...files.filter(isSingle).map((file) => [file]),
    ...Object.values(Object.groupBy(shared, ({ path }) => path.split("/", 1)[0] ?? "")).flatMap((part = []) =>
      chunk(part),
    ),
  ];
  return groups
    .map((members) => ({ members, time: predict(members) }))
    .sort((a, b) => b.time - a.time)
    .map(({ members }) => {
      const paths = members.map(({ path }) => path);
      return { files: paths, isAlone: paths.some((path) => alone.includes(path)) };
    });
}

// Of equal size, so that no process is started for the two files that were left over.
function chunk(files: readonly TestFile[]): TestFile[][] {
  const count = Math.ceil(files.length / filesPerProcess);
  return Array.from({ length: count }, (_, index) =>
    files.slice(Math.round((index * files.length) / count), Math.round(((index + 1) * files.length) / count)),
  );
}

const predict = (files: readonly TestFile[]): number =>
  files.reduce((total, { lastTime = unknownTime }) => total + lastTime, 0);

const ownProcess = /^\/\/ A process of its own: (.+)$/m;

/** Why a test file needs a process of its own, as a line near its top says. */
export function reasonForOwnProcess(text: string): string | undefined {
  return ownProcess.exec(text.split("\n").slice(0, 40).join("\n"))?.[1];
}
