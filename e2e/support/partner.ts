import { knowProvider } from "../../server/test/identity-provider/attempts.ts";
import { startTestProvider } from "../../server/test/support/test-provider.ts";
import { organizationWith, type Place } from "./walk-flows.ts";

/** An organization whose people may also sign in at a provider. */
export interface Partner {
  readonly organizationId: string;
  /** Asks for the organization at an application. */
  readonly scope: string;
  /** Who is sent to the provider from now on comes back as somebody, without further ado. */
  comesBackAs(sub: string): void;
  /** Who is sent there from now on gives up. */
  givesUp(): void;
}

export async function startPartner(place: Place): Promise<Partner> {
  const { t, server, suffix } = place;
  const provider = await startTestProvider(t, () => server.clock.now);
  let isGivenUp = false;
  provider.answers.set("/authorize", (response, { path }) => {
    const back = provider.signIn(new URL(path, provider.issuer).href);
    if (isGivenUp) {
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
    }
    response.writeHead(303, { location: back.href }).end();
  });
  const identityProviderIds = [await knowProvider(server, provider)];
  return {
    ...(await organizationWith(place, "Partners", { identityProviderIds })),
    comesBackAs: (sub) => {
      isGivenUp = false;
      provider.user = { ...provider.user, sub, email: `${sub}-${suffix}@provider.example` };
    },
    givesUp: () => {
      isGivenUp = true;
    },
  };
}
