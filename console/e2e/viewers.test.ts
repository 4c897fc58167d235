import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { BulkReplyResult } from '../../src/contract/v1/bulk-replies.ts'
import type { ReplayView } from '../../src/contract/v1/dead-letters.ts'
import type { ReplyTemplateRow } from '../../src/contract/v1/reply-templates.ts'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { createAppleKey } from '../../src/simulate/official/connect.ts'
import { appleBody } from '../../test/support/connect-store.ts'
import { joined } from '../../test/support/join.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { startConnected } from './support/connected-reviews.ts'
import { startPopulatedConsole } from './support/populated-console.ts'
import {
  NOTES,
  openAs,
  RUNS,
  type SeededConsole,
  startMailConsole,
  startSeededConsole,
} from './support/seeded-console.ts'

/** Something to change on every page: reviews, dead letters, a paused replay, a rotation, an unconfirmed recipient, a template. */
async function somethingToChange({ running, ann, receiver, newDestination }: SeededConsole) {
  receiver.answerWith(500)
  await ann.fetchJson('PUT', `/v1/tracked-apps/google/${RUNS.appId}`, { countries: ['us'] })
  publish(running, { ...RUNS, market: 'en' }, { author: 'Ada', rating: 2 })
  const fingerprint = await until('the review is stored', async () => {
    const page = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return page.data[0]?.fingerprint
  })
  const webhook = await newDestination()
  await ann.fetchJson('POST', `/v1/hooks/${webhook.id}/secret`, { overlap_hours: 24 })
  for (const title of ['One', 'Two']) {
    publish(running, { ...NOTES, market: 'us' }, { title, publishedAt: new Date(Date.now() + 2_000) })
  }
  await until('both are dead letters', async () => {
    const { count } = await ann.fetchJson<{ count: number }>('GET', '/v1/dead-letters/count')
    return count === 2
  })
  const replay = { filter: {}, rate_per_second: 0.1 }
  const { id } = await ann.fetchJson<ReplayView>('POST', '/v1/replays', replay)
  await ann.fetchJson('PUT', `/v1/replays/${id}`, { status: 'paused' })
  const mail = await ann.fetchJson<{ id: string }>('POST', '/destinations', {
    target_type: 'email',
    target_settings: { to: ['team@example.com'] },
    watch: { store: NOTES.store, app_id: NOTES.appId, event_type: 'review.created' },
  })
  await ann.fetchJson('POST', '/v1/store-connections', appleBody(createAppleKey(running.world, {})))
  await ann.fetchJson('POST', '/v1/reply-templates', { name: 'Thanks', text: 'Thank you', language: null })
  return {
    review: `/reviews/${fingerprint}`,
    webhook: `/destinations/${webhook.id}`,
    mail: `/destinations/${mail.id}`,
  }
}

type Shown = (page: Page) => Locator
const button =
  (name: string | RegExp): Shown =>
  (page) =>
    page.getByRole('button', { name })
const link =
  (name: string): Shown =>
  (page) =>
    page.getByRole('link', { name })
const region =
  (name: string): Shown =>
  (page) =>
    page.getByRole('region', { name })
const inPalette =
  (label: string): Shown =>
  (page) =>
    page.getByRole('dialog', { name: 'Go to' }).getByText(label, { exact: true })
const boxes: Shown = (page) => page.getByRole('checkbox', { name: /^Select/ })

test('every page tells a viewer that access is read-only, and hides buttons that change something', async () => {
  await using console = await startMailConsole({
    RADAR_REVIEWS_POLL_INTERVAL: '100ms',
    RADAR_MAIL_CONSENT: 'confirm',
  })
  const { seeded, visitor: owner } = console
  const { running, ann } = seeded
  const at = await somethingToChange(seeded)
  const vera = await joined(running, ann, 'Vera', 'viewer')
  await using visitor = await openAs(running, { ...ann, ...vera })
  const { page } = visitor
  const openPalette = (on: Page) => on.keyboard.press('Control+k')
  const openDelivery = (on: Page) =>
    on
      .locator('tbody')
      .getByRole('link', { name: /One|Two/ })
      .first()
      .click()
  const pages: readonly (readonly [
    path: string,
    shown: Shown,
    hidden: readonly Shown[],
    open?: (page: Page) => Promise<unknown>,
  ])[] = [
    ['/reviews', (on) => on.getByRole('article', { name: 'Review by Ada' }), [boxes, button(/^Triage/)]],
    [at.review, region('Triage'), [button('Add note')]],
    ['/destinations', link('team@example.com'), [link('Add a destination'), boxes]],
    [
      at.webhook,
      region('Subscriptions'),
      [
        ...[button('Pause'), button('Rotate secret'), button('Delete'), button('Add a subscription')],
        ...[button('Revoke old secrets'), button('Send test'), button('Save')],
      ],
    ],
    [at.mail, region('Recipients'), [button(/^Ask again/)]],
    ['/deliveries', link('One'), [boxes]],
    [
      '/deliveries',
      (on) => on.getByRole('dialog').getByRole('link', { name: 'Open page' }),
      [button(/^(Replay|Retry now)$/)],
      openDelivery,
    ],
    ['/dead-letters', link('One'), [boxes, button(/^Replay all/), button('Resume'), button('Cancel')]],
    ['/stores', region('Answer templates'), [button('New template'), button(/^Edit/), button(/^Delete/)]],
    [
      '/getting-started',
      region('Send events to your program'),
      [link('Add a destination'), button('Send a test event')],
    ],
    ['/', inPalette('Dead letters'), [inPalette('Add an app'), inPalette('Add a destination')], openPalette],
  ]
  for (const [path, shown, hidden, open] of pages) {
    for (const each of [owner.page, page]) {
      await each.goto(path)
      await each.getByRole('heading', { level: 1 }).first().waitFor()
      await open?.(each)
      await shown(each).first().waitFor()
    }
    await page.getByText('You are a viewer of this account').waitFor()
    for (const control of hidden) {
      await control(owner.page).first().waitFor()
      assert.equal(await control(page).count(), 0, `${path}: ${control(page)}`)
    }
    // The pointer may rest on something with a tooltip, which is outside of the landmarks.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').first().waitFor({ state: 'detached' })
    assert.deepEqual(await findings(page), [], path)
  }
  assert.deepEqual(visitor.errors, [])
})

/** What changes nothing in the account. */
const READING = [
  /^radio (24 hours|\d+ days|1 year)$/,
  /^button (Copy .*|Views|Export|Filter|Compact rows|Try again)$/,
  // Filters and sorting of lists.
  /^(textbox|combobox) (Search .*|Event ID|State|Destination|App|Event type|Reason|Action|Who)$/,
  /^switch Group both stores$/,
  /^radio (Cards|Table)$/,
  /^button (App|Rating|Ratings|Reviews in 7 days|Last review|Destinations)$/,
  // Apps to compare.
  /^checkbox Select (all shown|.* \((App Store|Google Play)\))$/,
  /^button (Compare with…|Add a column|Make base: column \d+)$/,
  /^combobox (App|Storefront|Version|Period) of column \d+$/,
  /^button (Since|Until|Attempts exhausted: \d+)$/,
  /^button (Destination|State|Pending|Dead letters|Delivered in 24 h|Last delivery|Created)$/,
  // Parts of a page that are shown or hidden.
  /^button (United States|Germany|1\. Accepted.*|Great until the last update|\d\.\d\d → \d\.\d\d)$/,
  // How the viewer signs in.
  /^textbox (Current|New) password$/,
  /^button (Toggle password visibility|Change password|Turn on)$/,
]
/** Names of links that lead to a form. */
const FORM_LINK = /^(Add|Create|New(?! comparison)|Edit|Connect|Find your|Set up|Turn on)\b/i

/** What can be used on the page, as `button Save`; without disabled controls. */
async function controlsOf(page: Page): Promise<string[]> {
  const snapshot = await page.locator('#main').ariaSnapshot()
  const controls = [
    ...snapshot.matchAll(/- '?(button|link|checkbox|switch|radio|textbox|combobox) "(.*?)"(.*)$/gm),
  ]
  return controls
    .filter(
      ([, role = '', name = '', state = '']) =>
        !state.includes('[disabled]') && (role !== 'link' || FORM_LINK.test(name)),
    )
    .map(([, role, name]) => `${role} ${name}`)
}

test('a viewer has no button, field or link on any page but those that only read', async () => {
  await using populated = await startPopulatedConsole()
  const { running, ann } = populated
  const vera = await joined(running, ann, 'Vera', 'viewer')
  await using visitor = await openAs(running, { ...ann, ...vera })
  const { page } = visitor
  const found = new Set<string>()
  for (const path of populated.paths) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    for (const control of await controlsOf(page)) {
      if (!READING.some((allowed) => allowed.test(control))) found.add(`${path}: ${control}`)
    }
  }
  assert.deepEqual([...found], [])
})

test('a viewer sees answers that wait to be sent, without undoing them or going from editor to editor', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  const { running, ann } = seeded
  const template = await ann.fetchJson<ReplyTemplateRow>('POST', '/v1/reply-templates', {
    name: 'Thanks',
    text: 'Thank you!',
  })
  const { batch_id: batch } = await ann.fetchJson<BulkReplyResult>('POST', '/v1/reviews/replies', {
    template_id: template.id,
    template_updated_at: template.updated_at,
    fingerprints: [of('Ada')],
    undo_seconds: 300,
  })
  const vera = await joined(running, ann, 'Vera', 'viewer')
  await using owner = await openAs(running, ann)
  await using viewer = await openAs(running, { ...ann, ...vera })
  for (const { page } of [owner, viewer]) {
    const mayChange = page === owner.page ? 1 : 0
    await page.goto(`/reviews/${of('Ada')}`)
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('Sent in 30 seconds or less').waitFor()
    assert.equal(await answer.getByRole('button', { name: 'Undo' }).count(), mayChange)
    const triage = page.getByRole('region', { name: 'Triage' })
    await triage.getByLabel('Tags').waitFor()
    assert.equal(await triage.getByText('Press Enter or a comma').count(), mayChange)
    await page.goto(`/to-answer?batch=${batch}`)
    await page.getByText('0 sent, 1 not sent yet, 0 refused').waitFor()
    await page.getByRole('status').getByText('2 to answer').waitFor()
    for (const name of ['Undo all', 'Next', 'Previous']) {
      assert.equal(await page.getByRole('button', { name }).count(), mayChange, name)
    }
  }
  assert.deepEqual([...owner.errors, ...viewer.errors], [])
})

test('pages of which a viewer has no use say why, and who can help', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const slack = await ann.fetchJson<{ id: string }>('POST', '/destinations', {
    target_type: 'slack',
    target_settings: { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' },
    watch: { store: NOTES.store, app_id: NOTES.appId, event_type: 'review.created' },
  })
  const vera = await joined(running, ann, 'Vera', 'viewer')
  await using visitor = await openAs(running, { ...ann, ...vera })
  const { page } = visitor
  for (const [path, title, link] of [
    ['/apps/add', 'Viewers cannot add apps', 'View your apps'],
    ['/destinations/new', 'Viewers cannot add destinations', 'Back to destinations'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByText('Ask a member of the account to do it').waitFor()
    assert.deepEqual(await findings(page), [], path)
    await page.getByRole('link', { name: link }).click()
    await page.waitForURL((url) => url.pathname !== path)
  }
  await page.goto('/audit-log')
  await page.getByRole('heading', { name: 'Only owners can read the audit log' }).waitFor()
  assert.equal(await page.locator('#main').getByRole('button').count(), 0)
  await page.goto('/getting-started')
  await page.getByText('The command needs a token from an owner of the account.').waitFor()
  // An example in a field that nobody can fill looks like a value.
  await page.goto(`/destinations/${slack.id}`)
  await page.getByLabel('Description').waitFor()
  assert.deepEqual(
    await page
      .locator('fieldset [placeholder]')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('placeholder'))),
    ['No limit'],
  )
  assert.deepEqual(visitor.errors, [])
})
