/** The metrics of one process in the text format of Prometheus, and the name that distinguishes it from others. */
export interface ProcessMetrics {
  readonly worker: string;
  readonly text: string;
}

interface Family {
  readonly head: string[];
  readonly samples: Map<string, number>;
  type: string;
}

/**
 * Merges the metrics of several processes: what counts is added up; everything else (memory, event loop, the processor
 * time of each process) is labeled by worker.
 */
export function mergeMetrics(processes: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of processes) readInto(families, text, worker);
  return [...families.values()].flatMap(familyLines).join("\n").concat("\n");
}

/** Returns what counts among metrics, so that it can still be added up when its process has ended. */
export function countersOf(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) readInto(families, text, "");
  const counters = [...families].filter(([name, { type }]) => isCounted(name, type));
  return counters
    .flatMap(([, family]) => familyLines(family))
    .join("\n")
    .concat("\n");
}

const familyLines = ({ head, samples }: Family): string[] =>
  samples.size === 0 ? [] : [...head, ...[...samples].map(([sample, value]) => `${sample} ${value}`)];

function readInto(families: Map<string, Family>, text: string, worker: string): void {
  let family: Family | undefined;
  let name = "";
  for (const line of text.split("\n")) {
    const [, kind = "", of = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind !== "") {
      name = of;
      family = families.get(of) ?? { head: [], samples: new Map(), type: "untyped" };
      families.set(of, family);
      if (!family.head.includes(line)) family.head.push(line);
      if (kind === "TYPE") family.type = rest;
      continue;
    }
    const cut = line.lastIndexOf(" ");
    if (line === "" || line.startsWith("#") || cut < 0 || family === undefined) continue;
    const isSum = isCounted(name, family.type);
    const sample = isSum ? line.slice(0, cut) : withWorker(line.slice(0, cut), worker);
    family.samples.set(sample, (isSum ? (family.samples.get(sample) ?? 0) : 0) + Number(line.slice(cut + 1)));
  }
}

// Counters of the process itself, such as its processor time, belong to one process.
const isCounted = (name: string, type: string): boolean =>
  name.startsWith("doorward_") && (type === "counter" || type === "histogram");

function withWorker(sample: string, worker: string): string {
  const label = `worker="${worker}"`;
  return sample.endsWith("}") ? `${sample.slice(0, -1)},${label}}` : `${sample}{${label}}`;
}
