/** The parts of the server's answers that this application reads. Absent members are left out of the JSON. */

export interface AuthRequest {
  readonly id: string;
  readonly creationDate: string;
  readonly redirectUri: string;
  readonly prompt?: readonly string[];
  readonly scope?: readonly string[];
  readonly loginHint?: string;
  readonly hintUserId?: string;
  /** `300s` */
  readonly maxAge?: string;
}

export interface Checked {
  readonly verifiedAt: string;
}

export interface Session {
  readonly id: string;
  readonly expirationDate?: string;
  readonly factors?: {
    readonly user?: Checked & {
      readonly id: string;
      readonly loginName: string;
      readonly displayName: string;
      readonly organizationId: string;
    };
    readonly password?: Checked;
    readonly webAuthN?: Checked & { readonly userVerified?: boolean };
    readonly intent?: Checked;
    readonly totp?: Checked;
    readonly otpSms?: Checked;
    readonly otpEmail?: Checked;
    readonly recoveryCode?: Checked;
  };
}

export interface LoginSettings {
  readonly allowLocalAuthentication?: boolean;
  readonly allowRegister?: boolean;
  readonly allowExternalIdp?: boolean;
  readonly hidePasswordReset?: boolean;
  readonly forceMfa?: boolean;
  readonly forceMfaLocalOnly?: boolean;
  readonly passkeysType?: string;
  readonly secondFactors?: readonly string[];
  readonly passwordCheckLifetime?: string;
  readonly externalLoginCheckLifetime?: string;
  readonly secondFactorCheckLifetime?: string;
  readonly multiFactorCheckLifetime?: string;
}

export interface WrittenSession {
  readonly sessionId?: string;
  readonly sessionToken: string;
  readonly challenges?: {
    readonly webAuthN?: { readonly publicKeyCredentialRequestOptions: { readonly publicKey: object } };
  };
}

export interface User {
  readonly userId: string;
  readonly human?: {
    readonly email?: { readonly email: string; readonly isVerified?: boolean };
    readonly phone?: { readonly isVerified?: boolean };
    readonly passwordChangeRequired?: boolean;
    readonly passwordChanged?: string;
  };
}
