/**
 * Why a sign-in at the identity provider failed: the page `/sign-in`, or `/account/sign-in` for a user who connects it, gets it as
 * `problem`.
 */
export const SIGN_IN_PROBLEMS = [
  'cancelled',
  'expired',
  'provider_failed',
  'unverified_email',
  'wrong_domain',
  'unknown_user',
  'other_identity',
  'identity_taken',
] as const
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number]
