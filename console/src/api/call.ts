import type { DescMethodUnary, Message } from "@bufbuild/protobuf";

/** Header that names the organization whose things methods of version 1 are about. */
export const organizationHeader = "x-service-orgid";

/** A call of the API, as a page made it or as a form would make it. */
export interface ApiCall {
  readonly method: DescMethodUnary;
  readonly input: Message;
  /** What a read was answered with. */
  readonly output?: Message;
  /** The organization of the call; methods of version 1 need it. */
  readonly organizationId: string | undefined;
}

interface Level {
  readonly case?: string | undefined;
  readonly value?: unknown;
}

/** Returns the level that a request about settings names; undefined where there is none. */
export const levelOf = ({ input }: ApiCall): Level | undefined =>
  (input as { readonly ctx?: { readonly resourceOwner?: Level } }).ctx?.resourceOwner;
