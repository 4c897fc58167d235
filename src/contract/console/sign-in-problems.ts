/** Why a sign-in at the identity provider failed: the page `/sign-in` gets it as `problem`. */
export const SIGN_IN_PROBLEMS = [
  'cancelled',
  'expired',
  'provider_failed',
  'unverified_email',
  'wrong_domain',
  'unknown_user',
  'other_identity',
  'password_user',
] as const
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number]
