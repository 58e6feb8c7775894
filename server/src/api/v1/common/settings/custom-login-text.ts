import type { Call } from "../../../../call/index.ts";
import type { Details } from "../../../../database/index.ts";
import type { LoginScreens, ShownLoginText } from "../../../../domain/login-text/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

export const ofCall = ({ organizationId = "" }: Call): string => organizationId;

/** Reads the screens of a request: its members that are messages, and of those the members that are text. */
export const readScreens = (request: object): LoginScreens =>
  Object.fromEntries(
    Object.entries(request)
      .filter((entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null)
      .map(([screen, parts]) => [screen, readParts(parts)]),
  );

const readParts = (parts: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parts).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && !entry[0].startsWith("$"),
    ),
  );

export const show = ({ screens, isDefault, details }: ShownLoginText) => ({
  customText: { ...screens, isDefault, ...(details && { details: toObjectDetails(details) }) },
});

// A call that changed nothing has no details.
export const answer = (details: Details | undefined) =>
  details === undefined ? {} : { details: toObjectDetails(details) };
