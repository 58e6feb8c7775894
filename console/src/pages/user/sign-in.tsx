import { IdentityLinks } from "./identity-links.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SecondFactors } from "./second-factors.tsx";
import { UserFrame } from "./user-frame.tsx";

/** The ways in which a person can sign in, each of which can be taken away. */
export const UserSignInPage = () => (
  <UserFrame>
    {(user) =>
      user.type.case === "human" && (
        <>
          <PasswordSection user={user} human={user.type.value} />
          <Passkeys user={user} />
          <SecondFactors user={user} />
          <IdentityLinks user={user} />
        </>
      )
    }
  </UserFrame>
);
