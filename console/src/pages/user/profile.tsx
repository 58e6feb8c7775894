import type { User } from "@doorward/api/service/user/v2/user_pb";
import { ContactForms } from "./contact-forms.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { ServiceAccountForm } from "./service-account-form.tsx";
import { UserFrame } from "./user-frame.tsx";

/** What a user is called and how they are reached. */
export const UserProfilePage = () => <UserFrame>{(user) => <Forms key={user.userId} user={user} />}</UserFrame>;

const Forms = ({ user }: { readonly user: User }) =>
  user.type.case === "human" ? (
    <>
      <ProfileForm user={user} human={user.type.value} />
      <ContactForms user={user} human={user.type.value} />
    </>
  ) : (
    <ServiceAccountForm user={user} />
  );
