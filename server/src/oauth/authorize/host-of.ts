/** Returns the host at which the browser visits the instance. */
export const hostOf = ({ origin }: { readonly origin: string }): string => new URL(origin).hostname;
