import { href } from "../../../src/html/index.ts";
import * as views from "../../../src/pages/login/index.ts";
import { type GalleryView, ofView } from "./gallery-view.ts";

const to = href("/ui/login");
const client = { name: "Acme Shop", host: "shop.acme.example" };
const passkey = { action: to, challengeAction: to };
const common = { action: to, client, passkey, registerHref: to, password: { forgotHref: to } };

const loginNameView = ofView("login-name", views.loginNamePage);
const invitationView = ofView("invitation", views.passwordCodePage);
const rules = { minimumLength: 12, upperCase: false, lowerCase: false, number: false, symbol: false };
const invitation = {
  outcome: "asked",
  purpose: "invitation",
  action: to,
  code: "QX74TD",
  rules,
  methods: {
    password: true,
    passkey: true,
    providers: [
      { id: "1", name: "Google" },
      { id: "2", name: "GitHub" },
    ],
  },
} as const;
const verifyPhoneView = ofView("verify-phone", views.verifyContactPage);
const phone = {
  outcome: "asked",
  contact: "phone",
  action: to,
  resend: { action: to, wait: 30_000 },
  code: "",
} as const;
const combinedView = ofView("combined", views.loginNamePage);

/** The first page of the login where it asks for name and password together, and where an account will be linked. */
export const combinedViews: readonly GalleryView[] = [
  combinedView("default", () => ({ ...common, loginName: "" })),
  combinedView("error", (context) => ({
    ...common,
    loginName: "ada@acme.example",
    errors: [{ field: "password", message: context.say("password.wrong") }],
  })),
  loginNameView("linking", () => ({
    action: to,
    client,
    loginName: "",
    linking: { username: "ada@gmail.example", providerName: "Google" },
  })),
  loginNameView("linking-unnamed", () => ({
    action: to,
    client,
    loginName: "",
    linking: { username: undefined, providerName: undefined },
  })),
  invitationView("default", () => invitation),
  invitationView("error", (context) => ({
    ...invitation,
    againAction: to,
    errors: [{ field: "code", message: context.say("verify_email.text") }],
  })),
  verifyPhoneView("default", () => ({ ...phone, isSentAgain: true })),
  verifyPhoneView("error", (context) => ({
    ...phone,
    errors: [{ field: "code", message: context.say("verify_email.text") }],
  })),
];
