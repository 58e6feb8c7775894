import { Fault } from "../../base/fault.ts";

/**
 * The file in the field `file` of a form (RFC 7578). What the form says of its type and name is not looked at: bytes speak for themselves.
 * Refuses other bodies.
 */
export async function readFile(contentType: string | undefined, body: Uint8Array): Promise<Buffer> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ""))
    throw new Fault("invalid_argument", "request.file_missing");
  const file = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType ?? "" } })
    .formData()
    .then((form) => form.get("file"))
    .catch(() => {
      throw new Fault("invalid_argument", "request.malformed_body");
    });
  if (file === null || typeof file === "string" || file.size === 0) {
    throw new Fault("invalid_argument", "request.file_missing", { field: "file" });
  }
  return Buffer.from(await file.arrayBuffer());
}
