/** Whether an `Accept-Encoding` header accepts a coding (RFC 9110 §12.5.3): named, and not with a weight of zero. */
export const accepts = (header: string | undefined, coding: string): boolean =>
  (header ?? "").split(",").some((part) => {
    const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
