import { days, hours, type Instant } from "../../base/clock.ts";

/** What a link lets its holder set up. */
export type SetupPart = "domain" | "identity_provider";

/** Who may create and revoke links: those who could as well appoint an administrator of the organization. */
export const creatorPermission = "org.member.write";
export const listerPermission = "org.member.read";

/** Everything that the holder of a link may do, by its parts; `perform-setup-step` has the methods. */
export const permissionsOf: Readonly<Record<SetupPart, readonly string[]>> = {
  domain: ["org.read", "org.write"],
  identity_provider: ["org.read", "org.idp.read", "org.idp.write", "policy.read", "policy.write"],
};

export interface SetupLink {
  readonly linkId: string;
  readonly organizationId: string;
  /** The administrator in whose name everything is done. */
  readonly creatorId: string;
  /** The personal access token with which they created it, if it was one: the link ends with it. */
  readonly creatorTokenId: string | undefined;
  readonly parts: readonly SetupPart[];
  readonly openedAt: Instant | undefined;
  readonly expiresAt: Instant;
  /** When it was ended before that. */
  readonly revokedAt: Instant | undefined;
  /** The same where its holder ended it, and it was not revoked since. */
  readonly finishedAt: Instant | undefined;
  /** The provider that was added with the link; it may have been removed since. */
  readonly identityProviderId: string | undefined;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}

export const lifetimes = { shortest: 1, usual: 3, longest: 7 } as const;

/** Returns the end of a link that is valid for so many days. */
export const endAfter = (now: Instant, lifetimeDays: number): Instant => now + days(lifetimeDays);

/** After this time the browser has to present the link once more, together with its cookie. */
export const sessionLifetime = hours(1);

/** As many links an organization may have that have not ended. */
export const mostOpen = 20;

/** The aggregate of the events of a link. */
export const linkAggregate = ({ linkId, organizationId }: Pick<SetupLink, "linkId" | "organizationId">) =>
  ({ aggregateType: "setup_link", aggregateId: linkId, ownerId: organizationId }) as const;

/** Thrown when a link, its session or the rights behind it have ended, at whichever step that is noticed. */
export class SetupLinkEnded extends Error {
  override readonly name = "SetupLinkEnded";

  constructor() {
    super("the setup link, its session or the rights of its creator have ended");
  }
}
