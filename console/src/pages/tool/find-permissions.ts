import type { Choice } from "../../parts/picker.tsx";
import { type TextKey, t } from "../../text/catalogue.ts";

/** Headings of the permissions whose names begin with a word; the first that fits counts. */
const groups: readonly (readonly [begins: RegExp, heading: TextKey])[] = [
  [/\.member\./, "nav.administrators"],
  [/^(?:user|session|group)\./, "nav.users"],
  [/^project\./, "nav.projects"],
  [/^policy\.|^iam\.(?:policy|idp|feature|restrictions|web_key)\./, "nav.settings"],
  [/^org\./, "nav.organizations"],
  [/^action\./, "nav.automation"],
  [/^(?:events|milestones)\./, "nav.activity"],
];

/**
 * Finds what can be asked about: the permissions that methods ask for, by group, then methods. What is typed is offered
 * as well, because roles also have permissions that no method asks for.
 */
export async function findPermissions(text: string): Promise<readonly Choice[]> {
  const wanted = text.toLowerCase();
  const known = await readChoices();
  const found = known.filter(
    ({ name, detail = "", group = "" }) =>
      (wanted !== "" || detail === "") && `${name} ${detail} ${group}`.toLowerCase().includes(wanted),
  );
  const isNew = /^[\w.:/]+$/.test(text) && !known.some(({ id }) => id === text);
  return [...found.slice(0, most), ...(isNew ? [{ id: text, name: text }] : [])];
}

/** Permissions are fewer; a part of the name of a method finds many. */
const most = 150;

async function readChoices(): Promise<readonly Choice[]> {
  // A large table, which is read when the field is first used.
  const { methods } = await import("@doorward/api/methods");
  const permissions = new Set(
    methods.flatMap(({ access, isSystem }) => (isSystem || access.kind === "open" ? [] : namesOf(access))),
  );
  const headings = [...groups.map(([, heading]) => heading), "administrator.level.instance" as const];
  const inOrder = [...permissions].sort().map((id) => ({ id, heading: headingOf(id) }));
  return [
    ...headings.flatMap((heading) =>
      inOrder.filter((each) => each.heading === heading).map(({ id }) => ({ id, name: id, group: t(heading) })),
    ),
    ...methods
      .filter(({ isSystem }) => !isSystem)
      .map(({ service, method }) => ({
        id: `${service}/${method}`,
        name: method,
        detail: service,
        group: t("explain.methods"),
      })),
  ];
}

const headingOf = (name: string): TextKey =>
  groups.find(([begins]) => begins.test(name))?.[1] ?? "administrator.level.instance";

/** Several permissions may allow a method; the last word says it in a sentence. */
const namesOf = (access: { readonly permission?: string; readonly effectivePermission?: string }): readonly string[] =>
  `${access.permission ?? ""} ${access.effectivePermission ?? ""}`.match(/[a-z_]+(?:\.[a-z_]+)+/g) ?? [];
