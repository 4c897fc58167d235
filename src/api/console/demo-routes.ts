import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { basePathOf } from '../../model/base-path.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'
import type { SignIn } from './sign-in.ts'

/** A user whom a link signs in once, so that the demo opens on a page with data. */
export type DemoUser = { readonly key: string; readonly email: string; readonly password: string }

export type DemoDeps = {
  readonly publicUrl: () => string
  readonly signIn: () => Promise<SignIn>
  /** Null until the demo has created its account. Absent outside the demo, where the route does not exist. */
  readonly demoUser?: (() => DemoUser | null) | undefined
}

export function demoRoutes({ signIn, demoUser, publicUrl }: DemoDeps): Route[] {
  if (demoUser === undefined) return []
  let used = false
  return [
    route({
      method: 'GET',
      path: '/demo',
      access: 'anyone',
      query: z.object({ key: z.string({ error: 'key: is required; it is in the link' }).max(200) }),
      async run({ query, request, reply }) {
        const user = demoUser()
        const { user: present } = await (await signIn()).sessionOf(request.headers.cookie)
        if (present === null) {
          if (user === null || used || !isSame(query.key, user.key)) {
            throw new ApiError('forbidden', 'This link signs in once. Start the demo again for a new one.')
          }
          used = true
          reply.header('set-cookie', await (await signIn()).open(user))
        }
        return reply.redirect(`${basePathOf(publicUrl())}/`, 302)
      },
    }),
  ]
}

function isSame(a: string, b: string): boolean {
  const [given, wanted] = [Buffer.from(a), Buffer.from(b)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
