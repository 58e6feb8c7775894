// Messages to the server, of the extended query protocol (PostgreSQL, "Message Formats"). Values are sent as text.
const parse = 0x50;
const bind = 0x42;
const close = 0x43;
const describePortal = Buffer.from("D\0\0\0\x06P\0", "latin1");
const execute = Buffer.from("E\0\0\0\x09\0\0\0\0\0", "latin1");
const sync = Buffer.from("S\0\0\0\x04", "latin1");

const initialBytes = 64 * 1024;
/** UTF-8 has at most three bytes for a unit of a string. */
const mostBytesOfUnit = 3;

/** Writes messages one after another into a buffer that is used again for the next packet. */
export class FrontendMessages {
  #buffer = Buffer.allocUnsafeSlow(initialBytes);
  #end = 0;

  /** Prepares a statement; an unnamed one until the next. */
  parse(name: string, text: string): void {
    const start = this.#begin(parse, (name.length + text.length) * mostBytesOfUnit + 4);
    this.#cString(name);
    this.#cString(text);
    // The server decides on the types of all parameters.
    this.#int16(0);
    this.#finish(start);
  }

  /** Forgets a prepared statement, if it exists. */
  close(name: string): void {
    const start = this.#begin(close, name.length * mostBytesOfUnit + 2);
    this.#buffer[this.#end++] = "S".charCodeAt(0);
    this.#cString(name);
    this.#finish(start);
  }

  /** Gives a prepared statement its values. */
  bind(name: string, values: readonly unknown[]): void {
    const start = this.#begin(bind, name.length * mostBytesOfUnit + 8);
    this.#buffer[this.#end++] = 0;
    this.#cString(name);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#room(2);
    this.#int16(0);
    this.#finish(start);
  }

  /** Asks for the columns of what was bound. */
  describe(): void {
    this.#copy(describePortal);
  }

  execute(): void {
    this.#copy(execute);
  }

  /** Ends a packet: the server commits, unless a transaction was begun, and answers that it is ready. */
  sync(): void {
    this.#copy(sync);
  }

  /** Returns the packet that was written, and begins another one. */
  take(): Buffer {
    const packet = Buffer.from(this.#buffer.subarray(0, this.#end));
    this.#end = 0;
    if (this.#buffer.length > initialBytes) this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    return packet;
  }

  #begin(code: number, room: number): number {
    this.#room(room + 5);
    this.#buffer[this.#end] = code;
    const start = this.#end + 1;
    this.#end += 5;
    return start;
  }

  #finish(start: number): void {
    this.#buffer.writeInt32BE(this.#end - start, start);
  }

  #value(value: unknown): void {
    if (value === null || value === undefined) {
      this.#room(4);
      this.#end = this.#buffer.writeInt32BE(-1, this.#end);
      return;
    }
    const text = typeof value === "string" ? value : String(value);
    this.#room(4 + text.length * mostBytesOfUnit);
    const length = this.#buffer.write(text, this.#end + 4);
    this.#buffer.writeInt32BE(length, this.#end);
    this.#end += 4 + length;
  }

  #cString(text: string): void {
    this.#end += this.#buffer.write(text, this.#end);
    this.#buffer[this.#end++] = 0;
  }

  #int16(value: number): void {
    this.#end = this.#buffer.writeUInt16BE(value, this.#end);
  }

  #copy(bytes: Buffer): void {
    this.#room(bytes.length);
    bytes.copy(this.#buffer, this.#end);
    this.#end += bytes.length;
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#end + bytes));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
