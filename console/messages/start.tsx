import type { ReactNode } from 'react'
import { counted } from '../util/numbers.ts'

/** Texts of the first steps and of the inbox. */

export const startTexts = {
  title: 'Getting started',
  about: 'A few clicks to your first event',
  ownProgram: 'Send events to your program',
  ownProgramNote: 'Your program gets each event as a signed POST with JSON.',
  localNote: (source: ReactNode) => (
    <>
      For a program on your machine, this command pulls the events of all destinations and posts them to the
      program, signed. The service needs no setting. The command needs a token from {source}.
    </>
  ),
  addDestination: 'Add a destination',
  apiNote: (source: ReactNode) => (
    <>Or create it through the API, as Zapier, Make and n8n do, with a token from {source}.</>
  ),
  accountPage: 'your account page',
  anOwner: 'an owner of the account',
  command: 'command',
  listenCommand: 'command for your machine',
  steps: 'Three steps to your first event',
  trackTitle: 'Track an app',
  trackNote: 'Find it by its name or by its link in the App Store or Google Play.',
  findApp: 'Find your app',
  chooseTitle: 'Choose where events go',
  seeTitle: 'See an event',
  inboxNote: (link: ReactNode) => (
    <>
      The inbox shows new reviews and rating drops of your apps in this console, as the events that a webhook
      would get. To send them to your own program, {link} instead.
    </>
  ),
  addDestinationLink: 'add a destination',
  turnOnInbox: 'Turn on the inbox',
  delayNote: 'A store shows a new review about a day after it was written. A test event arrives at once.',
  step: (number: number, title: string) => `Step ${number}: ${title}`,
  done: 'Done',
} as const

export const inboxTexts = {
  title: 'Inbox',
  about: 'Your events, as a webhook would get them',
  settings: 'Settings',
  pausedTitle: 'The inbox is paused',
  pausedNote: 'New events are held. Resume the inbox in its settings.',
  name: 'events',
  keeps: (count: number) => `The inbox keeps the newest ${counted(count, 'event')}.`,
  noSubscriptions: 'No subscriptions yet',
  addSubscription: 'Add a subscription',
  chooseApps: 'Choose the apps whose new reviews and rating drops you want to see here.',
  waitingTitle: 'Waiting for the first event',
  waitingNote: (apps: string) =>
    `New reviews and rating drops of ${apps} appear here once a check finds them. A store shows a review about a day after it was written. A test event appears at once.`,
  yourApps: 'your apps',
  apps: (count: number) => counted(count, 'app'),
  label: 'Events',
  received: 'Received',
  test: 'Test',
  offTitle: 'See events without a receiver',
  turnOn: 'Turn on the inbox',
  addWebhook: 'Add a webhook',
  offNote:
    'The inbox shows new reviews and rating drops of your apps as the events that a webhook would get. No requests are sent.',
  testSent: 'Test event sent.',
  sendTest: 'Send a test event',
  testEvent: 'Test event',
  payload: 'Payload',
  request: 'Request',
} as const
