import { statfsSync } from "node:fs";

const directory = "/dev/shm";
const tmpfs = 0x01021994;
// Several times what the databases of one run have at a time: their log, and eleven megabytes for each.
const enough = 2 * 1024 ** 3;

/**
 * A directory in memory for databases that no test asks to survive the machine, where there is one with room. On a disk
 * that is busy a PostgreSQL server works many times longer for a copy, and SQLite waits with each commit.
 */
export function memoryDirectory(): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync(directory);
    return type === tmpfs && bavail * bsize > enough ? directory : undefined;
  } catch {
    return undefined;
  }
}
