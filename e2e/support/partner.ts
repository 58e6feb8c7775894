import { knowProvider } from "../../server/test/identity-provider/attempts.ts";
import { startTestProvider } from "../../server/test/support/identity-provider/test-provider.ts";
import { type Fixtures, organizationWith } from "./walk-flows.ts";

/** An organization whose users may also sign in at a provider. */
export interface Partner {
  readonly organizationId: string;
  /** Asks for the organization at an application. */
  readonly scope: string;
  /** From now on a browser that is sent to the provider comes back as this user, without further questions. */
  comesBackAs(sub: string): void;
  /** From now on a user who is sent to the provider gives up. */
  givesUp(): void;
}

export async function startPartner(fixtures: Fixtures): Promise<Partner> {
  const { t, server, suffix } = fixtures;
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
    ...(await organizationWith(fixtures, "Partners", { identityProviderIds })),
    comesBackAs: (sub) => {
      isGivenUp = false;
      provider.user = { ...provider.user, sub, email: `${sub}-${suffix}@provider.example` };
    },
    givesUp: () => {
      isGivenUp = true;
    },
  };
}
