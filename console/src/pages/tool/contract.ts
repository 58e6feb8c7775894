/** A method as the reference describes it (`/docs/contract/<service>/<method>`). */
export interface MethodDocument {
  readonly service: string;
  readonly method: {
    readonly name: string;
    readonly text: string;
    readonly accessText: string;
    readonly routes: readonly { readonly verb: string; readonly path: string }[];
    readonly request: string;
    readonly example: { readonly body?: object };
  };
  readonly types: Readonly<Record<string, TypeDocument>>;
}

interface TypeDocument {
  readonly fields: readonly FieldDocument[];
  readonly values: readonly { readonly name: string }[];
}

/** A field of a request. */
export interface FieldDocument {
  readonly name: string;
  readonly type: string;
  readonly refersTo?: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly limits: readonly string[];
  readonly text: string;
}

interface SearchIndex {
  readonly services: readonly string[];
  readonly methods: readonly (readonly [service: number, name: string, address: string, text: string])[];
}

/** Name of a method as an address can have it. Anyone can write an address, so nothing else counts. */
export const isMethodName = (name: string): boolean => /^[\w.]{1,100}\/\w{1,100}$/.test(name);

/** Reads what the reference says about a method. The reference is public, and needs no token. */
export async function readMethod(name: string): Promise<MethodDocument | undefined> {
  const response = await fetch(`/docs/contract/${name}`, { credentials: "omit" });
  return response.ok ? ((await response.json()) as MethodDocument) : undefined;
}

/** Reads the names of all methods, those of the current version first. */
export async function readMethodNames(): Promise<readonly { readonly id: string; readonly text: string }[]> {
  const response = await fetch("/docs/index/latest.json", { credentials: "omit" });
  const index = (await response.json()) as SearchIndex;
  return index.methods.map(([service, name, , text]) => ({ id: `${index.services[service]}/${name}`, text }));
}

/** Whether a method only reads, by the names of the contract. Everything else is asked about before it is sent. */
export const isRead = ({ method }: MethodDocument): boolean =>
  /^(?:Get|List|Search|Explain|Count|Is|Healthz)/.test(method.name);
