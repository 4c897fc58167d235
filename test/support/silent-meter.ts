import type { Meter } from '../../src/model/metrics.ts'

export const silentMeter: Meter = { count: () => {}, observe: () => {} }
