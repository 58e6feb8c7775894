import type { MethodAccess, Route } from "@doorward/api/methods";

/** The documentation of the contract, generated on first use. */
export interface ReferenceLibrary {
  open(): Promise<ContractReference>;
}

export interface ContractReference {
  /** Changes with the content. */
  readonly version: string;
  /** The OpenAPI document, compressed by gzip. */
  readonly openApi: Uint8Array;
  readonly services: readonly ServiceSummary[];
  /** What any method can be refused with. */
  readonly generalErrors: readonly ErrorReference[];
  /** Returns what the search of the reference looks in. */
  searchIndex(): SearchIndex;
  /** Returns a service by its full name; undefined when there is none. */
  find(name: string): ServiceReference | undefined;
  /** Returns a method; undefined when there is none. Strangers ask, so it reads nothing of other methods' types. */
  findMethod(service: string, name: string): MethodDocument | undefined;
}

/** What can be searched: positions are those of methods. */
export interface SearchIndex {
  readonly services: readonly string[];
  /** Position of the service, name, address and first sentence. */
  readonly methods: readonly (readonly [service: number, name: string, address: string, text: string])[];
  /** Methods by the names of their fields. */
  readonly fields: Readonly<Record<string, readonly number[]>>;
  /** Methods by the ids of their errors. */
  readonly errors: Readonly<Record<string, readonly number[]>>;
}

/** The documentation of a service. Comments are English, like the contract; words between backquotes are code. */
export interface ServiceReference extends ServiceSummary {
  readonly methods: readonly MethodReference[];
}

/** A method, and where it stands in its service. */
export interface MethodDocument {
  readonly service: ServiceOutline;
  readonly method: MethodReference;
  readonly types: TypesByName;
}

/** A service with what lists of its methods show. */
export interface ServiceOutline extends ServiceSummary {
  readonly methods: readonly Pick<MethodReference, "name" | "routes">[];
}

/** Every message and enumeration that methods reach, by name, in the order in which a reader meets them. */
export type TypesByName = Readonly<Record<string, TypeReference>>;

export interface ServiceSummary {
  /** `service.user.v2.UserService` */
  readonly name: string;
  readonly text: string;
  readonly methodCount: number;
  readonly builtCount: number;
}

export interface MethodReference {
  readonly name: string;
  readonly text: string;
  readonly access: MethodAccess;
  /** The permitted callers, as a sentence. */
  readonly accessText: string;
  readonly routes: readonly Route[];
  readonly isBuilt: boolean;
  readonly isDeprecated: boolean;
  /** HTTP status of a successful REST response. */
  readonly successStatus: number;
  /** Names of the messages. */
  readonly request: string;
  readonly response: string;
  readonly example: ExampleCall;
  /** What the method answers, in JSON. */
  readonly answer: object;
  /** What the method can be refused with besides what any method can. */
  readonly errors: readonly ErrorReference[];
}

/** A refusal: its sentence is the text `fault.<id>`. */
export interface ErrorReference {
  readonly code: string;
  readonly id: string;
  /** HTTP status of the answer. */
  readonly status: number;
}

/** A request that works once its values are replaced. Its token is the variable `$DOORWARD_TOKEN`. */
export interface ExampleCall {
  readonly verb: string;
  /** Path with example values, and the query. */
  readonly path: string;
  /** Names and values of headers besides the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

export interface TypeReference {
  readonly name: string;
  readonly text: string;
  /** For a message. */
  readonly fields: readonly FieldReference[];
  /** For an enumeration. */
  readonly values: readonly { readonly name: string; readonly text: string }[];
}

export interface FieldReference {
  /** Name in JSON. */
  readonly name: string;
  /** Type of its values in JSON: `string`, `list of User`. */
  readonly type: string;
  /** Name of a type that is described elsewhere. */
  readonly refersTo: string | undefined;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Whether its values are secrets. */
  readonly isSecret: boolean;
  /** Its rules in a few words: `1 to 200 characters`. */
  readonly limits: readonly string[];
  /** Members of the same choice, of which only one may be set. */
  readonly others: readonly string[];
  readonly text: string;
}
