import type { MethodAccess } from "@doorward/api/methods";

/** Describes in a sentence which callers may use a method. */
export function accessText(access: MethodAccess): string {
  switch (access.kind) {
    case "open":
      return "Open to every caller.";
    case "self": {
      const { effectivePermission: effective } = access;
      return effective === undefined
        ? "For every signed-in user."
        : `For every signed-in user; the operation asks for: ${effective}.`;
    }
    case "permission":
      return `Needs the permission \`${access.permission}\`${whereText(access)}.`;
    default:
      return access satisfies never;
  }
}

function whereText({ checkField, organizationField }: Extract<MethodAccess, { kind: "permission" }>): string {
  if (checkField !== undefined) return `, or a role that has it on the resource of \`${checkField}\``;
  return organizationField === undefined ? "" : ` in the organization of \`${organizationField}\``;
}
