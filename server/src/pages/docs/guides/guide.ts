import type { SampleCall } from "../samples/sample-call.ts";

/** A page about something that is no method of the contract. Words between backquotes are code. */
export interface Guide {
  /** Last part of its address. */
  readonly name: string;
  readonly part: GuidePart;
  readonly title: string;
  /** For an endpoint: its methods and path. */
  readonly address?: string;
  readonly lead: string;
  readonly sections: readonly GuideSection[];
}

/** The part of the navigation that lists a guide. */
export type GuidePart = "start" | "oauth" | "saml";

export interface GuideSection {
  readonly title: string;
  readonly text?: readonly string[];
  /** Names with what they mean: parameters, members of an answer, errors. */
  readonly rows?: readonly GuideRow[];
  readonly call?: GuideCall;
  /** An example answer, as text or as JSON. */
  readonly answer?: string | object;
}

export type GuideRow = readonly [name: string, text: string, mark?: "required"];

/** A call whose address is a path of this server. */
export type GuideCall = Omit<SampleCall, "url"> & { readonly path: string };

/** The scope of tokens for the API of Doorward itself. */
export const apiScope = "urn:service:iam:org:project:id:service:aud";
