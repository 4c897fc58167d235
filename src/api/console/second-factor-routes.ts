import { RequirementBody, type SecondFactorView } from '../../contract/console/people.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

export type SecondFactorRouteDeps = { readonly operations: Pick<Operations, 'secondFactors'> }

/** The second factor of the signed-in user, and the rule of their account. `/auth/two-factor/` turns it on and off. */
export function secondFactorRoutes({ operations: { secondFactors } }: SecondFactorRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/second-factor',
      run: ({ caller }): Promise<SecondFactorView> => secondFactors.of(caller.user.id),
    }),

    route({
      method: 'DELETE',
      path: '/second-factor/trusted-browsers',
      viewersToo: true,
      run: ({ caller }) => secondFactors.forgetTrustedBrowsers(caller.user.id),
    }),

    route({
      method: 'PUT',
      path: '/second-factor/requirement',
      access: 'owner',
      body: RequirementBody,
      run: ({ caller, body }) => secondFactors.require(caller.accountId, caller.user.id, body.required),
    }),
  ]
}
