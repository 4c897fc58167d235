import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions, type VersionFacts, versionsOf } from './app-versions.ts'

const page = (
  versions: readonly (readonly [string | null, string])[],
  releases: VersionFacts['releases'] = [],
): VersionFacts => ({
  versions: versions.map(([version, firstSeenAt]) => ({ version, firstSeenAt })),
  releases,
})
const named = (pages: readonly VersionFacts[]) => versionsOf(pages).map(({ version }) => version)

test('a version of both stores counts from its first review in either, the newest version first', () => {
  assert.deepEqual(
    versionsOf([
      page([
        ['5.1.0', '2026-10-03T00:00:00.000Z'],
        [null, '2026-01-01T00:00:00.000Z'],
      ]),
      page([
        ['5.1.0', '2026-10-01T00:00:00.000Z'],
        ['5.2.0', '2026-11-01T00:00:00.000Z'],
      ]),
    ]),
    [
      { version: '5.2.0', firstAt: '2026-11-01T00:00:00.000Z' },
      { version: '5.1.0', firstAt: '2026-10-01T00:00:00.000Z' },
    ],
  )
})

test('a late first review of an old version does not make it the newest', () => {
  assert.deepEqual(
    named([
      page([
        ['3.2.1', '2026-11-28T00:00:00.000Z'],
        ['5.0.0', '2026-03-01T00:00:00.000Z'],
        ['5.1.0', '2026-10-01T00:00:00.000Z'],
      ]),
    ]),
    ['5.1.0', '5.0.0', '3.2.1'],
  )
})

test('versions are ordered by their numbers, and texts without numbers are the oldest', () => {
  assert.deepEqual(['beta', '5.9', '5.10', 'v6', '5.9.1', '5.10.0'].sort(compareVersions), [
    'beta',
    '5.9',
    '5.9.1',
    '5.10',
    '5.10.0',
    'v6',
  ])
  assert.equal(compareVersions('5.10.0-rc2', '5.10.0'), 0)
})

test('a release that a full list of versions lacks is a version, and one that another list lacks has no reviews', () => {
  const releases = [{ version: '9.0', at: '2026-11-28T00:00:00.000Z' }]
  const many = Array.from({ length: 50 }, (_, at) => [`8.${at}`, '2026-01-01T00:00:00.000Z'] as const)
  assert.deepEqual(versionsOf([page(many, releases)])[0], {
    version: '9.0',
    firstAt: '2026-11-28T00:00:00.000Z',
  })
  assert.equal(named([page(many.slice(1), releases)])[0], '8.49')
})
