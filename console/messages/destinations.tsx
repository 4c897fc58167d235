import type { ReactNode } from 'react'
import { counted, number } from '../util/numbers.ts'
import { duration } from '../util/time.ts'

/** Texts of the destinations: list, page, secret and recovery. */

export const destinationTexts = {
  add: 'Add a destination',
  title: 'Destinations',
  about: 'Endpoints that get your events',
  emptyTitle: 'No destinations yet',
  emptyNote:
    'A destination is a URL that gets a signed request for each new review or rating drop. Zapier, Make and n8n create theirs through the API; those appear here too.',
  filter: 'Filter destinations',
  search: 'Search destinations',
  name: 'destinations',
  item: 'Destination',
  back: 'Back to destinations',
  addedNote: 'Destination added. Send a test message to see it arrive.',
  added: 'Destination added',
  viewerTitle: 'Viewers cannot add destinations',
  addAbout: 'Where new reviews and rating drops are sent',
  urlNote: 'Gets a signed POST with JSON for each event',
  appMissing: (link: ReactNode) => <>Is your app missing? {link}.</>,
  addAppFirst: 'Add it first',
  submit: 'Add destination',
  paused: 'Paused. New events are held.',
  resumed: 'Resumed. Held events are sent now.',
  rotate: 'Rotate secret',
  delete: 'Delete',
  disconnect: 'Disconnect',
  deleted: 'Destination deleted.',
  disconnected: 'Destination disconnected.',
  deleteTitle: 'Delete this destination?',
  disconnectTitle: 'Disconnect this destination?',
  removeNote: (destination: ReactNode, pending: ReactNode, trigger: ReactNode) => (
    <>
      No more events are sent to {destination}. {pending}This cannot be undone.{trigger}
    </>
  ),
  pendingLost: (count: number) => `${counted(count, 'pending event')} will not be sent. `,
  triggerNote: (source: string) =>
    ` Turn off its trigger in ${source} too: ${source} may still show it as connected.`,
  bulkHint: 'Select destinations to pause, resume or retry them',
  retryPending: 'Retry pending',
  noSubscriptions: 'No subscriptions yet. No events are sent.',
  delivered24h: (count: number, latency: ReactNode) => (
    <>
      {number(count)} delivered in 24 h{latency}
    </>
  ),
  latencyNote: (ms: number) => `, p95 ${duration(ms)}`,
  noDelivery: 'No recent delivery',
  lastDeliveryAt: (at: ReactNode) => <>Last delivery {at}</>,
  deadLetterCount: (count: number) => counted(count, 'dead letter'),
  deliverySuccess: 'Delivery success (24 h)',
  attemptSuccess: 'Attempt success (24 h)',
  deliveredFigure: 'Delivered (24 h)',
  failedAttempts: 'Failed attempts (24 h)',
  pending: 'Pending',
  deadLetters: 'Dead letters',
  p50: 'p50 latency',
  p95: 'p95 latency',
  health: 'Health',
  breakerOpen: (next: ReactNode) => (
    <>Paused after repeated failures. Next attempt {next}. An accepted test event resumes it now.</>
  ),
  openInbox: 'Open the inbox',
  viewDeliveries: 'View deliveries',
  viewDeadLetters: 'View dead letters',
  aProgram: 'a program',
  goneTitle: 'Turned off by the receiver',
  goneNote:
    'The receiver answered HTTP 410 Gone, as automation platforms do when a trigger is turned off. Resume the destination, then replay its dead letters.',
  firstReviews: (when: ReactNode) => (
    <>
      First reviews are expected {when}: stores show a review about a day after it was written, and earlier
      ones are not sent.
    </>
  ),
  redirectTitle: 'The receiver answers with a redirect',
  redirectNote:
    'A redirect counts as a failure and is never followed. Some receivers, such as every Google Apps Script web app, answer with one after they did their work. If yours does, accept redirects: otherwise it gets each event up to ten times.',
  redirectAccept: 'Accept redirects',
  unconfirmedTitle: 'Paused: no recipient has confirmed',
  unconfirmedNote:
    'Each recipient got an e-mail with a link. New events are held. The destination resumes when the first recipient confirms.',
  unsubscribedTitle: 'Paused: all recipients unsubscribed',
  unsubscribedNote:
    'No recipient is left. New events are held. Add a recipient, or ask one to subscribe again. Then resume the destination.',
  managedBy: (program: string) => `Managed by ${program}`,
  aProgramFirst: 'A program',
  managedNote: (program: string, reference: ReactNode) => (
    <>
      {program} created this destination through the API{reference}. It controls the URL, the secret and the
      subscriptions. You can name, limit, pause and test the destination here. “Disconnect” removes it from
      Review Radar.
    </>
  ),
  asReference: (code: ReactNode) => <> as {code}</>,
  destination: 'Destination',
  deliveredColumn: 'Delivered in 24 h',
  lastDelivery: 'Last delivery',
  noneRecently: 'None recently',
  more: (count: number) => `and ${number(count)} more`,
  p95Note: (ms: number) => ` p95 ${duration(ms)}`,
  last24Hours: (delivered: number, failed: number) =>
    `Last 24 hours: ${number(delivered)} delivered, ${counted(failed, 'failed attempt')}`,
} as const

export const destinationFormTexts = {
  url: 'URL',
  saved: 'Settings saved.',
  title: 'Settings',
  requestsPerSecond: 'Max. requests per second',
  messagesPerSecond: 'Max. messages per second',
  noLimit: 'No limit',
  lateReviews: 'Late reviews (hours)',
  lateReviewsNote:
    'Stores show a review about a day after it was written. Also send reviews written up to this many hours before a subscription, if the store first shows them after it. 0 turns this off.',
  redirect: 'Accept redirects as success',
  redirectNote:
    'For receivers that answer with a redirect after their work, such as Google Apps Script. Redirects are never followed.',
  cloudEvents: 'Add CloudEvents headers',
  cloudEventsNote:
    'For receivers that expect CloudEvents 1.0 in binary mode. Body and signatures do not change.',
  namePlaceholder: 'Support team',
  description: 'Description',
  descriptionPlaceholder: 'Opens a ticket for each review with one or two stars',
} as const

export const recipientTexts = {
  askAgain: 'Ask again',
  askedAgain: (address: string) => `${address} got another e-mail with a link to confirm.`,
  unconfirmed: (since: ReactNode) => <>Not confirmed. Asked {since}</>,
  asked: (address: string) => `${address} got an e-mail with a link to subscribe again.`,
  askTitle: (address: string) => `Ask ${address} to subscribe again?`,
  askNote: 'This person unsubscribed. They get one e-mail with a link. E-mails resume after they confirm.',
  ask: 'Ask to subscribe again',
  title: 'Recipients',
  about: 'Each recipient gets a separate e-mail.',
  address: 'Address',
  subscribed: 'Subscribed',
  unsubscribed: (at: ReactNode) => <>Unsubscribed {at}</>,
} as const

export const recoveryTexts = {
  retrying: 'Retrying all pending deliveries.',
  retryAll: 'Retry all pending',
  title: 'Replay missed events',
  started: 'Replay started. You can leave this page.',
  about:
    'Replays what the receiver missed. Every event keeps its event ID and body, so a receiver that dedupes handles it once.',
  includeDelivered: 'Include delivered events',
  includeDeliveredNote: 'For a receiver that accepted events and lost them.',
  takes: (ms: number) => `Takes about ${duration(ms)}.`,
  nothing: 'Nothing to replay',
  submit: (count: number) => `Replay ${counted(count, 'event')}`,
  pending: (count: number) => `${number(count)} pending: retried now`,
  dead: (count: number) => `${counted(count, 'dead letter')}: replayed with all retries`,
  delivered: (count: number) => `${number(count)} delivered: replayed`,
} as const

export const secretTexts = {
  revokeNow: 'Revoke the old secret now',
  oneHour: '1 hour',
  oneDay: '1 day',
  threeDays: '3 days',
  sevenDays: '7 days',
  revoked: 'Old secrets revoked.',
  rotateTitle: 'Rotate the signing secret',
  bodySignature: 'x-radar-signature',
  rotateNote: (body: ReactNode, standard: ReactNode) => (
    <>
      {standard} carries both signatures for the time you choose, so that a receiver that checks it can switch
      without downtime. A receiver that checks {body} rejects every event until it has the new secret.
    </>
  ),
  standardSignature: 'webhook-signature',
  keepOld: 'Keep the old secret valid for',
  rotating: 'Old secrets are still valid',
  newState: 'New secret: signs webhook-signature and x-radar-signature.',
  oldState: (expiry: ReactNode) => <>Old secret: signs webhook-signature only. Expires {expiry}.</>,
  endNow: 'Revoke old secrets',
  endTitle: 'Revoke old secrets?',
  endNote: 'Receivers that still use an old secret will reject every event.',
  rotate: 'Rotate',
  copyNew: 'Copy the new secret now. You cannot see it again.',
  copyNote: 'The secret is not shown again. If you lose it, rotate it.',
  sendTest: 'Send a test event',
  verify: 'Verify the signature of the raw body before you parse it',
  codeOf: (language: string) => `${language} code`,
} as const

export const testTexts = {
  eventTitle: 'Send a test event',
  messageTitle: 'Send a test message',
  submit: 'Send test',
  eventNote: 'A test event is signed like a real one, with sample IDs. It is not retried.',
  messageNote: 'The message of a sample event, sent like a real one. It is not retried.',
  requestBody: 'Request body',
} as const
