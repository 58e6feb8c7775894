import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../base/json.ts";
import { defaultLoginSettings, type LoginSettings } from "./documents/login-settings.ts";
import type { SettingsDocuments, SettingsKind } from "./settings.ts";
import { strictFloors } from "./strict-floors.ts";

// The table proves each floor against the type of its setting; here any kind is looked up.
type Raises = Readonly<Record<string, (value: unknown) => unknown>>;
const floors = strictFloors as Partial<Record<SettingsKind, unknown>> as Partial<Record<SettingsKind, Raises>>;

/** Returns the settings as the strict profile has them: what they permit beyond it does not hold. Nothing is stored. */
export function raiseToStrict<Kind extends SettingsKind>(
  kind: Kind,
  settings: SettingsDocuments[Kind],
): SettingsDocuments[Kind] {
  const raises = floors[kind];
  if (raises === undefined) return settings;
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(settings));
  const raised = Object.entries(raises).map(([name, raise]) => [name, raise(values[name])] as const);
  return { ...settings, ...Object.fromEntries(raised) };
}

/**
 * Returns settings to be stored, without what only the profile made of them: a caller who sends back what was shown
 * changes nothing by it. `current` is what is stored. Any other value is stored as it was sent.
 */
export const withoutRaises = <Kind extends SettingsKind>(
  kind: Kind,
  current: SettingsDocuments[Kind],
  wanted: SettingsDocuments[Kind],
): SettingsDocuments[Kind] =>
  keepStored({ current, raised: raiseToStrict(kind, current), wanted }) as SettingsDocuments[Kind];

interface Values {
  readonly current: unknown;
  readonly raised: unknown;
  readonly wanted: unknown;
}

function keepStored({ current, raised, wanted }: Values): unknown {
  if (isRecord(current) && isRecord(raised) && isRecord(wanted)) {
    return Object.fromEntries(
      Object.entries(wanted).map(([name, value]) => [
        name,
        keepStored({ current: current[name], raised: raised[name], wanted: value }),
      ]),
    );
  }
  return isDeepStrictEqual(wanted, raised) && !isDeepStrictEqual(current, raised) ? current : wanted;
}

/**
 * Returns the login settings of an administrator in the strict profile: two factors, whatever the first one was. Where
 * no second factor is allowed, those of new instances are, because the demand must not lock administrators out.
 */
export function demandSecondFactor(settings: LoginSettings): LoginSettings {
  const { secondFactors } = settings;
  const isPossible = secondFactors.some((factor) => factor !== "recovery_codes");
  return {
    ...settings,
    forceMfa: true,
    forceMfaLocalOnly: false,
    secondFactors: isPossible ? secondFactors : [...secondFactors, ...defaultLoginSettings.secondFactors],
  };
}
