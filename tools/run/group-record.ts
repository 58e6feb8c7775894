import type { FileResult } from "./file-result.ts";
import { mark } from "./marks.ts";

/** Puts together, file by file, what the process of a group reports. */
export interface GroupRecord {
  pass(name: string, nesting: number, isSuite: boolean): void;
  skip(name: string, nesting: number, reason: string | boolean): void;
  /** A failed test, or with `name` undefined the file itself. */
  fail(name: string | undefined, line: number | undefined, text: string): void;
  /** All tests of a file have been reported. A file reported twice has one result. */
  endFile(file: string, milliseconds: number): void;
  /** The process of the group ended with an error. */
  failProcess(text: string): void;
  /** A failure found after the tests. */
  failFile(file: string, text: string): void;
  /** Keeps what was printed; returns it without the lines that are for the runner. */
  print(stream: "stdout" | "stderr", text: string): string;
  /** Results of all files; one that was not reached has failed. */
  close(): FileResult[];
}

interface Running {
  passed: { name: string; nesting: number }[];
  skipped: string[];
  failures: string[];
  milliseconds: number;
}

/**
 * Starts a record for files that run in this order. `onFile` is called for each file as soon as its result is certain.
 */
export function createRecord(files: readonly string[], onFile: (result: FileResult) => void): GroupRecord {
  const results = new Map<string, FileResult>();
  const printed = new Map<string, string>();
  const cpu = new Map<string, { begin: number; end?: number }>();
  const writer = { stdout: "", stderr: "" };
  const partial = { stdout: "", stderr: "" };
  const stuck: { file: string; text: string }[] = [];
  let running = empty();
  let ended: string | undefined;
  let processFailure: string | undefined;

  const current = (): string => files.find((file) => !results.has(file) && file !== ended) ?? files.at(-1) ?? "";
  const flush = (): void => {
    if (ended === undefined) return;
    const { begin = 0, end = begin } = cpu.get(ended) ?? {};
    const result = toResult(ended, running, end - begin, printed.get(ended) ?? "");
    results.set(ended, result);
    running = empty();
    ended = undefined;
    onFile(result);
  };

  const readMark = (stream: "stdout" | "stderr", line: string): void => {
    const {
      word,
      file,
      cpu: used,
    } = JSON.parse(line.slice(mark.length)) as { word: string; file: string; cpu: number };
    writer[stream] = file;
    if (word === "begin") cpu.set(file, cpu.get(file) ?? { begin: used });
    else cpu.set(file, { begin: cpu.get(file)?.begin ?? used, end: used });
  };

  const failFile = (file: string, text: string): void => {
    flush();
    const known = results.get(file) ?? toResult(file, { ...empty(), failures: ["no result"] }, 0, "");
    const failure = `✖ ${text} (${file})`;
    const report =
      known.failed === 0 ? [failure, lastLines(printed.get(file) ?? "")].join("\n") : `${known.report}\n${failure}`;
    const result = { ...known, failed: known.failed + 1, report };
    results.set(file, result);
    onFile(result);
  };

  return {
    pass(name, nesting, isSuite) {
      flush();
      // Tests of a suite are reported before the suite.
      const named = running.passed.map((test) =>
        test.nesting > nesting ? { name: `${name} > ${test.name}`, nesting } : test,
      );
      running.passed = isSuite ? named : [...named, { name, nesting }];
    },
    skip(name, _nesting, reason) {
      flush();
      running.skipped.push([name, reason].filter((part) => typeof part === "string").join(": "));
    },
    fail(name, line, text) {
      if (name !== undefined) flush();
      const file = ended ?? current();
      running.failures.push(`✖ ${name ?? file} (${file}:${line ?? 1})\n${text.replace(/^/gm, "    ")}`);
    },
    endFile(file, milliseconds) {
      if (ended !== undefined && ended !== file) flush();
      ended = file;
      running.milliseconds += milliseconds;
    },
    failProcess(text) {
      processFailure = text;
    },
    failFile,
    print(stream, text) {
      const lines = (partial[stream] + text).split("\n");
      partial[stream] = lines.pop() ?? "";
      const said: string[] = [];
      for (const line of lines) {
        const at = line.indexOf(mark);
        if (at !== -1) readMark(stream, line.slice(at));
        const rest = at === -1 ? `${line}\n` : line.slice(0, at);
        said.push(rest);
        printed.set(writer[stream], (printed.get(writer[stream]) ?? "") + rest);
        if (rest.startsWith("does not end: ")) stuck.push({ file: writer[stream], text: rest.trimEnd() });
      }
      return said.join("");
    },
    close() {
      flush();
      const unfinished = files.filter((one) => !results.has(one));
      const culprit = unfinished.includes(writer.stdout) ? writer.stdout : unfinished[0];
      for (const file of unfinished) {
        running = empty();
        running.failures.push(
          file === culprit
            ? `✖ was not run to its end (${file}): ${processFailure ?? "its process ended"}`
            : `✖ has no result (${file}), because the process ended in ${culprit}`,
        );
        ended = file;
        flush();
      }
      for (const { file, text } of stuck) failFile(file, text);
      if (processFailure !== undefined && unfinished.length + stuck.length === 0)
        failFile(files.at(-1) ?? "", processFailure);
      return [...results.values()];
    },
  };
}

const empty = (): Running => ({ passed: [], skipped: [], failures: [], milliseconds: 0 });

function toResult(file: string, running: Running, cpuMilliseconds: number, printed: string): FileResult {
  const { passed, skipped, milliseconds } = running;
  const count = passed.length + skipped.length + running.failures.length;
  const failures = count === 0 ? [`✖ has no test (${file})`] : running.failures;
  const report = failures.length === 0 ? "" : [...failures, lastLines(printed)].join("\n");
  const names = passed.map(({ name }) => name);
  return { file, passed: names, failed: failures.length, skipped, milliseconds, cpuMilliseconds, report };
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split("\n").slice(-60);
  return lines.join("\n") === "" ? "" : `  printed:\n${lines.join("\n").replace(/^/gm, "    ")}`;
}
