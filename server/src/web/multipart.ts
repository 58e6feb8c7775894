const type = /^multipart\/form-data\s*;/i;

/** Whether the content type is that of a form with files (RFC 7578). */
export const isMultipart = (contentType: string | undefined): contentType is string => type.test(contentType ?? "");

// Forms with files have a few fields. To parse thousands would take longer than to receive them.
const mostParts = 20;

/** Parses a form with files; undefined for an invalid one, and for one with more than 20 parts. */
export async function readMultipart(contentType: string, body: Uint8Array): Promise<FormData | undefined> {
  if (hasTooManyParts(body)) return undefined;
  return new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType } })
    .formData()
    .catch(() => undefined);
}

// Each part has this header (RFC 7578 §4.2), wherever a reader takes the boundary to be.
function hasTooManyParts(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  let count = 0;
  for (const _ of text.matchAll(/content-disposition/gi)) if (++count > mostParts) return true;
  return false;
}

/**
 * Returns the file in a field; undefined when none was chosen. The type and name in the form are ignored: the bytes
 * decide.
 */
export async function fileIn(form: FormData, field: string): Promise<Buffer | undefined> {
  const file = form.get(field);
  return file === null || typeof file === "string" || file.size === 0
    ? undefined
    : Buffer.from(await file.arrayBuffer());
}
