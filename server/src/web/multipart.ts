const type = /^multipart\/form-data\s*;/i;

/** Whether the content type is that of a form with files (RFC 7578). */
export const isMultipart = (contentType: string | undefined): contentType is string => type.test(contentType ?? "");

/** Parses a form with files; undefined for an invalid one. */
export function readMultipart(contentType: string, body: Uint8Array): Promise<FormData | undefined> {
  return new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType } })
    .formData()
    .catch(() => undefined);
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
