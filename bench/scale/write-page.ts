import type { Measured, Times } from "./measure-cases.ts";

export interface Result extends Measured {
  readonly engine: string;
  readonly size: number;
  readonly peopleAlonePerSecond: number;
  readonly peoplePerSecond: number;
  readonly bytesPerPerson: number;
}

/** The results as a page in Markdown: a column for each database, a row for each case. */
export function writePage(results: readonly Result[], repeats: number): string {
  const names = [...new Set(results.flatMap(({ times }) => [...times.keys()]))];
  const head = ["", ...results.map(({ engine, size }) => `${engine} ${size.toLocaleString("en")}`)];
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const cell = (times: Times | undefined): string =>
    times === undefined ? "" : [times.p50, times.p95, times.p99].map((value) => value.toFixed(0)).join(" / ");
  return [
    `# Lists and searches as an instance grows, ${new Date().toISOString().slice(0, 10)}`,
    "",
    `Milliseconds, p50 / p95 / p99 of ${repeats} calls one after another, a page of 100, by Connect JSON, caller is an owner of the instance. An`,
    "organization for every 100 people, a role for every tenth, five events for each. Calls from which the host of the machine took processor",
    "time were made again and do not count.",
    "",
    row(head),
    row(head.map((_each, index) => (index === 0 ? "---" : "--:"))),
    row(["people alone added per second", ...results.map((each) => each.peopleAlonePerSecond.toFixed(0))]),
    row(["people with all of theirs added per second", ...results.map((each) => each.peoplePerSecond.toFixed(0))]),
    row(["bytes per person, with all of theirs", ...results.map(({ bytesPerPerson }) => bytesPerPerson.toFixed(0))]),
    row([
      "calls that the host disturbed, made again",
      ...results.map(({ disturbed }) => `${Math.round(100 * disturbed)} %`),
    ]),
    ...names.map((name) => row([name, ...results.map(({ times }) => cell(times.get(name)))])),
    "",
  ].join("\n");
}
