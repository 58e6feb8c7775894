/**
 * Public origin of an instance: scheme and port of the configured base URL, primary host of the instance. Never what a request
 * header says, because links that are mailed would then go where a stranger wants.
 */
export function instanceOrigin(configuredBaseUrl: string, instance: { readonly primaryHost: string }): string {
  const { protocol, port } = new URL(configuredBaseUrl);
  return `${protocol}//${instance.primaryHost}${port === "" ? "" : `:${port}`}`;
}
