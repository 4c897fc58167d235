import type { DueWork } from '../../src/storage/port/maintenance.ts'

export const NOTHING_DUE: DueWork = {
  polls: { 'apple.reviews': null, 'apple.rating': null, 'google.reviews': null, 'google.rating': null },
  enrichAt: null,
  fanOutAt: null,
  sendAt: null,
  replayAt: null,
  officialAt: null,
  historyAt: null,
  replyAt: null,
}
