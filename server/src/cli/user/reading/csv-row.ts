/** Characters that may separate the fields of a record. */
const delimiters = [",", ";", "\t", "|"] as const;

/** Returns the fields of a record (RFC 4180 §2); undefined when its quotes are not paired. */
export function parseCsvRow(text: string, delimiter: string): string[] | undefined {
  const fields: string[] = [];
  let index = 0;
  for (;;) {
    let field = "";
    if (text[index] === '"') {
      for (;;) {
        const end = text.indexOf('"', index + 1);
        if (end < 0) return undefined;
        field += text.slice(index + 1, end);
        index = end + 1;
        if (text[index] !== '"') break;
        field += '"';
      }
      if (index < text.length && text[index] !== delimiter) return undefined;
    } else {
      const found = text.indexOf(delimiter, index);
      const end = found < 0 ? text.length : found;
      field = text.slice(index, end);
      if (field.includes('"')) return undefined;
      index = end;
    }
    fields.push(field);
    if (index >= text.length) return fields;
    index++;
  }
}

/** Returns the delimiter that occurs most in the first record, outside of quotes. */
export function guessDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const counts = delimiters.map((delimiter) => bare.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}
