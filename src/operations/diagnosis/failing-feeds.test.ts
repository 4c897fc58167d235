import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentText, worstFirst } from '../../model/incident.ts'
import { type FailingFeed, feedIncidents } from './failing-feeds.ts'
import { note, problem } from './finding.ts'

const feed = (change: Partial<FailingFeed>): FailingFeed => ({
  ...{ store: 'google', appId: 'com.example.notes', appName: 'Notes', kind: 'rating', market: 'us' },
  ...{ lastPolledAt: new Date('2026-11-01T12:00:00Z'), failingSince: new Date('2026-11-01T10:00:00Z') },
  ...{ lastOutcome: 'unknown', lastDetail: 'Google Play failed with status 500.' },
  ...change,
})
const whatOf = (feeds: readonly FailingFeed[]) => feedIncidents(feeds).map(({ what }) => what)

test('an outage of a store is one incident, whatever the number of its feeds, since the first of them failed', () => {
  const later = new Date('2026-11-01T11:00:00Z')
  const apps = Array.from({ length: 30 }, (_, index) =>
    feed({ appId: `com.example.${index}`, appName: index === 0 ? 'Notes' : null, failingSince: later }),
  )
  const [incident, ...others] = feedIncidents([...apps, feed({ appId: 'com.example.0', market: 'de' })])
  assert.deepEqual(others, [])
  assert.equal(
    incident?.what,
    'Google Play: no usable response for Notes, com.example.1, com.example.2, com.example.3 and 26 more apps. Google Play failed with status 500.',
  )
  assert.equal(incident?.effect, 'New reviews and ratings of 30 apps are delayed.')
  assert.deepEqual([incident?.since?.toISOString(), incident?.page], ['2026-11-01T10:00:00.000Z', '/apps'])
})

test('the failing feeds of one app are named, and other states and stores are incidents of their own', () => {
  assert.deepEqual(
    whatOf([
      feed({ market: 'de' }),
      feed({ kind: 'reviews' }),
      feed({ lastOutcome: 'gone', lastDetail: null }),
      feed({ store: 'apple', lastOutcome: 'changed', lastDetail: null }),
    ]),
    [
      'Google Play: no usable response for Notes (rating of Germany, reviews of us). Google Play failed with status 500.',
      'Google Play: no such app for Notes (rating of United States).',
      'App Store: an unknown format for Notes (rating of United States).',
    ],
  )
})

test('an outage counts the apps whose feeds are not listed, too', () => {
  const feeds = Array.from({ length: 5 }, (_, index) =>
    feed({ appId: `com.example.${index}`, appName: null }),
  )
  const [incident] = feedIncidents(feeds, [{ store: 'google', health: 'stale', apps: 1_200 }])
  assert.match(incident?.what ?? '', /com\.example\.3 and 1,?196 more apps\./)
  assert.match(incident?.effect ?? '', /of 1,?200 apps are delayed/)
})

test('problems are before notes, the longest first, and a text has all sentences of a incident', () => {
  const since = new Date('2026-11-01T10:00:00Z')
  const [long, short] = [since, new Date('2026-11-02T10:00:00Z')].map((at) =>
    problem(`${at}`, 'It fails.', { since: at }),
  )
  const list = [note('a note', 'It waits.'), short, problem('new', 'It broke.'), long].filter(
    (each) => each !== undefined,
  )
  assert.deepEqual(
    worstFirst(list).map(({ key }) => key),
    [long?.key, short?.key, 'new', 'a note'],
  )
  assert.equal(
    incidentText(problem('it', 'It fails.', { since, effect: 'Nobody reads.', action: 'Repair it.' })),
    'It fails. Since 2026-11-01T10:00:00.000Z. Nobody reads. Repair it.',
  )
})
