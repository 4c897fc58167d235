import { InboxBody, type InboxPage, type InboxTest } from '../../contract/console/inbox.ts'
import type { WebhookEvent } from '../../contract/webhook.ts'
import { isInbox } from '../../model/inbox.ts'
import type { WatchedApp } from '../../operations/apps/apps.ts'
import type { HookTest } from '../../operations/hooks/hook-activity.ts'
import { type Member, type Route, route } from '../route.ts'
import { presentAttempt } from '../v1/attempt-view.ts'
import { nameOf, subjectOf } from '../v1/delivery-view.ts'
import { type DestinationViewDeps, destinationView } from './destination-view.ts'

/** The inbox: a destination whose events are shown in the console. */
export function inboxRoutes(deps: DestinationViewDeps): Route[] {
  const { apps, hooks } = deps.operations
  const view = destinationView(deps)
  return [
    route({
      method: 'GET',
      path: '/inbox',
      async run({ caller }): Promise<InboxPage> {
        const { accountId } = caller
        const inbox = (await hooks.list(accountId)).find(isInbox)
        if (inbox === undefined) return { destination: null, tests: [] }
        const [destination, tests, watched] = await Promise.all([
          view.one(inbox),
          hooks.tests(accountId, inbox.id),
          apps.storefronts(accountId),
        ])
        return { destination, tests: tests.map((test) => presentTest(test, watched, caller)) }
      },
    }),

    route({
      method: 'POST',
      path: '/inbox',
      body: InboxBody,
      async run({ caller, body: { app } }) {
        await hooks.openInbox(caller.accountId, app ? { store: app.store, appId: app.app_id } : null)
      },
    }),
  ]
}

function presentTest({ attempt, body }: HookTest, watched: readonly WatchedApp[], caller: Member): InboxTest {
  // The service wrote it, so it is an event of the contract.
  const event = JSON.parse(body) as WebhookEvent
  return {
    event_id: event.event_id,
    event_type: event.event_type,
    subject: subjectOf(event, null),
    store: event.store,
    app_id: event.app_id,
    app_name: nameOf({ store: event.store, appId: event.app_id }, watched),
    created_at: attempt.startedAt.toISOString(),
    body,
    attempt: presentAttempt(attempt, caller),
  }
}
