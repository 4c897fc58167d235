import type { Meter } from '../../src/runtime/meter.ts'

export const silentMeter: Meter = { count: () => {}, observe: () => {} }
