const type = /^multipart\/form-data\s*;/i;

/** Whether a body says that it is a form that may have files (RFC 7578). */
export const isMultipart = (contentType: string | undefined): contentType is string => type.test(contentType ?? "");

/** A form that may have files; undefined for what cannot be read as one. */
export function readMultipart(contentType: string, body: Uint8Array): Promise<FormData | undefined> {
  return new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType } })
    .formData()
    .catch(() => undefined);
}

/** The file in a field; undefined where none was chosen. What the form says of its type and name is not looked at: bytes speak for themselves. */
export async function fileIn(form: FormData, field: string): Promise<Buffer | undefined> {
  const file = form.get(field);
  return file === null || typeof file === "string" || file.size === 0
    ? undefined
    : Buffer.from(await file.arrayBuffer());
}
