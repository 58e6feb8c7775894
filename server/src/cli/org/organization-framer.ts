import { createCollector, type RawItem } from "../user/reading/framer.ts";
import { createJsonScanner } from "../user/reading/json-scanner.ts";

/** A value of a member of an organization: an element of a list, or the whole value of another member. */
export interface OrganizationEntry {
  /** Number of the organization in the file, from 0. */
  readonly organization: number;
  readonly member: string;
  readonly isElement: boolean;
  readonly item: RawItem;
}

export interface OrganizationFramer {
  push(chunk: Buffer, emit: (entry: OrganizationEntry) => void): void;
  end(): void;
}

// Depth of the members of an organization in a request to import: dataOrgs, orgs, the organization.
const deepest = 5;

/**
 * Cuts an export of organizations (`{"orgs": […]}`, or within `dataOrgs`) into the values of their members, and lists
 * into their elements, so that an organization with any number of users takes the memory of one of them.
 */
export function createOrganizationFramer(limit: number): OrganizationFramer {
  const collector = createCollector(limit);
  const scanner = createJsonScanner();
  // Whether the bracket that opened each depth is that of an object; only of the outer depths.
  const isObjectAt: boolean[] = [];
  // Depth within the list of organizations.
  let base: number | undefined;
  let organization = -1;
  let isInScalar = false;
  let isNameNext = false;
  let lastName = "";
  let member = "";
  let isInList = false;

  const isAtEntry = (): boolean => base !== undefined && scanner.depth === base + (isInList ? 2 : 1);
  const beginEntry = (at: number): void => {
    if (!isInList) member = lastName;
    collector.open(at);
  };
  return {
    push: (chunk, emit) => {
      const finish = (at: number): void => {
        isInScalar = false;
        emit({ organization, member, isElement: isInList, item: collector.close(chunk, at) });
      };
      scanner.scan(chunk, {
        open: (isObject, at) => {
          const { depth } = scanner;
          if (base === undefined && !isObject && depth <= 2 && lastName === "orgs") base = depth + 1;
          else if (depth === base && isObject) organization++;
          else if (base !== undefined && depth === base + 1 && !isObject && !collector.isOpen) {
            member = lastName;
            isInList = true;
          } else if (isAtEntry() && !collector.isOpen) beginEntry(at);
          if (depth >= deepest) return;
          isObjectAt[depth + 1] = isObject;
          isNameNext = isObject;
        },
        close: (at) => {
          if (isInScalar) finish(at);
          isNameNext = false;
          const { depth } = scanner;
          if (base === undefined) return;
          if (collector.isOpen && isAtEntry()) finish(at + 1);
          else if (depth === base + 1) isInList = false;
          else if (depth < base) {
            base = undefined;
            lastName = "";
          }
        },
        comma: (at) => {
          if (isInScalar) finish(at);
          isNameNext = isObjectAt[scanner.depth] === true;
        },
        value: (at) => {
          if (isInScalar || collector.isOpen || !isAtEntry()) return;
          isInScalar = true;
          beginEntry(at);
        },
        readsName: () => isNameNext && scanner.depth <= deepest && isObjectAt[scanner.depth] === true,
        name: (text) => {
          lastName = text;
          isNameNext = false;
        },
      });
      collector.carry(chunk);
    },
    end: scanner.end,
  };
}
