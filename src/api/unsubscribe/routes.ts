import type { FastifyReply, FastifyRequest } from 'fastify'
import { MAIL_LINK_PATH } from '../../model/mail-link.ts'
import { tooManyAttempts } from '../../operations/attempt-limit.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createKeyedRateLimit } from '../../runtime/keyed-rate-limit.ts'
import { networkOf } from '../../runtime/network.ts'
import type { RouteGroup } from '../add-routes.ts'
import { addressOf } from '../client-address.ts'
import { type Route, route } from '../route.ts'
import { donePage, invalidPage, PAGE_POLICY, questionPage } from './page.ts'

export type UnsubscribeRouteDeps = {
  readonly operations: Pick<Operations, 'hooks' | 'audit'>
  readonly clock: Clock
}

/** Per network. Mail services send the clicks of many people from a few addresses. */
const REQUESTS_MAX = 120
const WINDOW_MS = 60_000

const HOOK_CHANGES = {
  pauses: '; the destination is paused',
  resumes: '; the destination is resumed',
} as const

/** The token in the address is the only credential. */
export const unsubscribeGroup: RouteGroup = { prefix: '', authenticate: async () => null }

/**
 * The link with which a recipient of mails unsubscribes (RFC 8058: a POST unsubscribes at once), confirms the address, or subscribes again.
 * Every valid link gets the same answers, also when its recipient was removed or has already decided so.
 */
export function unsubscribeRoutes({ operations: { hooks, audit }, clock }: UnsubscribeRouteDeps): Route[] {
  const limit = createKeyedRateLimit({ max: REQUESTS_MAX, windowMs: WINDOW_MS, clock })
  const take = (request: FastifyRequest) => {
    const waitMs = limit.take(networkOf(addressOf(request)))
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000))
  }
  const show = (reply: FastifyReply, status: number, page: string) =>
    reply
      .code(status)
      .headers({ 'content-security-policy': PAGE_POLICY, 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(page)
  const path = `${MAIL_LINK_PATH}/:token`

  return [
    route({
      method: 'GET',
      path,
      access: 'anyone',
      run: async ({ param, request, reply }) => {
        take(request)
        const purpose = hooks.mailLinkPurpose(param('token'))
        return purpose === null ? show(reply, 404, invalidPage()) : show(reply, 200, questionPage(purpose))
      },
    }),

    route({
      method: 'POST',
      path,
      access: 'anyone',
      run: async ({ param, request, reply }) => {
        take(request)
        const purpose = hooks.mailLinkPurpose(param('token'))
        if (purpose === null) return show(reply, 404, invalidPage())
        const changed = await hooks.followMailLink(param('token'))
        if (changed !== null) {
          const { accountId, hookId, address, changesHook } = changed
          await audit.record({
            accountId,
            actor: { kind: 'none', id: null, name: null },
            clientAddress: addressOf(request),
            action: purpose === 'unsubscribe' ? 'recipient.unsubscribed' : 'recipient.subscribed',
            target: hookId,
            detail: address + (changesHook === null ? '' : HOOK_CHANGES[changesHook]),
          })
        }
        return show(reply, 200, donePage(purpose))
      },
    }),
  ]
}
