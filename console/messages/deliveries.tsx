import type { ReactNode } from 'react'
import { counted, number } from '../util/numbers.ts'
import { duration } from '../util/time.ts'

/** Texts of deliveries, attempts, dead letters and replays. */

export const deliveryTexts = {
  title: 'Deliveries',
  about: 'Events sent to your destinations, with every attempt',
  name: 'deliveries',
  emptyTitle: 'No deliveries yet',
  emptyNote: 'A delivery appears here as soon as a new review or a rating drop matches a subscription.',
  item: 'Delivery',
  back: 'Back to deliveries',
  openPage: 'Open page',
  queuedAgain: 'Queued again with the same event ID and body.',
  attemptStarted: 'Next attempt started.',
  copied: 'Copied. The request is unsigned.',
  copyCurl: 'Copy as curl',
  retryNow: 'Retry now',
  sendAgain: 'Replay',
  to: (destination: ReactNode) => <>to {destination}</>,
  payload: 'Payload',
  messageNote: 'Each attempt creates the message from this event.',
  attempts: 'Attempts',
  noAttempts: 'No attempts yet.',
  eventLine: (id: ReactNode) => <>Event {id}</>,
  facts: (created: ReactNode, delivered: ReactNode, next: ReactNode, dead: ReactNode) => (
    <>
      Created {created}
      {delivered}
      {next}
      {dead}
    </>
  ),
  eventIdName: 'event ID',
  deliveredAfter: (latency: string) => ` · Delivered after ${latency}`,
  deadLetter: (reason: string) => ` · Dead letter: ${reason}`,
  sent: 'What was sent',
  viewReview: 'View review',
  signatureBase: 'Signature base string of the last attempt',
  signatureBaseName: 'signature base string',
  signatureNote: 'Signed in webhook-signature. x-radar-signature signs the body alone.',
  signatureBaseLabel: 'Signature base string',
  filter: 'Filter deliveries',
  filterDead: 'Filter dead letters',
  destination: 'Destination',
  destinationsFailed: 'Loading your destinations failed',
  app: 'App',
  reason: 'Reason',
  eventId: 'Event ID',
  eventIdInvalid: 'Enter 64 hexadecimal digits',
  bulkHint: 'Select pending deliveries to retry them now',
  spike: (count: number) => `${number(count)} in an hour`,
  rowName: (subject: string, destination: string) => `${subject} for ${destination}`,
  updated: 'Updated',
  attemptsLine: (attempts: ReactNode) => <>Attempts: {attempts}</>,
  after: (latency: string) => `after ${latency}`,
  destinationPaused: 'Destination paused',
  due: (at: ReactNode) => <>Due {at}</>,
  nextAttempt: (at: ReactNode) => <>Next attempt {at}</>,
} as const

export const attemptTexts = {
  startedAndTook: (at: ReactNode, ms: number) => (
    <>
      {at}, took {duration(ms)}
    </>
  ),
  requestHeaders: 'Request headers',
  responseHeaders: 'Response headers',
  message: 'Message',
  responseBodyTruncated: 'Response body (truncated)',
  responseBody: 'Response body',
  httpStatus: (status: number) => `HTTP ${status}`,
  thenDead: (last: string, reason: string) => `${last}, then ${reason}`,
  withoutAttempt: (reason: string) => `${reason} without an attempt`,
  accepted: 'Accepted',
  acceptedWith: (answer: string) => `Accepted, ${answer}`,
  dns: 'DNS lookup',
  connect: 'Connect',
  tls: 'TLS handshake',
  firstByte: 'Time to first byte',
  other: 'Other',
} as const

export const deadLetterTexts = {
  title: 'Dead letters',
  about: 'Deliveries that failed permanently. They stay until you replay or discard them.',
  name: 'dead letters',
  emptyTitle: 'No dead letters',
  emptyNote: 'Every delivery arrived or is still being retried.',
  export: 'Export',
  replayThese: (count: number) => `Replay these ${number(count)}`,
  replayAll: (count: number) => `Replay all ${number(count)}`,
  replayed: (count: number) => `${counted(count, 'dead letter')} queued again.`,
  discarded: (count: number) => `${counted(count, 'dead letter')} discarded.`,
  bulkHint: 'Select dead letters to replay or discard',
  replay: 'Replay',
  discard: 'Discard',
  discardTitle: (count: number) => `Discard ${counted(count, 'dead letter')}?`,
  discardNote:
    'Discarded dead letters leave this list without being sent, and are deleted after the retention period.',
  filterByReason: 'Filter by reason',
} as const

export const replayTexts = {
  label: 'Replay',
  replayOf: (count: number) => `Replay of ${counted(count, 'dead letter')}`,
  recoveryOf: (count: number) => `Replay of ${counted(count, 'missed event')}`,
  line: (what: string, started: ReactNode, delivered: number, inFlight: ReactNode, failed: ReactNode) => (
    <>
      {what}, started {started}: {number(delivered)} delivered{inFlight}
      {failed}
    </>
  ),
  inFlight: (count: number) => `, ${number(count)} in flight`,
  failedAgain: (count: number) => `, ${number(count)} failed again`,
  deliveredPart: (count: number) => `${number(count)} delivered`,
  failedPart: (count: number) => `${number(count)} failed again`,
  inFlightPart: (count: number) => `${number(count)} in flight`,
  started: 'Replay started. You can leave this page.',
  title: 'Replay dead letters',
  deadLetters: (count: number) => counted(count, 'dead letter'),
  note: (deadLetters: ReactNode) => (
    <>
      {deadLetters} in this view. Each is replayed with the same event ID and body, with all retries.
      Deliveries that fail again return to this list.
    </>
  ),
  takes: (ms: number) => `Takes about ${duration(ms)} at this rate.`,
  submit: (count: number) => `Replay ${number(count)}`,
} as const
