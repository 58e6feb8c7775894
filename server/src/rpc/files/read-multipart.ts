import { Fault } from "../../base/fault.ts";
import { fileIn, isMultipart, readMultipart } from "../../web/index.ts";

/** Reads the file in the field `file` of a form (RFC 7578). Refuses other bodies. */
export async function readFile(contentType: string | undefined, body: Uint8Array): Promise<Buffer> {
  if (!isMultipart(contentType)) throw new Fault("invalid_argument", "request.file_missing");
  const form = await readMultipart(contentType, body);
  if (form === undefined) throw new Fault("invalid_argument", "request.malformed_body");
  const file = await fileIn(form, "file");
  if (file === undefined) throw new Fault("invalid_argument", "request.file_missing", { field: "file" });
  return file;
}
