import { closeSync, fdatasync, fstatSync, openSync, statSync } from "node:fs";
import { promisify } from "node:util";

const sync = promisify(fdatasync);

/**
 * SQLite's write-ahead log, with a file descriptor of our own: syncing through it happens in the thread pool, while
 * SQLite itself would do it on the event loop.
 */
export class WalFile {
  readonly #path: string;
  #descriptor: number | undefined;
  #inode = 0;

  constructor(databaseFile: string) {
    this.#path = `${databaseFile}-wal`;
  }

  /** Resolves when everything written to the log before this call is on the disk. */
  async sync(): Promise<void> {
    // SQLite reuses the file, but may replace it (after another program was the last to close the database). Syncing
    // the old descriptor would then have no effect. Checked after the commit, so the file is the one that the commit
    // went to.
    const current = statSync(this.#path).ino;
    if (this.#descriptor === undefined || current !== this.#inode) this.#reopen();
    await sync(this.#descriptor as number);
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }

  // No other file of the database may be opened and closed like this: closing one drops the locks that SQLite holds on
  // it for this process. SQLite locks the database file and its index of the log, never the log.
  #reopen(): void {
    this.close();
    this.#descriptor = openSync(this.#path, "r+");
    this.#inode = fstatSync(this.#descriptor).ino;
  }
}
