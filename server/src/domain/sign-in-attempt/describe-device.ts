/** What a browser, or the application that speaks for it, says of itself. */
export interface DescribedAgent {
  readonly description?: string | undefined;
  readonly header?: Readonly<Record<string, readonly string[]>>;
}

/** A device by its common name. Unrecognized parts are left out. */
export interface Device {
  readonly browser?: string | undefined;
  readonly system?: string | undefined;
  /** The description given by the creator of the session. */
  readonly description?: string | undefined;
}

// Each also names the browsers that it is compatible with, so the more specific ones come first.
const browsers: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|OPT|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chromium", /\bChromium\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
];
const systems: readonly (readonly [string, RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\b(?:Macintosh|Mac OS X)\b/],
  ["Linux", /\b(?:Linux|X11)\b/],
];

/** In UTF-16 code units. */
const longestDescription = 100;

/** Describes a browser by its headers. The result consists only of our own words, so its input is harmless. */
export function describeDevice({ header, description }: DescribedAgent): Device {
  const agent = Object.entries(header ?? {}).find(([name]) => name.toLowerCase() === "user-agent")?.[1][0] ?? "";
  const find = (among: typeof browsers): string | undefined => among.find(([, pattern]) => pattern.test(agent))?.[0];
  return {
    browser: find(browsers),
    system: find(systems),
    description: description === undefined || description === "" ? undefined : description.slice(0, longestDescription),
  };
}
