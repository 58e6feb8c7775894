/** A path of `google.api.http` in the router's syntax, with the fields of its variables. */
export interface PathTemplate {
  readonly path: string;
  /** Variable of the router → field of the request. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * Translates a path template (`/v2/users/{user_id}`, `/roles/{role_key=**}`). Variables are single fields; a segment
 * pattern may only be `*` or a closing `**`, which is all that the contract uses.
 */
export function parsePathTemplate(template: string): PathTemplate {
  const variables = new Map<string, string>();
  const path = template.replace(
    /\{([a-z0-9_]+)(?:=(\*{1,2}))?\}/g,
    (_match, field: string, pattern: string | undefined) => {
      const variable = pattern === "**" ? "*" : field;
      variables.set(variable, field);
      return variable === "*" ? "*" : `:${field}`;
    },
  );
  if (/[{}]/.test(path)) throw new Error(`path template ${template} has a form that is not supported`);
  return { path, variables };
}
