import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import { destinationState, isInState, stateRank } from './destination-state.ts'

const AT = '2026-03-01T12:00:00.000Z'
const line = (
  status: DestinationLine['status'],
  failingSince: string | null,
  breakerOpenUntil: string | null,
) => ({ status, health: { failingSince, breakerOpenUntil } }) as DestinationLine

test('a destination has one state, and the worst comes first', () => {
  const lines = [
    line('active', null, null),
    line('paused', AT, AT),
    line('gone', AT, null),
    line('active', AT, null),
    line('active', null, AT),
    line('active', AT, AT),
  ]
  const sorted = lines.toSorted((a, b) => stateRank(a) - stateRank(b)).map(destinationState)
  assert.deepEqual(sorted, ['suspended', 'suspended', 'failing', 'gone', 'paused', 'active'])
})

test('a suspended destination is found among the failing ones', () => {
  const suspended = line('active', AT, AT)
  assert.ok(isInState(suspended, 'failing') && isInState(suspended, 'suspended'))
  assert.ok(!isInState(line('active', AT, null), 'suspended'))
})
